import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { labelExchange as limits } from '@neuroloom/contract/limits'
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { type ExchangeRow, labelExchanges } from './tables.ts'

/** Given up, or taken over by somebody else. */
export class LostExchange extends Error {}

/** Where files lie while they are written, one folder an attempt. */
const exchangeFolder = (ctx: Context): string => join(ctx.storage.stagingFolder, 'exchanges')
export const attemptFolder = (ctx: Context, { id, attempts }: ExchangeRow): string =>
  join(exchangeFolder(ctx), `${id}.${attempts}`)

const open = ['looking', 'working'] as const
const isOpen = inArray(labelExchanges.state, [...open])
const leaseFrom = (now: Date): Date => new Date(now.getTime() + limits.leaseMs)
const isFree = (now: Date) =>
  and(isOpen, or(isNull(labelExchanges.leaseUntil), lt(labelExchanges.leaseUntil, now)))
const isMine = ({ id, attempts }: ExchangeRow) =>
  and(eq(labelExchanges.id, id), eq(labelExchanges.attempts, attempts), isOpen)

/** The work, if nobody else is at it. */
export async function claim(ctx: Context, id: string): Promise<ExchangeRow | null> {
  const now = ctx.now()
  const [row] = await ctx.db
    .update(labelExchanges)
    .set({ leaseUntil: leaseFrom(now), attempts: sql`${labelExchanges.attempts} + 1` })
    .where(and(eq(labelExchanges.id, id), isFree(now)))
    .returning()
  return row ?? null
}

/** Writes to the row only while the attempt is still the one that holds it. */
export async function update(db: Db, row: ExchangeRow, changes: Partial<ExchangeRow>): Promise<void> {
  const changed = await db
    .update(labelExchanges)
    .set(changes)
    .where(isMine(row))
    .returning({ id: labelExchanges.id })
  if (changed.length === 0) throw new LostExchange(row.id)
}

/** Renews the lease until it is called off. */
export function keepLease(ctx: Context, row: ExchangeRow): () => void {
  const timer = setInterval(() => {
    update(ctx.db, row, { leaseUntil: leaseFrom(ctx.now()) }).catch((error: unknown) => {
      if (!(error instanceof LostExchange)) ctx.log.warn({ err: error }, 'a lease for labels was not renewed')
    })
  }, limits.leaseMs / 4)
  return () => clearInterval(timer)
}

/** Queues what nobody works at any more, and clears folders of attempts that ended. */
export async function recover(ctx: Context): Promise<void> {
  const rows = await ctx.db.select({ id: labelExchanges.id }).from(labelExchanges).where(isFree(ctx.now()))
  for (const { id } of rows)
    await ctx.jobs.send(null, 'labelling.exchange', { exchangeId: id }, { singletonKey: id })
  // Before the rows are read: an attempt that begins in between is not seen as a leftover.
  const folders = await readdir(exchangeFolder(ctx)).catch(() => [])
  const working = await ctx.db.select().from(labelExchanges).where(isOpen)
  const inUse = new Set(working.map((row) => attemptFolder(ctx, row)))
  for (const path of folders.map((name) => join(exchangeFolder(ctx), name)))
    if (!inUse.has(path)) await rm(path, { recursive: true, force: true })
}

export const forgetExchanges = (ctx: Context) =>
  ctx.db
    .delete(labelExchanges)
    .where(
      and(lt(labelExchanges.createdAt, new Date(ctx.now().getTime() - limits.keepMs)), sql`not ${isOpen}`),
    )
