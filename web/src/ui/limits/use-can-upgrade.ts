/** Whether a higher level of the membership is to be had, and would help whoever is signed in. */
import { useCall } from '../../lib/query.ts'
import { type UserRecord, useUser } from '../../lib/session.ts'

const HIGHEST = 4
/** Of service providers, who have no personal centre. */
const PROVIDER = 1

export function useCanUpgrade(): boolean {
  const user = useUser()
  const isHelped = user !== null && helps(user)
  const { data } = useCall(
    'setting/public',
    {},
    { quiet: true, enabled: isHelped, staleTime: Number.POSITIVE_INFINITY },
  )
  // A hospital's own server has no levels.
  return isHelped && data !== undefined && data.host >= 0
}

const helps = ({ role, vipLevel, vipSuper }: UserRecord): boolean =>
  role !== PROVIDER && vipSuper === 0 && vipLevel < HIGHEST

export const upgradeAddress = '/userCenter?tab=upgrade'
