import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import * as session from '../../lib/session.ts'

/** After a purchase: level, limits and everything that was counted by them are asked for anew. */
export function useFreshMember(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    const user = session.user()
    if (user === null) return
    session.keep(await call('user/info', { userId: user.id }, { quiet: true }))
    await queries.invalidateQueries()
  }
}
