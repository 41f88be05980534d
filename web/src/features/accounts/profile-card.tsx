import type { User } from '@neuroloom/contract/accounts/accounts'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { levelOf } from '../../lib/level-names.ts'
import { regionNames } from '../../lib/region-names.ts'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { hasNoLevels, usePublicSetting } from './entrance/public-setting.ts'
import { useAreaText } from './fields/area-field.tsx'
import { MemberBadge } from './member-badge.tsx'
import styles from './profile-card.module.css'
import { ProfileDialog } from './profile-dialog.tsx'

type ProfileCardProps = {
  user: User
  /** The profile was changed: `user` is old. */
  onRefresh: () => void
}

/** The own data; empty fields are left out, and filled in by the dialog. */
export function ProfileCard({ user, onRefresh }: ProfileCardProps) {
  const { t } = useTranslation(['member', 'levels', 'common'])
  const [isEditing, setIsEditing] = useState(false)
  const setting = usePublicSetting()
  const isComplete = user.type === 1
  return (
    <div>
      <div className={styles.head}>
        <Avatar name={user.nickName} photo={user.photo} size={88} />
        <div className={styles.nick}>
          <strong>{user.nickName}</strong>
          {!hasNoLevels(setting) && (
            <span className={styles.level}>
              <MemberBadge user={user} />
              {t(`levels:${levelOf(user)}`)}
              <Validity until={user.vipValid} />
            </span>
          )}
        </div>
        <Button type={isComplete ? 'default' : 'primary'} onClick={() => setIsEditing(true)}>
          {t('common:edit')}
        </Button>
      </div>
      {!isComplete && (
        <p className={styles.hint}>
          <strong>{t('complete.title')}</strong>
          {levelOf(user) === 'visitor' && !hasNoLevels(setting) && ` ${t('complete.text')}`}
        </p>
      )}
      <Facts user={user} />
      {isEditing && (
        <ProfileDialog
          user={user}
          onClose={(refresh) => {
            setIsEditing(false)
            if (refresh) onRefresh()
          }}
        />
      )}
    </div>
  )
}

function Validity({ until }: { until: string | null }) {
  const { t } = useTranslation('levels')
  return (
    <span className={styles.label}>
      {until === null ? t('forever') : t('until', { date: formatDate(until, 'day') })}
    </span>
  )
}

function Facts({ user }: { user: User }) {
  const { t } = useTranslation('member')
  const area = useAreaText(user.area)
  const country = (code: string) => (code === '' ? '' : regionNames()(code))
  const chosen = (field: string, value: string) => (value === '' ? '' : t(`${field}.${value}`, value))
  const several = (text: string) =>
    text
      .split(';')
      .map((one) => one.trim())
      .filter(Boolean)
      .join(', ')
  const rows: [string, string][] = [
    [t('card.fullName'), [chosen('job', user.job), user.name, user.surname].filter(Boolean).join(' ')],
    [t('field.appellation'), chosen('appellation', user.appellation)],
    [t('field.sex'), chosen('sex', user.sex)],
    [t('field.age'), user.age === null ? '' : String(user.age)],
    [t('field.edu'), chosen('edu', user.edu)],
    [t('field.country'), country(user.country)],
    [t('card.document'), [chosen('cardType', user.cardType), user.cardNumber].filter(Boolean).join(' ')],
    [t('field.phone'), user.phone],
    [t('field.email'), several([user.email, user.email1, user.email2, user.email3].join(';'))],
    [t('field.fax'), user.fax],
    [t('field.bakPhone'), [user.bakPhone, user.bakPhoneUsage].filter(Boolean).join(' · ')],
    [t('field.firstContact'), chosen('firstContact', user.firstContact)],
    [t('field.organ'), user.organ],
    [t('field.dept'), user.dept],
    [t('field.position'), user.position],
    [t('field.title'), several(user.title)],
    [t('field.keyword'), several(user.keyword)],
    [
      t('card.place'),
      [country(user.currCountry), area, user.address, user.postcode].filter(Boolean).join(', '),
    ],
  ]
  return (
    <dl className={styles.rows}>
      {rows
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <Row key={label} label={label}>
            {value}
          </Row>
        ))}
    </dl>
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
