import { datasets as limits } from '@neuroloom/contract/limits'
import type { Task } from '@neuroloom/contract/task'
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import type { Assembled, Item, Look } from './recognise/shapes.ts'
import {
  type DatasetRow,
  datasetDoubles,
  datasetItems,
  datasetParts,
  datasetProblems,
  datasets,
} from './tables.ts'

export type Outcome = {
  contentHash: string
  totalFiles: number
  task: Task | null
  layout: DatasetRow['layout']
  failure: DatasetRow['failure']
  found: Pick<
    Assembled,
    'items' | 'problems' | 'classes' | 'maskValues' | 'channels' | 'factor' | 'facts' | 'doubles'
  >
  sha256: Look['sha256']
}

/** Writes everything that was found, at once; a second look at the same data set that ends later changes nothing. */
export async function store(ctx: Context, datasetId: string, outcome: Outcome): Promise<void> {
  const { failure, found } = outcome
  await ctx.db.transaction(async (tx) => {
    const [open] = await tx
      .update(datasets)
      .set({
        state: failure === null ? 'ready' : 'failed',
        failure,
        task: outcome.task,
        layout: outcome.layout,
        contentHash: outcome.contentHash,
        totalFiles: outcome.totalFiles,
        doneFiles: outcome.totalFiles,
        classes: found.classes,
        maskValues: found.maskValues,
        channels: found.channels,
        factor: found.factor,
        facts: found.facts,
        problemCount: found.problems.length,
        checkedAt: ctx.now(),
      })
      .where(and(eq(datasets.id, datasetId), eq(datasets.state, 'checking')))
      .returning({ id: datasets.id })
    if (!open) return
    if (failure === null) await insertItems(tx, datasetId, outcome)
    await insertProblems(tx, datasetId, found.problems)
    await ctx.live.publish(tx, { kind: 'dataset', id: datasetId }, 'changed', {})
  })
}

async function insertItems(tx: Tx, datasetId: string, { found, sha256 }: Outcome): Promise<void> {
  await tx.insert(datasetParts).values([
    { id: newId(), datasetId, part: 'image', items: found.items.length },
    { id: newId(), datasetId, part: 'label', items: found.items.length },
  ])
  const row = (item: Item, position: number) => ({
    id: newId(),
    datasetId,
    position: position + 1,
    name: item.name,
    imageSha256: sha256(item.image),
    labelSha256: item.label === null ? null : sha256(item.label),
    regionSha256: item.region ? sha256(item.region) : null,
    class: item.class,
    labels: item.labels,
    boxes: item.boxes,
    part: item.part,
    asidePart: item.asidePart,
    patient: item.patient,
    about: item.about ?? null,
    kin: item.kin,
    fingerprint: item.fingerprint,
    width: item.width,
    height: item.height,
    depth: item.depth,
  })
  for (const batch of inBatches(found.items.map(row))) await tx.insert(datasetItems).values(batch)
  const pairs = (found.doubles ?? []).map(({ one, other, distance, kind }, index) => ({
    ...{ datasetId, number: index + 1, distance, kind },
    ...{ position: one + 1, otherPosition: other + 1 },
  }))
  for (const batch of inBatches(pairs)) await tx.insert(datasetDoubles).values(batch)
}

async function insertProblems(
  tx: Tx,
  datasetId: string,
  problems: Outcome['found']['problems'],
): Promise<void> {
  const kept = problems.slice(0, limits.problemsKept)
  const rows = kept.map((problem, index) => ({ ...problem, datasetId, position: index + 1 }))
  for (const batch of inBatches(rows)) await tx.insert(datasetProblems).values(batch)
}

/** A statement takes 65,535 parameters. */
const BATCH = 2000

function* inBatches<T>(rows: T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH)
}

/** Tells pages how far it is, now and then. */
export function makeProgress(ctx: Context, datasetId: string, totalFiles: number) {
  let toldAt = 0
  return async (doneFiles: number): Promise<void> => {
    if (Date.now() - toldAt < limits.progressMs) return
    toldAt = Date.now()
    await ctx.db
      .update(datasets)
      .set({ doneFiles, totalFiles })
      .where(and(eq(datasets.id, datasetId), eq(datasets.state, 'checking'), sql`done_files <= ${doneFiles}`))
    await ctx.live.passing({ kind: 'dataset', id: datasetId }, 'changed', {})
  }
}
