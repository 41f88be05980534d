import type { Answer } from '@neuroloom/contract/calls'
import { burnedIn as limits } from '@neuroloom/contract/limits'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { shownOf } from './news.ts'
import { type ScanRow, textScans } from './tables.ts'

/** Two calls at once must not pass the limit together. */
export const lockScans = (tx: Tx, ownerId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`texts ${ownerId}`}, 0))`)

export async function requireTurn(tx: Tx, ownerId: string): Promise<void> {
  const [open] = await tx
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(textScans)
    .where(and(eq(textScans.ownerId, ownerId), inArray(textScans.state, ['waiting', 'running'])))
  if ((open?.count ?? 0) >= limits.waiting) throw fail('texts_waiting', { limit: limits.waiting })
}

export const queue = (ctx: Context, tx: Tx, id: string): Promise<void> =>
  ctx.jobs.send(tx, 'files.texts', { scanId: id }, { singletonKey: id })

export async function oneOf(db: Db, id: string): Promise<Answer<'files/seekTexts'>> {
  const [one] = await shownOf(db, await db.select().from(textScans).where(eq(textScans.id, id)))
  if (!one) throw fail('missing')
  return one
}

export async function begin(ctx: Context, tx: Tx, id: string, step: ScanRow['step']): Promise<void> {
  await tx
    .update(textScans)
    .set({ step, state: 'waiting', failure: null, attempts: 0, leaseUntil: null, endedAt: null })
    .where(eq(textScans.id, id))
  await queue(ctx, tx, id)
}

export const isOpen = ({ state }: ScanRow): boolean => state === 'waiting' || state === 'running'
export const isEnded = (row: ScanRow): boolean => !isOpen(row)
export const isFound = ({ step, state }: ScanRow): boolean => step === 'seek' && state === 'done'

type Own = { id: string; ownerId: string }

export async function requireScan(db: Db, { id, ownerId }: Own): Promise<ScanRow> {
  const [row] = await db
    .select()
    .from(textScans)
    .where(and(eq(textScans.id, id), eq(textScans.ownerId, ownerId)))
  if (!row) throw fail('missing')
  return row
}

/** The own search, locked, in a state that allows it. */
export async function requireIn(
  tx: Tx,
  { id, ownerId, may }: Own & { may: (row: ScanRow) => boolean },
): Promise<ScanRow> {
  const [row] = await tx
    .select()
    .from(textScans)
    .where(and(eq(textScans.id, id), eq(textScans.ownerId, ownerId)))
    .for('update')
  if (!row) throw fail('missing')
  if (!may(row)) throw fail('texts_state')
  return row
}
