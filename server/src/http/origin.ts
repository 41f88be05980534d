/** Whose page makes a request: pages of other origins change nothing here and open no live connection. Knows no call. */
import type { IncomingHttpHeaders } from 'node:http'

type Asked = {
  headers: IncomingHttpHeaders
  /** The host, with port, that the request came to. */
  host: string | undefined
  /** The address people use, where it is set. */
  publicUrl: string | undefined
}

/** Browsers name the page's origin whenever something may change; programs without a page name none. */
export function isForeignPage({ headers, host, publicUrl }: Asked): boolean {
  const site = headers['sec-fetch-site']
  // No script can write this header. A proxy may have changed the host on the way, never what the browser saw.
  if (site === 'same-origin') return false
  if (site === 'cross-site' || site === 'same-site') return true
  const { origin } = headers
  if (origin === undefined) return false
  // `null` is what sandboxed pages and files call themselves.
  if (!URL.canParse(origin)) return true
  if (publicUrl !== undefined && new URL(publicUrl).origin === origin) return false
  return new URL(origin).host !== withoutUsualPort(origin, host)
}

/** A browser leaves the usual port out of an origin; a host header may name it. */
const withoutUsualPort = (origin: string, host = ''): string | null => {
  const address = `${new URL(origin).protocol}//${host}`
  return URL.canParse(address) ? new URL(address).host : null
}
