import { useNavigate } from 'react-router'
import { call } from '../../lib/api.ts'
import * as session from '../../lib/session.ts'

/** Ends the session on the server, then shows the front page, then forgets everything here. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const user = session.user()
    try {
      await call('user/logout', user === null ? {} : { userId: user.id }, { quiet: true })
    } catch {
      // An unreachable server must not keep somebody signed in on this machine; its session ends by itself.
    }
    await navigate('/')
    session.end()
  }
}
