/** When a prediction has ended: its results become proposals, each with its image. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ItemResult } from '@neuroloom/contract/engine'
import { mapFrom } from '@neuroloom/contract/labelling/patch'
import { isOpen, openStates } from '@neuroloom/contract/run-states'
import { and, asc, eq, inArray, isNull, lt, ne, not, notExists } from 'drizzle-orm'
import { openPromise } from 'yauzl'
import type { Context, WorkerContext } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { type Mask, readMasks } from '../../files/service.ts'
import { readStored } from '../../runs/service.ts'
import { allRuns, type RunRow, runArtifacts, runInputs, runItems } from '../../runs/tables.ts'
import { boxObjects, type Objects, regionObjects, tagObjects } from './objects.ts'
import { labelJudgements, labelProposals, type ProposalRow } from './tables.ts'

/** Told when a run has ended, in its transaction. */
export async function harvestLater(ctx: Context, tx: Tx, run: Pick<RunRow, 'id' | 'kind'>): Promise<void> {
  if (run.kind !== 'predict') return
  if ((await tx.$count(labelProposals, eq(labelProposals.runId, run.id))) === 0) return
  await ctx.jobs.send(tx, 'labelling.propose', { runId: run.id }, { singletonKey: run.id })
}

/** What a killed worker left, and what waits for a run that was deleted. */
export async function recoverProposals(ctx: WorkerContext): Promise<void> {
  const rows = await ctx.db
    .selectDistinct({ runId: labelProposals.runId })
    .from(labelProposals)
    .innerJoin(allRuns, eq(allRuns.id, labelProposals.runId))
    .where(and(eq(labelProposals.state, 'waiting'), not(inArray(allRuns.state, openStates))))
  for (const { runId } of rows)
    if (runId !== null) await ctx.jobs.send(null, 'labelling.propose', { runId }, { singletonKey: runId })
  await ctx.db
    .update(labelProposals)
    .set({ state: 'failed' })
    .where(and(eq(labelProposals.state, 'waiting'), isNull(labelProposals.runId)))
}

export async function harvest(ctx: WorkerContext, runId: string): Promise<void> {
  const waiting = await ctx.db
    .select()
    .from(labelProposals)
    .where(and(eq(labelProposals.runId, runId), eq(labelProposals.state, 'waiting')))
  // Also of one that was deleted before it came to its end: what waits for it must not wait for ever.
  const [run] = await ctx.db.select().from(allRuns).where(eq(allRuns.id, runId))
  if (waiting.length === 0 || !run || isOpen(run)) return
  const items = await ctx.db
    .select({ result: runItems.result })
    .from(runItems)
    .where(eq(runItems.runId, runId))
    .orderBy(asc(runItems.place))
  const results = run.state === 'done' ? items.map(({ result }) => result) : []
  const rows = new Map(waiting.map((row) => [row.itemId, row]))
  for await (const { result, objects } of objectsOf(ctx, run, { results, rows })) {
    const row = rows.get(result.id)
    rows.delete(result.id)
    if (row) await keep(ctx, row, objects && { ...objects, ...knownOf(run, result) })
  }
  for (const row of rows.values()) await keep(ctx, row, null)
}

type Known = Objects & { doubt: number[] | null; found: boolean[] }

async function keep(ctx: WorkerContext, row: ProposalRow, known: Known | null): Promise<void> {
  const { id, userId, itemId } = row
  await ctx.db.transaction(async (tx) => {
    // What was proposed before is asked for no more; where something was said to it, that counts.
    if (known)
      await tx
        .delete(labelProposals)
        .where(
          and(
            eq(labelProposals.itemId, itemId),
            eq(labelProposals.userId, userId),
            lt(labelProposals.madeAt, row.madeAt),
            ne(labelProposals.state, 'waiting'),
            notExists(
              tx.select().from(labelJudgements).where(eq(labelJudgements.proposalId, labelProposals.id)),
            ),
          ),
        )
    await tx
      .update(labelProposals)
      .set(
        known
          ? {
              state: 'ready',
              objects: known.objects,
              objectsLeft: known.left,
              doubt: known.doubt,
              found: known.found,
            }
          : { state: 'failed' },
      )
      .where(and(eq(labelProposals.id, id), eq(labelProposals.state, 'waiting')))
    await ctx.live.passing({ kind: 'user', id: userId }, 'labelProposal', {}, tx)
  })
}

type Found = { result: ItemResult; objects: Objects | null }
type Asked = { results: readonly ItemResult[]; rows: ReadonlyMap<string, ProposalRow> }

async function* objectsOf(ctx: WorkerContext, run: RunRow, { results, rows }: Asked): AsyncGenerator<Found> {
  const classesOf = ({ id }: ItemResult) => rows.get(id)?.classes ?? []
  switch (run.task) {
    case 'classification':
    case 'multilabel':
      for (const result of results) yield { result, objects: tagObjects(result, run.task, classesOf(result)) }
      return
    case 'detection':
      for (const result of results) yield { result, objects: boxObjects(result, classesOf(result)) }
      return
    case 'segmentation':
    case 'volume_segmentation': {
      const values = await valuesOf(ctx, run.id)
      let place = 0
      for await (const mask of masksOf(ctx, run)) {
        const result = results[place++]
        if (!result) return
        const classes = classesOf(result)
        yield { result, objects: regionsOf(mask, { classes, values }) }
      }
      return
    }
    case 'super_resolution':
    case 'denoising':
      return
  }
}

type Values = Readonly<Record<string, number>>

function regionsOf(
  mask: Mask,
  { classes, values }: Pick<ProposalRow, 'classes'> & { values: Values },
): Objects | null {
  if ('refused' in mask) return null
  const colours = new Map(mask.values.map(({ value, colour }) => [value, colour]))
  const classOf = (value: number) => values[colours.get(value) ?? ''] ?? values[String(value)] ?? value
  return regionObjects(mapFrom(mask.size, mask.layers[0] ?? null), { classes, classOf })
}

/** The class of each value that masks are drawn with. */
async function valuesOf(ctx: WorkerContext, runId: string): Promise<Values> {
  const [inputs] = await ctx.db
    .select({ sha256: runInputs.manifestSha256 })
    .from(runInputs)
    .where(eq(runInputs.runId, runId))
  return inputs ? (await readStored(ctx, inputs.sha256)).maskValues : {}
}

/** A few at a time. The archive has them in the order of the results. */
const AT_ONCE = 8

async function* masksOf(ctx: WorkerContext, { id, task }: RunRow): AsyncGenerator<Mask> {
  const [archive] = await ctx.db
    .select({ sha256: runArtifacts.sha256 })
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, id), eq(runArtifacts.kind, 'masks_zip')))
  if (!archive) return
  const ending = task === 'segmentation' ? '.png' : '.nii.gz'
  const folder = join(ctx.storage.stagingFolder, 'proposals', newId())
  await mkdir(folder, { recursive: true })
  try {
    const path = join(folder, 'masks.zip')
    await ctx.storage.linkInto(archive.sha256, path)
    const zip = await openPromise(path)
    try {
      let batch: { name: string; bytes: Buffer }[] = []
      for await (const entry of zip.eachEntry()) {
        batch.push({ name: `mask${ending}`, bytes: await buffer(await zip.openReadStreamPromise(entry)) })
        if (batch.length < AT_ONCE) continue
        yield* readMasks(ctx, batch)
        batch = []
      }
      yield* readMasks(ctx, batch)
    } finally {
      zip.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** By class of the network, as the choice of the next image wants it. */
function knownOf({ task, classes }: RunRow, result: ItemResult): Pick<Known, 'doubt' | 'found'> {
  const boxes = result.boxes?.found ?? []
  const found = classes.map((name, index) => {
    if (task === 'detection') return boxes.some((box) => box.class === index)
    if (task === 'classification' || task === 'multilabel') return result.named?.includes(index) ?? false
    return index === 0 || (result.values[name] ?? 0) > 0
  })
  return { doubt: result.doubt ?? null, found }
}
