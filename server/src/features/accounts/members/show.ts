import {
  type Member,
  type MemberSort,
  type MemberState,
  memberSchema,
} from '@neuroloom/contract/accounts/members'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import {
  members as limits,
  passwordTries,
  session as sessionLimits,
  signIns as signInLimits,
} from '@neuroloom/contract/limits'
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, max, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { accountMacOf } from '../account.ts'
import { levelAt, validAt } from '../level.ts'
import { latestOf, shown as shownSignIn } from '../sign-in/sign-ins.ts'
import { secondFactors, sessions, signInTries, type UserRow, users } from '../tables.ts'

declare module '../../../infra/feature.ts' {
  interface Questions {
    /** Bytes that a member keeps, for a list of members: asked in the query itself, so that it can be sorted by. */
    bytesOfMember: (userId: SQL | AnyPgColumn) => SQL
  }
}

export async function list(ctx: Context, wanted: Parsed<'members/list'>): Promise<Answer<'members/list'>> {
  const where = and(isNull(users.cancelledAt), matches(wanted.search), ...filtersOf(ctx, wanted))
  const rows = await ctx.db
    .select()
    .from(users)
    .where(where)
    .orderBy(...orderOf(ctx, wanted))
    .offset((wanted.page - 1) * limits.pageSize)
    .limit(limits.pageSize)
  const total = await ctx.db.$count(users, where)
  return { members: await shown(ctx, ctx.db, rows), total, pageSize: limits.pageSize }
}

/** Newest first. */
export async function signInsOf(
  ctx: Context,
  { id }: Parsed<'members/sessions'>,
): Promise<Answer<'members/sessions'>> {
  if ((await ctx.db.$count(users, and(eq(users.id, id), isNull(users.cancelledAt)))) === 0)
    throw fail('member_missing')
  return { items: (await latestOf(ctx.db, id).limit(signInLimits.shown)).map(shownSignIn) }
}

function filtersOf(
  ctx: Context,
  { role, level, state, hasSecondFactor }: Parsed<'members/list'>,
): (SQL | undefined)[] {
  return [
    role === null ? undefined : eq(users.role, role),
    level === null ? undefined : sql`${levelNow(ctx)} = ${level}`,
    state === null ? undefined : stateFilters[state](ctx),
    hasSecondFactor === null ? undefined : hasSecondFactor ? withFactor : sql`not ${withFactor}`,
  ]
}

const withFactor = sql`exists (
  select 1 from ${secondFactors}
  where ${secondFactors.userId} = ${users.id} and ${secondFactors.confirmedAt} is not null
)`

const stateFilters: Record<MemberState, (ctx: Context) => SQL> = {
  blocked: () => sql`${users.blockedAt} is not null`,
  waiting: () => sql`${users.mustChangePassword} and ${lastSignIn} is null`,
  signedIn: (ctx) => sql`exists (
    select 1 from ${sessions}
    where ${sessions.userId} = ${users.id} and ${sessions.endedAt} is null and ${gt(sessions.usedAt, aliveAt(ctx))}
  )`,
}

const lastSignIn = sql`(select max(${sessions.startedAt}) from ${sessions} where ${sessions.userId} = ${users.id})`

/** As `levelAt` says it, in the database. */
const levelNow = (ctx: Context): SQL => sql`case
  when ${users.vipValid} is null or ${users.vipValid} > ${ctx.now()} then ${users.vipLevel}
  else least(${users.vipLevel}, ${users.type}) end`

/** Whoever never signed in, and nobody's bytes, count as least. Equal ones keep an order, so that no page repeats one. */
function orderOf(ctx: Context, { sort, isDescending }: Parsed<'members/list'>): SQL[] {
  const [bytesOf = () => sql`null::bigint`] = ctx.told('bytesOfMember')
  const by: Record<MemberSort, SQL> = {
    made: sql`${users.createdAt}`,
    name: sql`lower(${users.nickName})`,
    account: sql`coalesce(${users.emailKey}, ${users.phoneKey})`,
    level: sql`case when ${users.vipSuper} <> 0 then 9 else ${levelNow(ctx)} end`,
    role: sql`${users.role}`,
    signedIn: lastSignIn,
    storage: bytesOf(users.id),
  }
  const direction = isDescending ? sql`desc nulls last` : sql`asc nulls first`
  return [sql`${by[sort]} ${direction}`, isDescending ? desc(users.id) : asc(users.id)]
}

const aliveAt = (ctx: Context): Date => new Date(ctx.now().getTime() - sessionLimits.idleMs)

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
  const [factors, bytes] = [await withSecondFactor(db, rows), await bytesOf(ctx, db, rows)]
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
      hasSecondFactor: factors.has(row.id),
      usedBytes: bytes.get(row.id) ?? 0,
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
  const found = await db
    .select({
      userId: sessions.userId,
      at: max(sessions.startedAt),
      isOpen: sql<boolean>`bool_or(${sessions.endedAt} is null and ${gt(sessions.usedAt, aliveAt(ctx))})`,
    })
    .from(sessions)
    .where(inArray(sessions.userId, idsOf(rows)))
    .groupBy(sessions.userId)
  return new Map(found.flatMap(({ userId, at, isOpen }) => (at ? [[userId, { at, isOpen }]] : [])))
}

async function bytesOf(ctx: Context, db: Db, rows: UserRow[]): Promise<Map<string, number>> {
  const [bytesOfMember] = ctx.told('bytesOfMember')
  if (!bytesOfMember) return new Map()
  const found = await db
    .select({ id: users.id, bytes: sql`coalesce(${bytesOfMember(users.id)}, 0)`.mapWith(Number) })
    .from(users)
    .where(inArray(users.id, idsOf(rows)))
  return new Map(found.map(({ id, bytes }) => [id, bytes]))
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
