/** Where somebody wanted to go before signing in. Kept beside the address and not in it, so that no link can lead elsewhere. */
import * as session from './session.ts'

const key = 'goal'

type Place = { pathname: string; search?: string; hash?: string }

/** `userId`: whoever was signed in there; nobody else is led to it. */
export function remember({ pathname, search = '', hash = '' }: Place, userId?: string): void {
  sessionStorage.setItem(key, JSON.stringify({ path: pathname + search + hash, userId }))
}

/** Taken once; the start page where nothing was wanted, or nothing of this product, or by another account. */
export function take(): string {
  const { path, userId = session.user()?.id } = parse(sessionStorage.getItem(key))
  sessionStorage.removeItem(key)
  return isOwn(path) && userId === session.user()?.id ? path : '/mangeHome'
}

function parse(text: string | null): { path: string; userId?: string } {
  try {
    // Written by `remember` alone; a hand-edited one only leads whoever edited it.
    return JSON.parse(text ?? '') as { path: string; userId?: string }
  } catch {
    return { path: '' }
  }
}

/** Browsers read two slashes, and a slash with a backslash, as another host. */
const isOwn = (path: string): boolean => /^\/(?![/\\])/.test(path)
