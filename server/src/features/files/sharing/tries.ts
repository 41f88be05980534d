import { and, eq, gt, inArray, lt, min, sql } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { type TryKind, tries } from './tables.ts'

/** What is counted: so many wrong ones of this kind and key in so long. */
export type Bound = { kind: TryKind; key: string; limit: number; windowMs: number }

/**
 * Looks something up by what somebody may have guessed; what is not there counts. One after the other for each key, so
 * that parallel guesses cannot pass the limit together.
 */
export async function guess<T>(
  ctx: Context,
  bounds: readonly Bound[],
  look: (tx: Tx) => Promise<T | null>,
): Promise<T | null> {
  return ctx.db.transaction(async (tx) => {
    await requireLeft(ctx, tx, bounds)
    const found = await look(tx)
    if (found === null) await add(ctx, tx, bounds)
    return found
  })
}

/** The same for what takes long to look at: counted before, and forgotten when it was right. */
export async function tryPassword(
  ctx: Context,
  bounds: readonly Bound[],
  matches: () => Promise<boolean>,
): Promise<boolean> {
  const ids = await ctx.db.transaction(async (tx) => {
    await requireLeft(ctx, tx, bounds)
    return add(ctx, tx, bounds)
  })
  // A password that could not be looked at ('busy') was no wrong one.
  const isRight = await matches().catch(async (error: unknown) => {
    await forget(ctx, ids)
    throw error
  })
  if (isRight) await forget(ctx, ids)
  return isRight
}

/** Whether one of these has no tries left. */
export async function isUsedUp(ctx: Context, bounds: readonly Bound[]): Promise<boolean> {
  for (const bound of bounds) if ((await waitMs(ctx, ctx.db, bound)) > 0) return true
  return false
}

/** Those that no limit counts any more. */
export async function sweepTries(ctx: Context, keptMs: number): Promise<void> {
  await ctx.db.delete(tries).where(lt(tries.at, new Date(ctx.now().getTime() - keptMs)))
}

async function requireLeft(ctx: Context, tx: Tx, bounds: readonly Bound[]): Promise<void> {
  const inOrder = bounds.map(({ kind, key }) => `try ${kind} ${key}`).sort()
  for (const name of inOrder) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
  }
  for (const bound of bounds) {
    const ms = await waitMs(ctx, tx, bound)
    if (ms > 0) throw fail('tries_wait', { minutes: Math.ceil(ms / MINUTE_MS) })
  }
}

/** Until the first of them is forgotten; 0 = there are some left. */
async function waitMs(ctx: Context, db: Db | Tx, { kind, key, limit, windowMs }: Bound): Promise<number> {
  const now = ctx.now().getTime()
  const since = new Date(now - windowMs)
  const [row] = await db
    .select({ count: sql`count(*)`.mapWith(Number), first: min(tries.at) })
    .from(tries)
    .where(and(eq(tries.kind, kind), eq(tries.key, key), gt(tries.at, since)))
  return !row?.first || row.count < limit ? 0 : row.first.getTime() + windowMs - now
}

const MINUTE_MS = 60_000

async function add(ctx: Context, tx: Tx, bounds: readonly Bound[]): Promise<number[]> {
  const at = ctx.now()
  const rows = await tx
    .insert(tries)
    .values(bounds.map(({ kind, key }) => ({ kind, key, at })))
    .returning({ id: tries.id })
  return rows.map(({ id }) => id)
}

const forget = ({ db }: Context, ids: readonly number[]) =>
  db.delete(tries).where(inArray(tries.id, [...ids]))
