/** Asks for the account that something is given to and what it may do; what is given, and how, is the caller's. */
import type { Permission } from '@neuroloom/contract/sharing'
import { Button, Form, Input, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { firstField } from '../first-field.ts'
import { RefusalText } from '../limits/refusal-text.tsx'
import styles from './share.module.css'

type Given = { member: { nickName: string } | null }

/** What others may be allowed, the least first. */
export type Rights<Right extends string> = readonly { value: Right; label: string }[]

export function usePermissions(): Rights<Permission> {
  const { t } = useTranslation('sharing')
  return [
    { value: 'view', label: t('view') },
    { value: 'edit', label: t('edit') },
  ]
}

type ShareFormProps<Right extends string> = {
  rights: Rights<Right>
  first: Right
  /** Refuses by throwing; the form says why beside the field. */
  onShare: (account: string, right: Right) => Promise<Given>
}

export function ShareForm<Right extends string>({ rights, first, onShare }: ShareFormProps<Right>) {
  const { t } = useTranslation(['sharing', 'common'])
  const [account, setAccount] = useState('')
  const [permission, setPermission] = useState(first)
  const [problem, setProblem] = useState<ReactNode>(null)
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
      setProblem(<RefusalText error={error} />)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Form className={styles.form ?? ''} layout="vertical" onFinish={() => void submit()} requiredMark={false}>
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
          <PermissionSelect
            {...{ rights }}
            label={t('permission')}
            value={permission}
            onChange={setPermission}
          />
          <Button type="primary" htmlType="submit" loading={isBusy}>
            {t('share')}
          </Button>
        </div>
      </Form.Item>
    </Form>
  )
}

type PermissionSelectProps<Right extends string> = {
  label: string
  rights: Rights<Right>
  value: Right
  busy?: boolean
  onChange: (right: Right) => void
}

/** What others may do. */
export function PermissionSelect<Right extends string>({
  label,
  rights,
  value,
  busy = false,
  onChange,
}: PermissionSelectProps<Right>) {
  return (
    <Select<Right>
      className={styles.permission ?? ''}
      aria-label={label}
      value={value}
      loading={busy}
      onChange={onChange}
      options={[...rights]}
    />
  )
}
