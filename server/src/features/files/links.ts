import { files as limits } from '@neuroloom/contract/limits'
import { and, eq, isNull } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { LinkClaims } from '../../infra/links.ts'
import { sessions } from '../accounts/tables.ts'

export const CONTENT_PATH = '/AI/api/files/content'
export const THUMBNAIL_PATH = '/AI/api/files/thumbnail'

type Holder = Pick<Caller, 'user' | 'sessionId'>

/** Address of one own file's bytes, good for a minute and for as long as the session stands. */
export function contentUrl(
  ctx: Context,
  holder: Holder,
  { id, sha256, mode }: { id: string; sha256: string; mode: 'show' | 'download' },
): string {
  // With the bytes' own number, so that a browser never shows what was there before the file was replaced.
  const claims = { kind: 'content', id, mode, bytes: sha256.slice(0, 12), ...claimsOf(holder) }
  return `${CONTENT_PATH}?${ctx.links.sign(claims, limits.linkMs)}`
}

/** Address of the small picture of an image's bytes; whoever makes it has checked that the holder may see them. */
export function thumbnailUrl(ctx: Context, holder: Holder, sha256: string): string {
  const claims = { kind: 'thumbnail', id: sha256, ...claimsOf(holder) }
  return `${THUMBNAIL_PATH}?${ctx.links.sign(claims, limits.thumbnailLinkMs)}`
}

/** What a signed address says, refused when it is too old, altered, or when its session has ended. */
export async function verifyLink(ctx: Context, query: unknown, kind: string): Promise<LinkClaims> {
  const claims = ctx.links.verify(query, kind)
  const [session] = await ctx.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, claims.session ?? ''),
        eq(sessions.userId, claims.userId),
        isNull(sessions.endedAt),
      ),
    )
  if (!session) throw fail('link_expired')
  return claims
}

const claimsOf = ({ user, sessionId }: Holder) => ({ userId: user.id, session: sessionId })
