import { useNavigate } from 'react-router'
import { call } from '../../lib/api.ts'
import * as session from '../../lib/session.ts'

/** Ends the session on the server, and leaves. */
export function useSignOut(): () => Promise<void> {
  const leave = useLeave()
  return async () => {
    const user = session.user()
    try {
      await call('user/logout', user === null ? {} : { userId: user.id }, { quiet: true })
    } catch {
      // An unreachable server must not keep somebody signed in on this machine; its session ends by itself.
    }
    await leave()
  }
}

/** Shows the front page, then forgets everything here: who asked for the end does not come back to the page. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await navigate('/')
    session.end()
  }
}
