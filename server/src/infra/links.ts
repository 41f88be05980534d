/** Signed short-lived addresses for what cannot carry headers (pictures, downloads). Says who and what, grants nothing else. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../http/fail.ts'
import { newId } from './ids.ts'

export type LinkClaims = { kind: string; id: string; userId: string; [extra: string]: string }

export type Links = {
  /** Query string (without `?`) that `verify` accepts for `ms` from now. */
  sign(claims: LinkClaims, ms: number): string
  /** What a signed query says; fails as `link_expired` when it is forged, altered, of another kind or too old. */
  verify(query: unknown, kind: string): LinkClaims
  /** A keyed digest for other short-lived proofs (the drag slider's puzzle); `purpose` keeps them apart. */
  mac(purpose: string, text: string): string
}

const SECRET_BYTES = 32

export function createLinks(secret: Buffer, now: () => Date): Links {
  const mac = (purpose: string, text: string): string =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url')

  return {
    mac,
    sign(claims, ms) {
      // Rounded down a little, so that a page's links stay the same for a while and browsers keep what they show.
      const step = ms / 6
      const until = String(Math.floor((now().getTime() + ms) / step) * step)
      const query = new URLSearchParams({ ...claims, until })
      query.sort()
      query.set('mac', mac('link', query.toString()))
      return query.toString()
    },
    verify(input, kind) {
      const given = Object.entries(input ?? {}).map(([name, value]): [string, string] => [
        name,
        String(value),
      ])
      const query = new URLSearchParams(given)
      const seal = query.get('mac') ?? ''
      query.delete('mac')
      query.sort()
      const { kind: saidKind, id, userId, until, ...extra } = Object.fromEntries(query)
      const fresh = Number(until) > now().getTime()
      if (!equal(seal, mac('link', query.toString())) || !fresh || saidKind !== kind || !id || !userId) {
        throw fail('link_expired')
      }
      return { ...extra, kind, id, userId }
    },
  }
}

/**
 * The server's key: made at the first start, readable by its owner alone. Of several processes that start at once the
 * first one's key is everybody's: what is sealed with it must open after the next start.
 */
export async function readSecret(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret')
  if (!existsSync(path)) await makeSecret(path)
  const secret = await readFile(path)
  // Another key would open nothing that this one sealed, so none is made in its place.
  if (secret.length < SECRET_BYTES) throw new Error(`${path} is damaged: put the copy from your backup there`)
  return secret
}

async function makeSecret(path: string): Promise<void> {
  const draft = `${path}.${newId()}`
  const file = await open(draft, 'wx', 0o600)
  await file.writeFile(randomBytes(SECRET_BYTES))
  await file.sync()
  await file.close()
  // Unlike a rename, a link never replaces what is there.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    // Some network drives know no links.
    if (error.code !== 'EEXIST') return rename(draft, path)
  })
  await rm(draft, { force: true })
}

export const equal = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
