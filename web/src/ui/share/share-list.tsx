/** Whom something is shared with, each with a way to change or withdraw it; what is shared is the caller's. */
import { TeamOutlined } from '@ant-design/icons'
import type { Share } from '@neuroloom/contract/sharing'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '../pictures/avatar.tsx'
import styles from './share.module.css'
import { PermissionSelect, type Rights } from './share-form.tsx'

type Shown<Right> = Pick<Share, 'id' | 'member'> & Partial<Pick<Share, 'group'>> & { permission: Right }

type ShareListProps<Right extends string, One extends Shown<Right>> = {
  rights: Rights<Right>
  shares: readonly One[]
  /** What else is said of one. */
  about?: (share: One) => ReactNode
  /** Both tell of a refusal by themselves. */
  onChange: (shareId: string, right: Right) => Promise<unknown>
  onWithdraw: (shareId: string) => Promise<unknown>
}

export function ShareList<Right extends string, One extends Shown<Right>>({
  rights,
  shares,
  about,
  onChange,
  onWithdraw,
}: ShareListProps<Right, One>) {
  const { t } = useTranslation('sharing')
  if (shares.length === 0) return <p className={styles.soft}>{t('nobody')}</p>
  return (
    <ul className={styles.people}>
      {shares.map((share) => (
        <Item
          key={share.id}
          {...{ rights, share }}
          about={about?.(share)}
          onChange={(permission) => onChange(share.id, permission)}
          onWithdraw={() => onWithdraw(share.id)}
        />
      ))}
    </ul>
  )
}

type ItemProps<Right extends string> = {
  rights: Rights<Right>
  share: Shown<Right>
  about: ReactNode
  onChange: (right: Right) => Promise<unknown>
  onWithdraw: () => Promise<unknown>
}

function Item<Right extends string>({ rights, share, about, onChange, onWithdraw }: ItemProps<Right>) {
  const { member, group, permission } = share
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
        {about}
      </span>
      <PermissionSelect
        rights={rights}
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
