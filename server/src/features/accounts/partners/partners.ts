/** Partners as administrators make and revoke them, and whom each may sign in. */
import { randomBytes } from 'node:crypto'
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { partners as limits } from '@neuroloom/contract/limits'
import { and, asc, count, eq, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { findByAccount } from '../account.ts'
import { perform } from '../members/deed.ts'
import { accountOf } from '../members/show.ts'
import { digest } from '../sign-in/link-key.ts'
import { loginKeys, type PartnerRow, partners, users } from '../tables.ts'

export async function list(ctx: Context): Promise<Answer<'partners/list'>> {
  const rows = await ctx.db.select().from(partners).orderBy(asc(partners.madeAt), asc(partners.id))
  const counted = await ctx.db
    .select({ id: users.partnerId, members: count() })
    .from(users)
    .where(isNull(users.cancelledAt))
    .groupBy(users.partnerId)
  const members = new Map(counted.map((one) => [one.id, one.members]))
  return { partners: rows.map((row) => shown(row, members.get(row.id) ?? 0)) }
}

export async function create(
  ctx: Context,
  { name }: Parsed<'partners/create'>,
  { user, address }: Caller,
): Promise<Answer<'partners/create'>> {
  const secret = drawSecret()
  const row: PartnerRow = {
    ...{ id: newId(), name, secretHash: digest(secret), madeBy: user.id },
    ...{ madeAt: ctx.now(), usedAt: null },
  }
  await ctx.db.transaction(async (tx) => {
    // Two at once could otherwise both be the last one.
    await tx.execute(sql`lock table ${partners} in share row exclusive mode`)
    if ((await tx.$count(partners)) >= limits.most) throw fail('partner_many', { most: limits.most })
    await tx.insert(partners).values(row)
    await audit(tx, { actor: user.id, action: 'partner.make', subject: `partner:${row.id}`, address })
  })
  return { partner: shown(row, 0), secret }
}

/** Links that the old secret asked for go with it. */
export async function renewSecret(
  ctx: Context,
  { id }: Parsed<'partners/secret'>,
  { user, address }: Caller,
): Promise<Answer<'partners/secret'>> {
  const secret = drawSecret()
  const row = await ctx.db.transaction(async (tx) => {
    const [changed] = await tx
      .update(partners)
      .set({ secretHash: digest(secret) })
      .where(eq(partners.id, id))
      .returning()
    if (!changed) throw fail('partner_missing')
    await tx.delete(loginKeys).where(eq(loginKeys.partnerId, id))
    await audit(tx, { actor: user.id, action: 'partner.secret', subject: `partner:${id}`, address })
    return changed
  })
  return { partner: shown(row, await ctx.db.$count(users, isMemberOf(id))), secret }
}

/** Its links go with it; its members keep their accounts and belong to none. */
export async function revoke(
  ctx: Context,
  { id }: Parsed<'partners/revoke'>,
  { user, address }: Caller,
): Promise<Answer<'partners/revoke'>> {
  await ctx.db.transaction(async (tx) => {
    const members = await tx.$count(users, isMemberOf(id))
    const gone = await tx.delete(partners).where(eq(partners.id, id)).returning({ id: partners.id })
    if (gone.length === 0) throw fail('partner_missing')
    await audit(tx, {
      ...{ actor: user.id, action: 'partner.revoke', subject: `partner:${id}`, address },
      before: { members },
    })
  })
  return {}
}

export async function members(
  ctx: Context,
  { id, page }: Parsed<'partners/members'>,
): Promise<Answer<'partners/members'>> {
  await requirePartner(ctx.db, id)
  const rows = await ctx.db
    .select()
    .from(users)
    .where(isMemberOf(id))
    .orderBy(asc(users.nickName), asc(users.id))
    .limit(limits.pageSize)
    .offset((page - 1) * limits.pageSize)
  return {
    members: rows.map((row) => ({ id: row.id, nickName: row.nickName, account: accountOf(row) })),
    total: await ctx.db.$count(users, isMemberOf(id)),
    pageSize: limits.pageSize,
  }
}

/** Whoever may ask for links does not get an administrator's rights by one, and no other partner's member. */
export async function addMember(
  ctx: Context,
  { id, account }: Parsed<'partners/addMember'>,
  by: Caller,
): Promise<Answer<'partners/addMember'>> {
  const partner = await requirePartner(ctx.db, id)
  const found = await findByAccount(ctx.db, account)
  if (!found) throw fail('account_missing')
  if (found.partnerId === id) return {}
  await perform(ctx, { by, memberId: found.id, action: 'member.partner' }, async (tx, member) => {
    if (member.role === roles.administrator) throw fail('not_allowed')
    if (member.partnerId !== null && member.partnerId !== id) throw fail('partner_elsewhere')
    await requirePartner(tx, id)
    await tx.update(users).set({ partnerId: id }).where(eq(users.id, member.id))
    return { kind: 'partner_joined', params: { partner: partner.name } }
  })
  return {}
}

export async function removeMember(
  ctx: Context,
  { id, memberId }: Parsed<'partners/removeMember'>,
  by: Caller,
): Promise<Answer<'partners/removeMember'>> {
  const partner = await requirePartner(ctx.db, id)
  await perform(ctx, { by, memberId, action: 'member.partner' }, async (tx, member) => {
    if (member.partnerId !== id) throw fail('member_missing')
    await tx.update(users).set({ partnerId: null }).where(eq(users.id, memberId))
    await tx.delete(loginKeys).where(and(eq(loginKeys.userId, memberId), eq(loginKeys.partnerId, id)))
    return { kind: 'partner_left', params: { partner: partner.name } }
  })
  return {}
}

async function requirePartner(db: Db | Tx, id: string): Promise<PartnerRow> {
  const [row] = await db.select().from(partners).where(eq(partners.id, id))
  if (!row) throw fail('partner_missing')
  return row
}

const isMemberOf = (id: string) => and(eq(users.partnerId, id), isNull(users.cancelledAt))

const SECRET_BYTES = 32
/** Known by its first letters to programs that look for secrets where none should be. */
const drawSecret = (): string => `nlp_${randomBytes(SECRET_BYTES).toString('base64url')}`

const shown = ({ id, name, madeAt, usedAt }: PartnerRow, memberCount: number) => ({
  ...{ id, name, members: memberCount },
  madeAt: madeAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
})
