/** What the router gets to see of a request's address, so that every spelling of one meets the same rules. Grants nothing. */
import type { IncomingMessage } from 'node:http'

/** Reached by no page: what is no address at all is answered, counted and logged like one that is not there. */
const NOWHERE = '/AI/-'

/** A whole address (`GET http://host/path`, RFC 9112 3.2.2) becomes its path; of a broken one nothing is left. */
export function routedUrl({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const path = url.startsWith('/') ? url : pathOf(url)
  return path !== null && isWellFormed(path) ? path : NOWHERE
}

/** Whether what was asked for is an address, as it came in. */
export const isAddress = (url: string): boolean => url === NOWHERE || routedUrl({ url }) !== NOWHERE

function pathOf(url: string): string | null {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null
  // Not as `URL` writes it: that would put dots and letters right, which the router must see as they are.
  const path = /^[a-z]+:\/\/[^/?#]*(.*)$/i.exec(url)?.[1] ?? ''
  return path.startsWith('/') ? path : `/${path}`
}

function isWellFormed(url: string): boolean {
  try {
    decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}
