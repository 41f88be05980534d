/** The sample images of a training at some of its epochs: a page looks through them like a film. */
import { training } from '@neuroloom/contract/limits'
import { and, asc, eq, ne } from 'drizzle-orm'
import type { Db, Tx } from '../../../infra/db.ts'
import { runPreviews } from '../tables.ts'
import { type Picture, replacePictures } from './outputs.ts'

type PreviewRow = typeof runPreviews.$inferSelect

/** In order. */
export async function previewEpochsOf(db: Db | Tx, runId: string): Promise<number[]> {
  const rows = await db
    .select({ epoch: runPreviews.epoch })
    .from(runPreviews)
    .where(eq(runPreviews.runId, runId))
    .orderBy(asc(runPreviews.epoch))
  return rows.map(({ epoch }) => epoch)
}

export async function previewItemsAt(
  db: Db,
  runId: string,
  epoch: number,
): Promise<PreviewRow['items'] | null> {
  const [row] = await db
    .select({ items: runPreviews.items })
    .from(runPreviews)
    .where(and(eq(runPreviews.runId, runId), eq(runPreviews.epoch, epoch)))
  return row?.items ?? null
}

/** Of one fold: another one shows other images, which are no film of one learning. */
export async function keepPreview(tx: Tx, preview: PreviewRow, pictures: Picture[]): Promise<void> {
  const { runId, fold, epoch, items } = preview
  const others = await tx
    .select({ epoch: runPreviews.epoch })
    .from(runPreviews)
    .where(and(eq(runPreviews.runId, runId), ne(runPreviews.fold, fold)))
  for (const other of others) await drop(tx, runId, other.epoch)
  await tx
    .insert(runPreviews)
    .values(preview)
    // An epoch that an interrupted attempt had finished after its last checkpoint comes again.
    .onConflictDoUpdate({ target: [runPreviews.runId, runPreviews.epoch], set: { fold, items } })
  await replacePictures(tx, runId, `epoch/${epoch}`, pictures)
  const dropped = sparedEpoch(await previewEpochsOf(tx, runId), training.previewEpochs)
  if (dropped !== null) await drop(tx, runId, dropped)
}

async function drop(tx: Tx, runId: string, epoch: number): Promise<void> {
  await tx.delete(runPreviews).where(and(eq(runPreviews.runId, runId), eq(runPreviews.epoch, epoch)))
  await replacePictures(tx, runId, `epoch/${epoch}`, [])
}

/**
 * Which of too many epochs goes: neither the first nor the last, but the one whose neighbours lie nearest to each other,
 * so that what is kept stays spread over the whole training. Null while there is room. Pure.
 */
export function sparedEpoch(epochs: readonly number[], most: number): number | null {
  if (epochs.length <= most) return null
  const inner = epochs.slice(1, -1)
  const gapOf = (index: number): number => (epochs[index + 2] ?? 0) - (epochs[index] ?? 0)
  const narrowest = inner.reduce((best, _, index) => (gapOf(index) < gapOf(best) ? index : best), 0)
  return inner[narrowest] ?? null
}
