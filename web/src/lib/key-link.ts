/** Links that sign in: `?key=` in any address is used once and taken out of it before anything else is asked. */
import { call } from './api.ts'
import * as goal from './goal.ts'
import * as session from './session.ts'
import { keepTicket, ticketOf } from './sign-in-ticket.ts'

/** Before the first page. Without a key nothing happens; a refused one is announced and leaves nobody signed in. */
export async function enterByKey(): Promise<void> {
  const address = new URL(window.location.href)
  const key = address.searchParams.get('key')
  if (key === null) return
  address.searchParams.delete('key')
  window.history.replaceState(window.history.state, '', address)
  session.end()
  try {
    const { token, closing, ...user } = await call('user/login', { key, ocibe: 1 })
    session.start({ token, closing, user, byLink: true })
  } catch (error) {
    // `call` has told why; the guard leads on from here.
    const ticket = ticketOf(error)
    if (ticket === null) return
    keepTicket({ ticket, byLink: true })
    goal.remember(address)
    window.history.replaceState(window.history.state, '', '/login')
  }
}
