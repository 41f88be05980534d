import type { Member } from '@neuroloom/contract/accounts/members'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'

const refresh = ['members/list', 'members/sessions'] as const

/** What is done for one account. Whoever calls has asked before what must be meant. */
export function useMemberActions({ id, nickName: name }: Member) {
  const { t } = useTranslation('members')
  const say = (done: string) => () => void toast.success(t(`done.${done}` as 'done.unlock', { name }))
  const password = useAction('members/password', { refresh })
  const unlock = useAction('members/unlock', { refresh, onDone: say('unlock') })
  const role = useAction('members/role', { refresh, onDone: say('role') })
  const level = useAction('members/level', { refresh, onDone: say('level') })
  const superMember = useAction('members/super', { refresh, onDone: say('level') })
  const signOut = useAction('members/signOut', { refresh, onDone: say('signOut') })
  const secondFactorOff = useAction('members/secondFactorOff', { refresh, onDone: say('secondFactorOff') })
  const block = useAction('members/block', {
    refresh,
    onDone: ({ isBlocked }) => say(isBlocked ? 'block' : 'open')(),
  })
  const close = useAction('members/close', { refresh, quiet: true, onDone: say('close') })
  return {
    password: () => password.mutateAsync({ id, confirmed: true }),
    unlock: () => unlock.mutateAsync({ id }),
    role: (wanted: Member['role']) => role.mutateAsync({ id, role: wanted, confirmed: true }),
    level: (wanted: number, until: string | null) => level.mutateAsync({ id, level: wanted, until }),
    superMember: (isSuper: boolean) => superMember.mutateAsync({ id, isSuper }),
    signOut: () => signOut.mutateAsync({ id, confirmed: true }),
    secondFactorOff: () => secondFactorOff.mutateAsync({ id }),
    block: (isBlocked: boolean) => block.mutateAsync({ id, isBlocked, confirmed: true }),
    close: (account: string) => close.mutateAsync({ id, account, confirmed: true }),
  }
}
