import { files as limits } from '@neuroloom/contract/limits'
import type { Context } from '../../infra/context.ts'
import { type Holder, holderClaims } from '../accounts/access.ts'

export const CONTENT_PATH = '/AI/api/files/content'
export const THUMBNAIL_PATH = '/AI/api/files/thumbnail'

/** Address of one own file's bytes, good for a minute and for as long as the session stands. */
export function contentUrl(
  ctx: Context,
  holder: Holder,
  { id, sha256, mode }: { id: string; sha256: string; mode: 'show' | 'download' },
): string {
  // With the bytes' own number, so that a browser never shows what was there before the file was replaced.
  const claims = { kind: 'content', id, mode, bytes: sha256.slice(0, 12), ...holderClaims(holder) }
  return `${CONTENT_PATH}?${ctx.links.sign(claims, limits.linkMs)}`
}

/** Address of the small picture of an image's bytes; whoever makes it has checked that the holder may see them. */
export function thumbnailUrl(ctx: Context, holder: Holder, sha256: string): string {
  const claims = { kind: 'thumbnail', id: sha256, ...holderClaims(holder) }
  return `${THUMBNAIL_PATH}?${ctx.links.sign(claims, limits.thumbnailLinkMs)}`
}
