/** A sign-in between its two steps: the ticket waits for the code of the second factor. Kept in memory alone. */
import { CallError } from './api.ts'

export type SignInTicket = {
  ticket: string
  /** Another product opened the workspace by a link. */
  byLink: boolean
}

let waiting: SignInTicket | null = null

/** Of a sign-in that the server answered with the question for a code; null for any other failure. */
export const ticketOf = (error: unknown): string | null =>
  error instanceof CallError && error.name === 'second_factor_needed' ? String(error.params.ticket) : null

/** For the page of the sign-in, which is shown next. */
export function keepTicket(ticket: SignInTicket): void {
  waiting = ticket
}

export function takeTicket(): SignInTicket | null {
  const taken = waiting
  waiting = null
  return taken
}
