import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { sharing as limits } from '@neuroloom/contract/limits'
import { eq, sql } from 'drizzle-orm'
import type { Guest } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { acceptProof, verifyPassword } from '../../accounts/access.ts'
import { linkedThumbnailUrl } from '../links.ts'
import { record } from '../records/records.ts'
import { selectShown, shownEntry } from '../sharing/entries.ts'
import { links } from '../sharing/tables.ts'
import { type Bound, guess, isUsedUp, tryPassword } from '../sharing/tries.ts'
import { files } from '../tables.ts'
import { findLink, type OpenLink, passFor } from './pass.ts'
import { digest } from './share-links.ts'

/** Opens a link for whoever has its secret and, where there is one, its password. */
export async function visitLink(
  ctx: Context,
  { token, password: given, proof }: Parsed<'files/visitLink'>,
  { address }: Guest,
): Promise<Answer<'files/visitLink'>> {
  const found = await findLink(ctx, eq(links.tokenHash, digest(token)))
  if (!found) {
    await countMiss(ctx, address)
    throw fail('link_gone')
  }
  const { link, owner } = found
  const answer = { owner, needsPassword: link.passwordHash !== null, expiresAt: link.expiresAt.toISOString() }
  if (link.passwordHash !== null && given === '') return { ...answer, pass: null, entry: null }
  await requirePassword(ctx, found, { given, proof, address })
  await writeVisit(ctx, found)
  const untilMs = Math.min(ctx.now().getTime() + limits.linkVisitMs, link.expiresAt.getTime())
  return {
    ...answer,
    needsPassword: false,
    pass: passFor(ctx, link.id, untilMs),
    entry: await shownLinked(ctx, found),
  }
}

/** A secret of 192 bits is never guessed: whoever has it is not kept out by those who try. */
const countMiss = (ctx: Context, address: string) =>
  guess(
    ctx,
    [{ kind: 'linkAddress', key: address, limit: limits.linkTriesPerAddress, windowMs: limits.linkTriesMs }],
    async () => null,
  )

type Try = { given: string; proof: string | undefined; address: string }

/** Where it was wrong too often, the slider is asked for and one address is wrong once a minute; others are never kept out. */
async function requirePassword(
  ctx: Context,
  { link: { id, passwordHash } }: OpenLink,
  { given, proof, address }: Try,
): Promise<void> {
  if (passwordHash === null) return
  const windowMs = limits.linkTriesMs
  const here: Bound = { kind: 'link', key: `${id} ${address}`, limit: limits.linkTries, windowMs }
  const inAll: Bound = { kind: 'linkAll', key: id, limit: limits.linkTriesInAll, windowMs }
  const bounds = [here, inAll]
  if (await isUsedUp(ctx, bounds)) {
    const isProven =
      proof !== undefined && (await acceptProof(ctx, proof, { purpose: 'link', address })) !== null
    if (!isProven) throw fail('drag_required')
    for (const bound of bounds) bound.limit = Number.POSITIVE_INFINITY
    bounds.push({ kind: 'linkProven', key: here.key, limit: 1, windowMs: limits.linkProvenMs })
  }
  const isRight = await tryPassword(ctx, bounds, () => verifyPassword(passwordHash, given))
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
