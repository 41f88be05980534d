/** Who has the social centre: everybody but service providers, and nobody where there is none or while it is switched off. */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer } from '@neuroloom/contract/calls'
import { useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'

type Setting = Pick<Answer<'setting/public'>, 'host' | 'off'>

export const hasCommunity = (role: number, { host, off }: Setting): boolean =>
  role !== roles.provider && host > -1 && !off.includes('social')

/** Null until it is known. */
export function useHasCommunity(): boolean | null {
  const user = useUser()
  const { data } = useCall('setting/public', {}, { quiet: true, staleTime: Number.POSITIVE_INFINITY })
  if (user === null || !data) return null
  return hasCommunity(user.role, data)
}
