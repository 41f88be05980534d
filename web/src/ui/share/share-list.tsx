/** Whom something is shared with, each with a way to change or withdraw it; what is shared is the caller's. */
import { TeamOutlined } from '@ant-design/icons'
import type { Permission, Share } from '@neuroloom/contract/sharing'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '../pictures/avatar.tsx'
import styles from './share.module.css'
import { PermissionSelect } from './share-form.tsx'

type Shown = Pick<Share, 'id' | 'member' | 'permission'> & Partial<Pick<Share, 'group'>>

type ShareListProps = {
  shares: readonly Shown[]
  /** Both tell of a refusal by themselves. */
  onChange: (shareId: string, permission: Permission) => Promise<unknown>
  onWithdraw: (shareId: string) => Promise<unknown>
}

export function ShareList({ shares, onChange, onWithdraw }: ShareListProps) {
  const { t } = useTranslation('sharing')
  if (shares.length === 0) return <p className={styles.soft}>{t('nobody')}</p>
  return (
    <ul className={styles.people}>
      {shares.map((share) => (
        <Item
          key={share.id}
          share={share}
          onChange={(permission) => onChange(share.id, permission)}
          onWithdraw={() => onWithdraw(share.id)}
        />
      ))}
    </ul>
  )
}

type ItemProps = {
  share: Shown
  onChange: (permission: Permission) => Promise<unknown>
  onWithdraw: () => Promise<unknown>
}

function Item({ share: { member, group, permission }, onChange, onWithdraw }: ItemProps) {
  const { t } = useTranslation('sharing')
  const [busy, setBusy] = useState<'change' | 'withdraw' | null>(null)
  const name = member?.nickName ?? group?.name ?? ''
  const run = (kind: 'change' | 'withdraw', action: () => Promise<unknown>) => {
    setBusy(kind)
    const end = () => setBusy(null)
    action().then(end, end)
  }
  return (
    <li>
      {member ? (
        <Avatar name={name} photo={member.photo} size={32} />
      ) : (
        <TeamOutlined className={styles.group} aria-hidden />
      )}
      <span>
        <strong>{name}</strong>
        <small>{member ? member.account : t('group')}</small>
      </span>
      <PermissionSelect
        label={t('permissionOf', { name })}
        value={permission}
        busy={busy === 'change'}
        onChange={(next) => run('change', () => onChange(next))}
      />
      <Button danger type="text" loading={busy === 'withdraw'} onClick={() => run('withdraw', onWithdraw)}>
        {t('withdraw')}
      </Button>
    </li>
  )
}
