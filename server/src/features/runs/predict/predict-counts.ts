/** Figures over all images of a prediction, which its row keeps beside those that the engine counts. */
import { boxesCount } from '@neuroloom/contract/decision'
import type { ItemResult } from '@neuroloom/contract/engine'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { readStored } from '../manifests.ts'
import { divide } from '../split.ts'
import { isLearnedRow, type RunRow, runInputs, runs } from '../tables.ts'

/** `images`: SHA-256 of each image by the id of its item. */
export async function countsOfPrediction(
  ctx: Context,
  run: RunRow,
  { items, images }: { items: readonly ItemResult[]; images: ReadonlyMap<string, string> },
): Promise<Record<string, number>> {
  const learned = await learnedImages(ctx, run)
  const known = items.filter(({ id }) => learned.has(images.get(id) ?? ''))
  return { learned: known.length, ...(run.task === 'detection' ? boxTotals(run.classes, items) : {}) }
}

/** How sure the network is of its least sure box that counts; null of an image without one. */
export function leastSureBox({ boxes, values }: ItemResult): number | null {
  return boxes?.found.slice(0, values.found ?? 0).at(-1)?.score ?? null
}

/** How many boxes that count were found of each class, by `boxesCount`. */
export function boxTotals(classes: readonly string[], items: readonly ItemResult[]): Record<string, number> {
  return Object.fromEntries(
    classes.map((_, index) => {
      const name = boxesCount(index)
      return [name, items.reduce((total, { values }) => total + (values[name] ?? 0), 0)]
    }),
  )
}

/** Images that the training learned from or chose its epoch with; in a cross-validation, all that it had. */
async function learnedImages(ctx: Context, { parentId }: RunRow): Promise<ReadonlySet<string>> {
  if (parentId === null) return new Set()
  const [training] = await ctx.db
    .select({ run: runs, manifestSha256: runInputs.manifestSha256 })
    .from(runInputs)
    .innerJoin(runs, eq(runs.id, runInputs.runId))
    .where(eq(runInputs.runId, parentId))
  if (!training || !isLearnedRow(training.run)) return new Set()
  // A finished prediction is worth more than this note on it.
  const stored = await readStored(ctx, training.manifestSha256).catch(() => null)
  if (stored === null) return new Set()
  const { items } = stored
  const { validation } = training.run
  if (validation.method === 'kfold') return new Set(items.map(({ image }) => image))
  const { train, validation: chosenWith } = divide(items, validation)
  return new Set([...train, ...chosenWith].flatMap((index) => items[index]?.image ?? []))
}
