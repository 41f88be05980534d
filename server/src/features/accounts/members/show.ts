import { type Member, memberSchema } from '@neuroloom/contract/accounts/members'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { members as limits, passwordTries, session as sessionLimits } from '@neuroloom/contract/limits'
import { and, count, desc, eq, gt, inArray, isNotNull, isNull, max, type SQL, sql } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { accountMacOf } from '../account.ts'
import { levelAt, validAt } from '../level.ts'
import { secondFactors, sessions, signInTries, type UserRow, users } from '../tables.ts'

type Wanted = Pick<Parsed<'members/list'>, 'search' | 'role' | 'page'>

export async function list(ctx: Context, wanted: Wanted): Promise<Answer<'members/list'>> {
  const where = and(
    isNull(users.cancelledAt),
    wanted.role === null ? undefined : eq(users.role, wanted.role),
    matches(wanted.search),
  )
  const rows = await ctx.db
    .select()
    .from(users)
    .where(where)
    .orderBy(desc(users.createdAt), desc(users.id))
    .offset((wanted.page - 1) * limits.pageSize)
    .limit(limits.pageSize)
  const total = await ctx.db.$count(users, where)
  return { members: await shown(ctx, ctx.db, rows), total, pageSize: limits.pageSize }
}

/** One member as it is now. */
export async function memberOf(ctx: Context, db: Db, id: string): Promise<Member> {
  const rows = await db.select().from(users).where(eq(users.id, id))
  const [member] = await shown(ctx, db, rows)
  if (!member) throw fail('member_missing')
  return member
}

/** What people call a member by: names, the sign-in, the institution. A number may be typed as people write it. */
function matches(search: string): SQL | undefined {
  const text = search.normalize('NFC').trim().toLowerCase()
  if (text === '') return undefined
  const { nickName, name, surname, organ, emailKey, phoneKey } = users
  const known = sql`lower(concat_ws(' ', ${nickName}, ${name}, ${surname}, ${name}, ${organ}, ${emailKey}))`
  const digits = text.replace(/[\s().+-]/g, '')
  const isNumber = /^\d{3,}$/.test(digits)
  return sql`(strpos(${known}, ${text}) > 0 or (${isNumber} and strpos(coalesce(${phoneKey}, ''), ${digits}) > 0))`
}

async function shown(ctx: Context, db: Db, rows: UserRow[]): Promise<Member[]> {
  if (rows.length === 0) return []
  const [sessionOf, wrong] = [await sessionsOf(ctx, db, rows), await wrongOf(ctx, db, rows)]
  const withFactor = await withSecondFactor(db, rows)
  return rows.map((row) =>
    memberSchema.parse({
      id: row.id,
      account: accountOf(row),
      nickName: row.nickName,
      name: `${row.name} ${row.surname}`.trim(),
      organ: row.organ,
      role: row.role,
      vipLevel: levelAt(row, ctx.now()),
      vipValid: validAt(row, ctx.now())?.toISOString() ?? null,
      isSuper: row.vipSuper !== 0,
      createdAt: row.createdAt.toISOString(),
      signedInAt: sessionOf.get(row.id)?.at.toISOString() ?? null,
      isSignedIn: sessionOf.get(row.id)?.isOpen ?? false,
      isBlocked: row.blockedAt !== null,
      hasSecondFactor: withFactor.has(row.id),
      wrongPasswords: wrong.get(accountMacOf(ctx, row)) ?? 0,
    } satisfies Record<keyof Member, unknown>),
  )
}

/** What the member types to sign in. */
export const accountOf = ({ emailKey, phoneKey }: Pick<UserRow, 'emailKey' | 'phoneKey'>): string =>
  emailKey ?? `+${phoneKey ?? ''}`

async function sessionsOf(
  ctx: Context,
  db: Db,
  rows: UserRow[],
): Promise<Map<string, { at: Date; isOpen: boolean }>> {
  const alive = new Date(ctx.now().getTime() - sessionLimits.idleMs)
  const found = await db
    .select({
      userId: sessions.userId,
      at: max(sessions.startedAt),
      isOpen: sql<boolean>`bool_or(${sessions.endedAt} is null and ${gt(sessions.usedAt, alive)})`,
    })
    .from(sessions)
    .where(inArray(sessions.userId, idsOf(rows)))
    .groupBy(sessions.userId)
  return new Map(found.flatMap(({ userId, at, isOpen }) => (at ? [[userId, { at, isOpen }]] : [])))
}

async function withSecondFactor(db: Db, rows: UserRow[]): Promise<Set<string>> {
  const found = await db
    .select({ userId: secondFactors.userId })
    .from(secondFactors)
    .where(and(inArray(secondFactors.userId, idsOf(rows)), isNotNull(secondFactors.confirmedAt)))
  return new Set(found.map(({ userId }) => userId))
}

async function wrongOf(ctx: Context, db: Db, rows: UserRow[]): Promise<Map<string, number>> {
  const macs = rows.map((row) => accountMacOf(ctx, row))
  const since = new Date(ctx.now().getTime() - passwordTries.windowMs)
  const found = await db
    .select({ mac: signInTries.accountMac, tries: count() })
    .from(signInTries)
    .where(
      and(
        inArray(signInTries.accountMac, macs),
        inArray(signInTries.kind, ['password', 'device', 'code', 'device_code']),
        gt(signInTries.at, since),
      ),
    )
    .groupBy(signInTries.accountMac)
  return new Map(found.map(({ mac, tries }) => [mac, tries]))
}

const idsOf = (rows: UserRow[]): string[] => rows.map(({ id }) => id)
