/** Asks for the account that something is given to and what it may do; what is given, and how, is the caller's. */
import type { Permission } from '@neuroloom/contract/sharing'
import { Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'
import { firstField } from '../first-field.ts'
import styles from './share.module.css'

type Given = { member: { nickName: string } | null }

/** `onShare` refuses by throwing; the form says why beside the field. */
type ShareFormProps = { onShare: (account: string, permission: Permission) => Promise<Given> }

export function ShareForm({ onShare }: ShareFormProps) {
  const { t } = useTranslation(['sharing', 'common'])
  const [account, setAccount] = useState('')
  const [permission, setPermission] = useState<Permission>('view')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async () => {
    if (isBusy) return
    if (account.trim() === '') return setProblem(t('accountMissing'))
    setIsBusy(true)
    try {
      const { member } = await onShare(account.trim(), permission)
      toast.success(t('sharedWith', { name: member?.nickName ?? account }))
      setAccount('')
      setProblem(null)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Form layout="vertical" onFinish={() => void submit()} requiredMark={false}>
      <Form.Item
        label={t('account')}
        htmlFor="share-account"
        validateStatus={problem ? 'error' : ''}
        help={problem ?? t('accountHelp')}
      >
        <div className={styles.give}>
          <Input
            id="share-account"
            ref={firstField}
            maxLength={254}
            placeholder={t('accountExample')}
            value={account}
            onChange={(event) => {
              setAccount(event.target.value)
              setProblem(null)
            }}
          />
          <PermissionSelect label={t('permission')} value={permission} onChange={setPermission} />
          <Button type="primary" htmlType="submit" loading={isBusy}>
            {t('share')}
          </Button>
        </div>
      </Form.Item>
    </Form>
  )
}

type PermissionSelectProps = {
  label: string
  value: Permission
  busy?: boolean
  onChange: (permission: Permission) => void
}

/** What others may do. */
export function PermissionSelect({ label, value, busy = false, onChange }: PermissionSelectProps) {
  const { t } = useTranslation('sharing')
  return (
    <Select<Permission>
      className={styles.permission ?? ''}
      aria-label={label}
      value={value}
      loading={busy}
      onChange={onChange}
      options={[
        { value: 'view', label: t('view') },
        { value: 'edit', label: t('edit') },
      ]}
    />
  )
}
