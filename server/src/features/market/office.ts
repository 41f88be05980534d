/** Demands as administrators see them, those with a dispute first of all. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { market as limits } from '@neuroloom/contract/limits'
import type { OfficeDemand } from '@neuroloom/contract/market/office'
import { desc, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { type Member, partOf } from './access.ts'
import { cardsOf, contentOf } from './show.ts'
import { type DemandRow, demands } from './tables.ts'

export async function list(
  ctx: Context,
  { state, page }: Parsed<'office/demands'>,
  { user }: Caller,
): Promise<Answer<'office/demands'>> {
  const where = state === null ? undefined : eq(demands.state, state)
  const rows = await ctx.db
    .select()
    .from(demands)
    .where(where)
    .orderBy(desc(demands.createdAt), desc(demands.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    demands: await officeShown(ctx.db, rows, user),
    total: await ctx.db.$count(demands, where),
    pageSize: limits.page,
  }
}

export async function officeShownById(ctx: Context, user: Member, id: string): Promise<OfficeDemand> {
  const rows = await ctx.db.select().from(demands).where(eq(demands.id, id))
  const [one] = await officeShown(ctx.db, rows, user)
  if (!one) throw fail('demand_missing')
  return one
}

async function officeShown(db: Db, rows: readonly DemandRow[], viewer: Member): Promise<OfficeDemand[]> {
  const cards = await cardsOf(db, rows, viewer)
  const accounts = await accountsOf(
    db,
    rows.flatMap(({ ownerId, providerId }) => [ownerId, providerId ?? '']),
  )
  const found: OfficeDemand[] = []
  for (const [place, row] of rows.entries()) {
    const card = cards[place]
    if (!card) continue
    const { isOwn: _, hasOffered: __, ...shown } = card
    found.push({
      ...shown,
      ...(await contentOf(db, row, viewer, true)),
      ownerAccount: accounts.get(row.ownerId) ?? '',
      providerAccount: accounts.get(row.providerId ?? '') ?? '',
      isParty: partOf(row, viewer) !== null,
    })
  }
  return found
}

/** The names to sign in with, of accounts that are there. */
async function accountsOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: users.id, email: users.emailKey, phone: users.phoneKey })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, email, phone }) => [id, email ?? phone ?? '']))
}
