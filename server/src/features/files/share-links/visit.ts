import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { sharing as limits } from '@neuroloom/contract/limits'
import { eq, sql } from 'drizzle-orm'
import type { Guest } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { verifyPassword } from '../../accounts/access.ts'
import { linkedThumbnailUrl } from '../links.ts'
import { record } from '../records/records.ts'
import { selectShown, shownEntry } from '../sharing/entries.ts'
import { links } from '../sharing/tables.ts'
import { type Bound, guess, tryPassword } from '../sharing/tries.ts'
import { files } from '../tables.ts'
import { findLink, type OpenLink, passFor } from './pass.ts'
import { digest } from './share-links.ts'

/** Opens a link for whoever has its secret and, where there is one, its password. */
export async function visitLink(
  ctx: Context,
  { token, password: given }: Parsed<'files/visitLink'>,
  { address }: Guest,
): Promise<Answer<'files/visitLink'>> {
  const ofAddress = {
    kind: 'linkAddress',
    key: address,
    limit: limits.linkTriesPerAddress,
    windowMs: limits.linkTriesMs,
  } as const
  const found = await guess(ctx, [ofAddress], (tx) =>
    findLink({ ...ctx, db: tx }, eq(links.tokenHash, digest(token))),
  )
  if (!found) throw fail('link_gone')
  const { link, owner } = found
  const answer = { owner, needsPassword: link.passwordHash !== null, expiresAt: link.expiresAt.toISOString() }
  if (link.passwordHash !== null && given === '') return { ...answer, pass: null, entry: null }
  await requirePassword(ctx, found, { given, ofAddress })
  await writeVisit(ctx, found)
  const untilMs = Math.min(ctx.now().getTime() + limits.linkVisitMs, link.expiresAt.getTime())
  return {
    ...answer,
    needsPassword: false,
    pass: passFor(ctx, link.id, untilMs),
    entry: await shownLinked(ctx, found),
  }
}

async function requirePassword(
  ctx: Context,
  { link: { id, passwordHash } }: OpenLink,
  { given, ofAddress }: { given: string; ofAddress: Bound },
): Promise<void> {
  if (passwordHash === null) return
  const ofLink = {
    kind: 'link',
    key: id,
    limit: limits.linkTries,
    windowMs: limits.linkTriesMs,
  } as const
  const isRight = await tryPassword(ctx, [ofLink, ofAddress], () => verifyPassword(passwordHash, given))
  if (!isRight) throw fail('access_password_wrong')
}

/** Every visit counts; not every one is worth a record of its own. */
async function writeVisit(ctx: Context, { link, entry }: OpenLink): Promise<void> {
  const now = ctx.now()
  await ctx.db.transaction(async (tx) => {
    const [before] = await tx
      .select({ lastOpenedAt: links.lastOpenedAt })
      .from(links)
      .where(eq(links.id, link.id))
      .for('update')
    // Revoked at this very moment: the pass will open nothing.
    if (!before) return
    await tx
      .update(links)
      .set({ opened: sql`${links.opened} + 1`, lastOpenedAt: now })
      .where(eq(links.id, link.id))
    const sinceMs = now.getTime() - (before.lastOpenedAt?.getTime() ?? 0)
    if (sinceMs >= limits.linkRecordMs) await record(ctx, tx, [{ action: 'openLink', actorId: null, entry }])
  })
}

async function shownLinked(ctx: Context, { link, entry }: OpenLink) {
  const [row] = await selectShown(ctx.db, { where: eq(files.id, entry.id), limit: 1 })
  if (!row) throw fail('link_gone')
  return shownEntry(row, row.picture && linkedThumbnailUrl(ctx, link.id, row.picture, row.id))
}
