import { files as limits } from '@neuroloom/contract/limits'
import type { Context } from '../../infra/context.ts'
import { type Holder, holderClaims } from '../accounts/access.ts'
import type { ShownBy } from './thumbnail-rights.ts'

export const CONTENT_PATH = '/AI/api/files/content'
export const THUMBNAIL_PATH = '/AI/api/files/thumbnail'
export const LINKED_PATH = '/AI/api/files/linked'
export const LINKED_ZIP_PATH = '/AI/api/files/linkedZip'
export const LINKED_THUMBNAIL_PATH = '/AI/api/files/linkedThumbnail'

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

/**
 * Address of the small picture of an image's bytes; whoever makes it has checked that the holder may see them. With what
 * shows them, it ends with the holder's right to that.
 */
export function thumbnailUrl(ctx: Context, holder: Holder, sha256: string, shownBy?: ShownBy): string {
  const by = shownBy ? { by: shownBy.as, of: shownBy.id } : {}
  const claims = { kind: 'thumbnail', id: sha256, ...by, ...holderClaims(holder) }
  return `${THUMBNAIL_PATH}?${ctx.links.sign(claims, limits.thumbnailLinkMs)}`
}

/** The same for visitors of a share link; these addresses end with the link. */
export function linkedUrl(
  ctx: Context,
  linkId: string,
  { id, sha256, mode }: { id: string; sha256: string; mode: 'show' | 'download' },
): string {
  const claims = { kind: 'linked', id, mode, bytes: sha256.slice(0, 12), userId: linkId }
  return `${LINKED_PATH}?${ctx.links.sign(claims, limits.linkMs)}`
}

/** Of a folder behind a share link. */
export function linkedZipUrl(ctx: Context, linkId: string, id: string): string {
  return `${LINKED_ZIP_PATH}?${ctx.links.sign({ kind: 'linkedZip', id, userId: linkId }, limits.linkMs)}`
}

export function linkedThumbnailUrl(ctx: Context, linkId: string, sha256: string, fileId: string): string {
  const claims = { kind: 'linkedThumbnail', id: sha256, file: fileId, userId: linkId }
  return `${LINKED_THUMBNAIL_PATH}?${ctx.links.sign(claims, limits.thumbnailLinkMs)}`
}
