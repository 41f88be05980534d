/**
 * Work in a table that one worker at a time does: its rows have a key (`id`), `state`, `attempts` and `lease_until`. Whoever takes
 * one writes under the number of its attempt, until somebody else does. Knows no feature.
 */
import { sql } from 'drizzle-orm'
import type { Context } from './context.ts'
import type { Db } from './db.ts'

/** Given up, or taken over by somebody else. */
export class LostLease extends Error {}

type Held = { id: string; attempts: number }
export type Leases = {
  /** The work, if nobody else is at it. */
  claim(db: Db, id: string, now: Date): Promise<boolean>
  /** Fails when it is no longer this attempt's; holds the row, so that nobody takes it before the transaction ends. */
  hold(db: Db, held: Held): Promise<void>
  /** Renews the lease, and says when the work was given up. */
  keep(ctx: Context, held: Held): { signal: AbortSignal; letGo: () => void }
  /** What nobody works at any more, or yet. */
  free(db: Db, now: Date): Promise<string[]>
}

type Options = {
  table: string
  /** Where it is not `id`. */
  key?: string
  /** The state of what is under way; `waiting` is that of what is not. */
  working: string
  leaseMs: number
  watchMs: number
}

export function leasesOf({ table, key = 'id', working, leaseMs, watchMs }: Options): Leases {
  const [rows, id] = [sql.identifier(table), sql.identifier(key)]
  const leaseFrom = (now: Date): Date => new Date(now.getTime() + leaseMs)
  const isFree = (now: Date) =>
    sql`(state = 'waiting' or (state = ${working} and lease_until < ${now.toISOString()}::timestamptz))`
  const isMine = ({ id: own, attempts }: Held) =>
    sql`${id} = ${own} and attempts = ${attempts} and state = ${working}`
  return {
    async claim(db, wanted, now) {
      const { rowCount } = await db.execute(sql`
        update ${rows}
        set state = ${working}, lease_until = ${leaseFrom(now).toISOString()}::timestamptz, attempts = attempts + 1
        where ${id} = ${wanted} and ${isFree(now)}`)
      return rowCount === 1
    },
    async hold(db, held) {
      const found = await db.execute(sql`select 1 from ${rows} where ${isMine(held)} for update`)
      if (found.rows.length === 0) throw new LostLease(held.id)
    },
    keep(ctx, held) {
      const given = new AbortController()
      const look = async (): Promise<void> => {
        const { rowCount } = await ctx.db.execute(sql`
          update ${rows} set lease_until = ${leaseFrom(ctx.now()).toISOString()}::timestamptz where ${isMine(held)}`)
        if (rowCount === 0) given.abort(new LostLease(held.id))
      }
      const timer = setInterval(() => {
        look().catch((error: unknown) => ctx.log.warn({ err: error, table }, 'a lease was not renewed'))
      }, watchMs)
      return { signal: given.signal, letGo: () => clearInterval(timer) }
    },
    async free(db, now) {
      const found = await db.execute<{ id: string }>(
        sql`select ${id} as id from ${rows} where ${isFree(now)}`,
      )
      return found.rows.map((row) => row.id)
    },
  }
}
