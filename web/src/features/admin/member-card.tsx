import { MoreOutlined } from '@ant-design/icons'
import type { Member } from '@neuroloom/contract/accounts/members'
import { Button, Dropdown, Tag } from 'antd'
import type { TFunction } from 'i18next'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../lib/format.ts'
import { levelName } from '../../lib/level-names.ts'
import { useUser } from '../../lib/session.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { Asked } from './member-dialogs.tsx'
import styles from './members.module.css'
import type { Given } from './password-shown.tsx'
import { useMemberActions } from './use-member-actions.ts'

const MemberDialogs = lazyPart(async () => (await import('./member-dialogs.tsx')).MemberDialogs, {
  over: true,
})

type MemberCardProps = { member: Member; hasLevels: boolean; onPassword: (given: Given) => void }

/** One account: who, what it may do, how it stands, and what can be done for it. */
export function MemberCard({ member, hasLevels, onPassword }: MemberCardProps) {
  const { t } = useTranslation(['members', 'levels'])
  const title = useId()
  const isSelf = useUser()?.id === member.id
  const [asked, setAsked] = useState<Asked | null>(null)
  const actions = useMemberActions(member)
  const handleClick = ({ key }: { key: string }) => {
    const action = key as Action // The keys below.
    // Refusals are told by the calls.
    if (action === 'unlock') actions.unlock().catch(() => {})
    else if (action === 'open') actions.block(false).catch(() => {})
    else setAsked(action)
  }
  return (
    <article className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{member.nickName}</h2>
        {isSelf && <Tag color="cyan">{t('self')}</Tag>}
        {member.role !== 0 && (
          <Tag color={member.role === 2 ? 'gold' : 'default'}>{t(`roles.${member.role}`)}</Tag>
        )}
        {hasLevels && !member.isSuper && <Tag>{t(`levels:${levelName(member.vipLevel)}`)}</Tag>}
        {member.isSuper && <Tag>{t('levels:super')}</Tag>}
        {member.hasSecondFactor && <Tag color="green">{t('hasSecondFactor')}</Tag>}
        {member.isBlocked && <Tag color="red">{t('blocked')}</Tag>}
        {member.wrongPasswords > 0 && (
          <Tag color="orange">{t('wrongPasswords', { count: member.wrongPasswords })}</Tag>
        )}
      </header>
      <Dropdown
        menu={{ items: itemsFor(member, { hasLevels, isSelf }, t), onClick: handleClick }}
        trigger={['click']}
        placement="bottomRight"
      >
        <Button
          type="text"
          icon={<MoreOutlined aria-hidden />}
          aria-label={t('actionsOf', { name: member.nickName })}
        />
      </Dropdown>
      <div className={styles.facts}>
        <p>{[member.account, member.name, member.organ].filter(Boolean).join(' · ')}</p>
        <small>{told(member, hasLevels, t)}</small>
      </div>
      <Suspense>
        {asked && (
          <MemberDialogs
            member={member}
            asked={asked}
            isSelf={isSelf}
            onPassword={onPassword}
            onClose={() => setAsked(null)}
          />
        )}
      </Suspense>
    </article>
  )
}

type Texts = TFunction<['members', 'levels']>
type Action = Asked | 'unlock' | 'open'

/** When it was made and used, and until when its level is. */
function told({ createdAt, signedInAt, isSignedIn, vipValid }: Member, hasLevels: boolean, t: Texts): string {
  const lines = [t('made', { date: formatDate(createdAt, 'day') })]
  if (isSignedIn) lines.push(t('signedInNow'))
  else if (signedInAt === null) lines.push(t('neverSignedIn'))
  else lines.push(t('signedIn', { date: formatDate(signedInAt, 'minute') }))
  if (hasLevels && vipValid !== null) lines.push(t('levels:until', { date: formatDate(vipValid, 'day') }))
  return lines.join(' · ')
}

/** Only what changes something. */
function itemsFor(
  { wrongPasswords, isBlocked, isSignedIn, isSuper, hasSecondFactor }: Member,
  { hasLevels, isSelf }: { hasLevels: boolean; isSelf: boolean },
  t: Texts,
) {
  const keys: Action[] = ['password']
  if (wrongPasswords > 0) keys.push('unlock')
  // The own one is turned off in the personal centre, by password and code.
  if (hasSecondFactor && !isSelf) keys.push('secondFactorOff')
  keys.push('role')
  if (hasLevels) keys.push('level')
  keys.push(isSuper ? 'takeSuper' : 'giveSuper')
  if (isSignedIn && !isSelf) keys.push('signOut')
  keys.push(isBlocked ? 'open' : 'block', 'close')
  return keys.map((key) => ({ key, label: t(`do.${key}`), danger: key === 'block' || key === 'close' }))
}
