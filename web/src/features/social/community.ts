/** Who has the social centre: everybody but service providers, and nobody on a hospital's own server. */
import { roles } from '@neuroloom/contract/accounts/roles'
import { useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'

export const hasCommunity = (role: number, host: number): boolean => role !== roles.provider && host > -1

/** Null until it is known. */
export function useHasCommunity(): boolean | null {
  const user = useUser()
  const { data } = useCall('setting/public', {}, { quiet: true, staleTime: Number.POSITIVE_INFINITY })
  if (user === null || !data) return null
  return hasCommunity(user.role, data.host)
}
