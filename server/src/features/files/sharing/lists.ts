import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Access, Entry } from '@neuroloom/contract/files'
import { sharing as limits } from '@neuroloom/contract/limits'
import type { Share, ShareLink } from '@neuroloom/contract/sharing'
import { and, asc, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { users } from '../../accounts/tables.ts'
import * as plans from '../../plans/service.ts'
import { accessTo, requireEntry } from '../access.ts'
import { entriesOf } from '../listing.ts'
import { cursorOf, readCursor } from './entries.ts'
import { groups, type LinkRow, links, shares } from './tables.ts'

export async function listShares(
  ctx: Context,
  { id }: Parsed<'files/shares'>,
  { user }: Caller,
): Promise<Answer<'files/shares'>> {
  await requireEntry(ctx.db, user, id)
  const ofEntry = await ctx.db
    .select()
    .from(links)
    .where(and(eq(links.entryId, id), gt(links.expiresAt, ctx.now())))
    .orderBy(desc(links.createdAt))
  return {
    shares: await selectShares(ctx, eq(shares.entryId, id)),
    links: ofEntry.map(shownLink),
    accountLimit: plans.limitsOf(ctx, user).shareAccounts,
  }
}

/** One own share as its owner sees it. */
export async function shareOf(ctx: Context, { id }: SessionUser, shareId: string): Promise<Share> {
  const [share] = await selectShares(ctx, and(eq(shares.id, shareId), eq(shares.ownerId, id)))
  if (!share) throw fail('missing')
  return share
}

export async function selectShares({ db }: Context, where: SQL | undefined): Promise<Share[]> {
  const rows = await db
    .select({ share: shares, member: { nickName: users.nickName, photo: users.photo }, group: groups })
    .from(shares)
    .leftJoin(users, eq(users.id, shares.userId))
    .leftJoin(groups, eq(groups.id, shares.groupId))
    .where(where)
    .orderBy(asc(shares.sharedAt), asc(shares.id))
  return rows.map(({ share: { id, account, permission, sharedAt }, member, group }) => ({
    id,
    member: member && { ...member, account },
    group: group && { id: group.id, name: group.name },
    permission,
    sharedAt: sharedAt.toISOString(),
  }))
}

export const shownLink = (link: LinkRow): ShareLink => ({
  id: link.id,
  expiresAt: link.expiresAt.toISOString(),
  hasPassword: link.passwordHash !== null,
  createdAt: link.createdAt.toISOString(),
  opened: link.opened,
  lastOpenedAt: link.lastOpenedAt?.toISOString() ?? null,
})

export async function sharedWithMe(
  ctx: Context,
  { after }: Parsed<'files/sharedWithMe'>,
  caller: Caller,
): Promise<Answer<'files/sharedWithMe'>> {
  const { shown, next } = await sharedPage(ctx, caller, { where: eq(shares.userId, caller.user.id), after })
  return { shared: shown.map(({ ownerId: _, ...one }) => one), next }
}

/** One page of what was given, last first; what its owner removed stays out until it is back. */
export async function sharedPage(
  ctx: Context,
  caller: Caller,
  { where, after }: { where: SQL; after: string | null },
) {
  const found = await ctx.db
    .select({ share: shares, owner: users.nickName })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.ownerId))
    .where(and(where, after === null ? undefined : before(after)))
    .orderBy(desc(shares.sharedAt), desc(shares.id))
    .limit(limits.pageSize + 1)
  const page = found.slice(0, limits.pageSize)
  const ids = page.map(({ share }) => share.entryId)
  const accesses = await accessTo(ctx.db, caller.user, ids)
  const entries = await shownEntries(ctx, caller, accesses)
  const shown = page.flatMap(({ share: { id, entryId, ownerId, sharedAt }, owner }) => {
    const [entry, access] = [entries.get(entryId), accesses.get(entryId)]
    if (!entry || !access) return []
    return [{ shareId: id, entry, access, owner, ownerId, sharedAt: sharedAt.toISOString() }]
  })
  const last = page.at(-1)
  return { shown, next: found.length > page.length && last ? cursorOf(last.share) : null }
}

/** Own ones are among what a group was given. */
async function shownEntries(
  ctx: Context,
  caller: Caller,
  accesses: Map<string, Access>,
): Promise<Map<string, Entry>> {
  const shown = new Map<string, Entry>()
  for (const access of new Set(accesses.values())) {
    const ids = [...accesses].filter(([, one]) => one === access).map(([id]) => id)
    for (const entry of await entriesOf(ctx, ctx.db, { caller, ids, access })) shown.set(entry.id, entry)
  }
  return shown
}

function before(cursor: string): SQL {
  const { at, id } = readCursor(cursor)
  return sql`(${shares.sharedAt}, ${shares.id}) < (${at.toISOString()}::timestamptz, ${id})`
}
