import type { User } from '@neuroloom/contract/accounts'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { levelOf } from './level.ts'
import { NickNameForm } from './nick-name-form.tsx'
import styles from './profile-card.module.css'

/** The own data; empty fields are left out, because only the nickname can be filled in here. */
export function ProfileCard({ user }: { user: User }) {
  const { t } = useTranslation(['accounts', 'common'])
  const [isEditing, setIsEditing] = useState(false)
  const rows: [string, string][] = [
    [t('profile.fullName'), [user.job, user.name, user.surname].filter(Boolean).join(' ')],
    [t('profile.phone'), user.phone],
    [t('profile.email'), user.email],
    [t('profile.organ'), user.organ],
    [t('profile.dept'), user.dept],
    [t('profile.level'), t(`level.${levelOf(user)}`)],
    [
      t('profile.valid'),
      user.vipValid === null
        ? t('level.forever')
        : t('level.until', { date: formatDate(user.vipValid, 'day') }),
    ],
  ]
  return (
    <div>
      <div className={styles.head}>
        <Avatar name={user.nickName} size={64} />
        {isEditing ? (
          <NickNameForm nickName={user.nickName} onClose={() => setIsEditing(false)} />
        ) : (
          <div className={styles.nick}>
            <div>
              <span className={styles.label}>{t('profile.nickName')}</span>
              <strong>{user.nickName}</strong>
            </div>
            <Button
              onClick={() => setIsEditing(true)}
              aria-label={`${t('common:edit')}: ${t('profile.nickName')}`}
            >
              {t('common:edit')}
            </Button>
          </div>
        )}
      </div>
      <dl className={styles.rows}>
        {rows
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <Row key={label} label={label}>
              {value}
            </Row>
          ))}
      </dl>
    </div>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
