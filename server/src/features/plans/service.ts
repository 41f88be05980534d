import type { Answer } from '@neuroloom/contract/calls'
import { canShare, dayMs, type PlanLimits, planLimits } from '@neuroloom/contract/limits'
import { count, eq, isNull, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { levelAt } from '../accounts/access.ts'
import { type UserRow, users } from '../accounts/tables.ts'
import { userStorage } from './tables.ts'

type Standing = Pick<SessionUser, 'vipLevel' | 'vipSuper'>
/** A session's member, or the row of one, whose level may have ended. */
type Levelled = Standing & Partial<Pick<UserRow, 'vipValid' | 'type'>>
type Member = Levelled & Pick<SessionUser, 'id'>

/** The level that counts: on a hospital's own server there are none, and everybody may do what super members may. */
export const standingOf = (ctx: Context, member: Levelled): Standing => ({
  vipLevel: levelAt(member, ctx.now()),
  vipSuper: ctx.config.deployment === 'private' ? 1 : member.vipSuper,
})

export const limitsOf = (ctx: Context, member: Levelled): PlanLimits =>
  planLimits(standingOf(ctx, member), ctx.planLimits.table())

export async function limits(ctx: Context): Promise<Answer<'plans/limits'>> {
  const [ordinary, bronze, silver, gold] = ctx.planLimits.table()
  return { levels: ctx.config.deployment === 'private' ? [] : [ordinary, bronze, silver, gold] }
}

/** When something removed is cleared by itself: as promised at removal, later where the level gives more days by now. */
export function clearingOf(
  ctx: Context,
  { recycledAt, clearsAt }: { recycledAt: Date | null; clearsAt: Date | null },
  owner: Levelled,
): Date {
  const days = limitsOf(ctx, owner).recycleDays
  const byLevel = (recycledAt ?? ctx.now()).getTime() + days * dayMs
  return new Date(Math.max(clearsAt?.getTime() ?? 0, byLevel))
}

/** Nothing removed after this is cleared yet: no level keeps things for less, the rest is decided for each. */
export function soonestCleared(ctx: Context): Date {
  const recycleDays = Math.min(...ctx.planLimits.table().map((level) => level.recycleDays))
  return new Date(ctx.now().getTime() - recycleDays * dayMs)
}

/** Visitors give nothing to others. */
export function requireSharer(ctx: Context, member: Levelled): void {
  if (!canShare(standingOf(ctx, member))) throw fail('upgrade_needed')
}

export async function size(ctx: Context, _body: unknown, { user }: Caller) {
  const [row] = await ctx.db.select().from(userStorage).where(eq(userStorage.userId, user.id))
  return { storageSize: row?.usedBytes ?? 0, storageLimit: limitsOf(ctx, user).storageBytes }
}

const takenBytes = sql`${userStorage.usedBytes} + ${userStorage.reservedBytes}`

/** Of files, and set aside for uploads under way. */
export async function countBytes(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ bytes: takenBytes.mapWith(Number) })
    .from(userStorage)
    .where(eq(userStorage.userId, userId))
  return row?.bytes ?? 0
}

/** Sets space aside for an upload; refuses as `storage_full` when used and reserved bytes would pass the plan's. */
export async function reserve(ctx: Context, tx: Tx, member: Member, bytes: number): Promise<void> {
  const limit = limitsOf(ctx, member).storageBytes
  await tx.insert(userStorage).values({ userId: member.id }).onConflictDoNothing()
  // One statement tests and takes, so parallel uploads can never pass the limit together.
  const fits = sql`(${limit}::bigint is null or ${takenBytes} + ${bytes} <= ${limit}::bigint)`
  const taken = await tx
    .update(userStorage)
    .set({ reservedBytes: sql`${userStorage.reservedBytes} + ${bytes}` })
    .where(sql`${userStorage.userId} = ${member.id} and ${fits}`)
    .returning({ userId: userStorage.userId })
  if (taken.length === 0) throw fail('storage_full', { limitBytes: limit ?? 0, neededBytes: bytes })
}

/** Turns reserved space into used space when an upload is complete; both may differ. */
export async function commit(
  tx: Tx,
  userId: string,
  bytes: { reservedBytes: number; usedBytes: number },
): Promise<void> {
  await tx
    .update(userStorage)
    .set({
      reservedBytes: sql`${userStorage.reservedBytes} - ${bytes.reservedBytes}`,
      usedBytes: sql`${userStorage.usedBytes} + ${bytes.usedBytes}`,
    })
    .where(eq(userStorage.userId, userId))
}

/** What the plans of all members let them store together, those aside that know no limit. */
export async function promisedBytes(ctx: Context): Promise<number> {
  const { vipLevel, vipSuper, vipValid, type } = users
  const standing = { vipLevel, vipSuper, vipValid, type }
  const levels = await ctx.db
    .select({ ...standing, members: count() })
    .from(users)
    .where(isNull(users.cancelledAt))
    .groupBy(...Object.values(standing))
  return levels.reduce(
    (sum, { members, ...level }) => sum + members * (limitsOf(ctx, level).storageBytes ?? 0),
    0,
  )
}

/** Gives reserved space back when an upload is given up. */
export async function release(tx: Tx, userId: string, reservedBytes: number): Promise<void> {
  await commit(tx, userId, { reservedBytes, usedBytes: 0 })
}

/** Gives used space back when files are deleted for good. */
export async function free(tx: Tx, userId: string, bytes: number): Promise<void> {
  await commit(tx, userId, { reservedBytes: 0, usedBytes: -bytes })
}
