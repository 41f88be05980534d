import { MoreOutlined } from '@ant-design/icons'
import type { Member } from '@neuroloom/contract/accounts/members'
import { Button, Dropdown } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { Asked } from './member-dialogs.tsx'
import type { Given } from './password-shown.tsx'
import { useMemberActions } from './use-member-actions.ts'

const MemberDialogs = lazyPart(async () => (await import('./member-dialogs.tsx')).MemberDialogs, {
  over: true,
})

type MemberMenuProps = {
  member: Member
  hasLevels: boolean
  isSelf: boolean
  onPassword: (given: Given) => void
}
type Action = Asked | 'unlock' | 'open'

/** What can be done for one account. */
export function MemberMenu({ member, hasLevels, isSelf, onPassword }: MemberMenuProps) {
  const { t } = useTranslation('members')
  const [asked, setAsked] = useState<Asked | null>(null)
  const actions = useMemberActions(member)
  const handleClick = ({ key }: { key: string }) => {
    const action = key as Action // The keys below.
    // Refusals are told by the calls.
    if (action === 'unlock') actions.unlock().catch(() => {})
    else if (action === 'open') actions.block(false).catch(() => {})
    else setAsked(action)
  }
  const items = actionsFor(member, { hasLevels, isSelf }).map((key) => ({
    key,
    label: t(`do.${key}`),
    danger: key === 'block' || key === 'close',
  }))
  return (
    <>
      <Dropdown menu={{ items, onClick: handleClick }} trigger={['click']} placement="bottomRight">
        <Button
          type="text"
          icon={<MoreOutlined aria-hidden />}
          aria-label={t('actionsOf', { name: member.nickName })}
        />
      </Dropdown>
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
    </>
  )
}

/** Only what changes something. */
function actionsFor(
  { role, wrongPasswords, isBlocked, isSignedIn, isSuper, hasSecondFactor }: Member,
  { hasLevels, isSelf }: { hasLevels: boolean; isSelf: boolean },
): Action[] {
  const keys: Action[] = ['sessions', 'password']
  if (wrongPasswords > 0) keys.push('unlock')
  // The own one is turned off in the personal centre, by password and code.
  if (hasSecondFactor && !isSelf) keys.push('secondFactorOff')
  keys.push('role')
  if (hasLevels) keys.push('level')
  keys.push(isSuper ? 'takeSuper' : 'giveSuper')
  // Nobody gets an administrator's rights by a link.
  if (role !== 2 && !isBlocked) keys.push('key')
  if (isSignedIn && !isSelf) keys.push('signOut')
  keys.push(isBlocked ? 'open' : 'block', 'close')
  return keys
}
