/** Who has the module of orders: service providers, and nobody on a hospital's own server, where nothing is sold. */
import { roles } from '@neuroloom/contract/accounts/roles'
import { useCall } from '../../lib/query.ts'
import { useUser } from '../../lib/session.ts'

/** False until it is known. */
export function useHasOrders(): boolean {
  const user = useUser()
  const { data } = useCall('setting/public', {}, { quiet: true, staleTime: Number.POSITIVE_INFINITY })
  return user?.role === roles.provider && data !== undefined && data.host > -1
}
