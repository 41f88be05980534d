/**
 * By what time things are due that are deleted for good: the only place that decides it. A clock that jumps ahead makes
 * nothing due until an administrator has confirmed it; one that goes back makes nothing due early.
 */
import { due as limits } from '@neuroloom/contract/limits'
import { type SQL, sql } from 'drizzle-orm'
import { alarm } from './alarm.ts'
import type { Context } from './context.ts'
import type { Db, Tx } from './db.ts'
import { clock } from './due-tables.ts'

/** In a statement: the database's clock, one for all processes, as exact as our own times. */
export const databaseClock = (): SQL<Date> => sql`date_trunc('milliseconds', clock_timestamp())`

export async function databaseNow(
  { databaseClock: clockOf }: Pick<Context, 'databaseClock'>,
  db: Db,
): Promise<Date> {
  const { rows } = await db.execute<{ ms: string }>(sql`select extract(epoch from ${clockOf()}) * 1000 as ms`)
  return new Date(Number(rows[0]?.ms))
}

/** Does the work with a context whose clock is the time by which things are due; not at all while the clock is in doubt. */
export async function whenDue<C extends Context>(ctx: C, work: (ctx: C) => Promise<unknown>): Promise<void> {
  const time = await dueTime(ctx)
  if (time) await work({ ...ctx, now: () => time })
}

/** Null: the clock jumped, and nobody has confirmed it. */
async function dueTime(ctx: Context): Promise<Date | null> {
  return ctx.db.transaction(async (tx) => {
    const { newest, jumpedTo } = await seen(tx)
    const now = await databaseNow(ctx, tx)
    if (now.getTime() - newest.getTime() > limits.jumpMs) {
      if (jumpedTo === null) await pause(ctx, tx, { newest, now })
      return null
    }
    await tx.update(clock).set({ newest: later(newest, now), jumpedTo: null })
    // What was stamped by this machine's clock is judged by it too, where it is behind.
    return earlier(now, ctx.now())
  })
}

async function pause(ctx: Context, tx: Tx, { newest, now }: { newest: Date; now: Date }): Promise<void> {
  await tx.update(clock).set({ jumpedTo: now })
  const params = { from: minute(newest), to: minute(now) }
  ctx.log.warn(
    params,
    'the clock jumped ahead: nothing is deleted by its age until an administrator confirms',
  )
  await alarm(ctx, tx, { kind: 'clock_jumped', params })
}

/** The time from which days in the recycle station count: never before what was seen already. */
export async function latestTime(ctx: Context, db: Db): Promise<Date> {
  const [row] = await db.select().from(clock)
  const now = await databaseNow(ctx, db)
  return row ? later(row.newest, now) : now
}

export type ClockState = { newest: Date; now: Date; isInDoubt: boolean }

export async function clockState(ctx: Pick<Context, 'db' | 'databaseClock'>): Promise<ClockState> {
  const [row] = await ctx.db.select().from(clock)
  const now = await databaseNow(ctx, ctx.db)
  const newest = row?.newest ?? now
  return { newest, now, isInDoubt: now.getTime() - newest.getTime() > limits.jumpMs }
}

/** An administrator's word that the time is right. */
export async function confirmClock(ctx: Pick<Context, 'databaseClock'>, tx: Tx): Promise<void> {
  const { newest } = await seen(tx)
  await tx.update(clock).set({ newest: later(newest, await databaseNow(ctx, tx)), jumpedTo: null })
}

async function seen(tx: Tx): Promise<typeof clock.$inferSelect> {
  const [row] = await tx.select().from(clock).for('update')
  if (!row) throw new Error('The row of the clock is gone')
  return row
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)
const earlier = (one: Date, other: Date): Date => (one < other ? one : other)
/** `2026-03-29 01:00 UTC` */
const minute = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
