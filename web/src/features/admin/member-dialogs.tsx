import type { Member } from '@neuroloom/contract/accounts/members'
import { useTranslation } from 'react-i18next'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { CloseMemberDialog } from './close-member-dialog.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { LevelDialog } from './level-dialog.tsx'
import { MemberSessions } from './member-sessions.tsx'
import type { Given } from './password-shown.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { useMemberActions } from './use-member-actions.ts'

/** What asks before it is done. */
export type Asked =
  | 'sessions'
  | 'key'
  | 'password'
  | 'secondFactorOff'
  | 'role'
  | 'level'
  | 'giveSuper'
  | 'takeSuper'
  | 'signOut'
  | 'block'
  | 'close'

type MemberDialogsProps = {
  member: Member
  asked: Asked
  isSelf: boolean
  onPassword: (given: Given) => void
  onClose: () => void
}

/** The dialog of one action; loaded with the first that is chosen. */
export function MemberDialogs({ member, asked, isSelf, onPassword, onClose }: MemberDialogsProps) {
  const { t } = useTranslation('members')
  const actions = useMemberActions(member)
  const { account, nickName: name } = member
  const confirm = (
    what: Exclude<Asked, 'sessions' | 'key' | 'role' | 'level' | 'close'>,
    onConfirm: () => Promise<unknown>,
  ) => (
    <ConfirmRemove
      open
      title={t(`ask.${what}.title`, { name })}
      text={isSelf ? t('ask.self', { text: t(`ask.${what}.text`) }) : t(`ask.${what}.text`)}
      confirmLabel={t(`ask.${what}.confirm`)}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
  switch (asked) {
    case 'sessions':
      return <MemberSessions member={member} onEnd={isSelf ? null : actions.signOut} onClose={onClose} />
    case 'key':
      return <KeyDialog member={member} onClose={onClose} />
    case 'password':
      return confirm(asked, async () =>
        onPassword({ account, nickName: name, password: (await actions.password()).password }),
      )
    case 'role':
      return <RoleDialog member={member} isSelf={isSelf} onChoose={actions.role} onClose={onClose} />
    case 'level':
      return <LevelDialog member={member} onChoose={actions.level} onClose={onClose} />
    case 'giveSuper':
    case 'takeSuper':
      return confirm(asked, () => actions.superMember(asked === 'giveSuper'))
    case 'secondFactorOff':
      return confirm(asked, actions.secondFactorOff)
    case 'signOut':
      return confirm(asked, actions.signOut)
    case 'block':
      return confirm(asked, () => actions.block(true))
    case 'close':
      return (
        <CloseMemberDialog member={member} isSelf={isSelf} onCloseAccount={actions.close} onClose={onClose} />
      )
  }
}
