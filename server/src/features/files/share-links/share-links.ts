import { createHash, randomBytes } from 'node:crypto'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { dayMs, sharing as limits } from '@neuroloom/contract/limits'
import { and, eq, gt } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { newId } from '../../../infra/ids.ts'
import { hashPassword } from '../../accounts/access.ts'
import { requireRoomToShare } from '../../plans/access.ts'
import * as plans from '../../plans/service.ts'
import { requireEntry } from '../access.ts'
import { requireWord } from '../patients/patients.ts'
import { record } from '../records/records.ts'
import { accessChanged } from '../sending.ts'
import { shownLink } from '../sharing/lists.ts'
import { links } from '../sharing/tables.ts'
import { files } from '../tables.ts'
import { lockCloud } from '../tree.ts'

/** The secret is told here and nowhere else: only its digest is kept. */
export async function createLink(
  ctx: Context,
  { id, days, password: chosen, withPatients }: Parsed<'files/createLink'>,
  { user }: Caller,
): Promise<Answer<'files/createLink'>> {
  plans.requireSharer(ctx, user)
  await requireEntry(ctx.db, user, id)
  await requireWord(ctx, [id], { withPatients })
  const token = randomBytes(limits.linkTokenBytes).toString('base64url')
  const passwordHash = chosen === null ? null : await hashPassword(chosen)
  const link = await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    const entry = await requireEntry(tx, user, id)
    const standing = await tx.$count(links, and(eq(links.entryId, id), gt(links.expiresAt, ctx.now())))
    if (standing >= limits.linksPerEntry) throw fail('link_limit', { limit: limits.linksPerEntry })
    const [made] = await tx
      .insert(links)
      .values({
        id: newId(),
        entryId: id,
        ownerId: user.id,
        tokenHash: digest(token),
        passwordHash,
        withPatients,
        createdAt: ctx.now(),
        expiresAt: new Date(ctx.now().getTime() + days * dayMs),
      })
      .returning()
    if (!made) throw new Error('An insert answered without its row')
    await requireRoomToShare(ctx, tx, { ownerId: user.id, id })
    await record(ctx, tx, [{ action: 'share', actorId: user.id, entry, detail: { with: 'link', days } }])
    return made
  })
  return { link: shownLink(link), token }
}

export async function revokeLink(
  ctx: Context,
  { linkId }: Parsed<'files/revokeLink'>,
  { user }: Caller,
): Promise<Answer<'files/revokeLink'>> {
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    const [revoked] = await tx
      .delete(links)
      .where(and(eq(links.id, linkId), eq(links.ownerId, user.id)))
      .returning()
    if (!revoked) throw fail('missing')
    await accessChanged(tx, [user.id])
    const [entry] = await tx.select().from(files).where(eq(files.id, revoked.entryId))
    if (entry)
      await record(ctx, tx, [{ action: 'unshare', actorId: user.id, entry, detail: { with: 'link' } }])
  })
  return {}
}

export const digest = (token: string): string => createHash('sha256').update(token).digest('hex')
