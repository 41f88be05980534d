import type { Permission } from '@neuroloom/contract/sharing'
import { Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import styles from './sharing.module.css'

/** Gives an account access. */
export function ShareForm({ id }: { id: string }) {
  const { t } = useTranslation(['sharing', 'common'])
  const [account, setAccount] = useState('')
  const [permission, setPermission] = useState<Permission>('view')
  const [isMissing, setIsMissing] = useState(false)
  const share = useAction('files/share', {
    refresh: ['files/shares', 'files/list'],
    quiet: true,
    onDone: ({ member }) => {
      toast.success(t('sharedWith', { name: member?.nickName ?? account }))
      setAccount('')
    },
  })
  const submit = () => {
    if (share.isPending) return
    setIsMissing(account.trim() === '')
    if (account.trim() !== '') share.mutate({ id, account: account.trim(), permission })
  }
  const help = isMissing ? t('accountMissing') : share.error && messageOf(share.error)
  return (
    <Form layout="vertical" onFinish={submit} requiredMark={false}>
      <Form.Item
        label={t('account')}
        htmlFor="share-account"
        validateStatus={help ? 'error' : ''}
        help={help ?? t('accountHelp')}
      >
        <div className={styles.give}>
          <Input
            id="share-account"
            autoFocus
            maxLength={254}
            placeholder={t('accountExample')}
            value={account}
            onChange={(event) => {
              setAccount(event.target.value)
              setIsMissing(false)
              if (share.isError) share.reset()
            }}
          />
          <PermissionSelect label={t('permission')} value={permission} onChange={setPermission} />
          <Button type="primary" htmlType="submit" loading={share.isPending}>
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
