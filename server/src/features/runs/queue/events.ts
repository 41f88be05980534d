import type { EngineEvent } from '@neuroloom/contract/engine'
import { mainMetric } from '@neuroloom/contract/metric'
import { isLearned } from '@neuroloom/contract/task'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { type FoldRow, type RunRow, runCurves, runFolds } from '../tables.ts'
import { relay, shown } from './announce.ts'
import type { RunFolder } from './folder.ts'
import { replacePictures, storePictures } from './outputs.ts'
import { keepPreview } from './previews.ts'
import { type Hold, writeAs } from './queue.ts'

type Of<T extends EngineEvent['type']> = Extract<EngineEvent, { type: T }>

/** One attempt in the hands of this worker. */
export type Attempt = { run: RunRow; hold: Hold; folder: RunFolder }

/** How often the row learns of progress; pages hear of it at once. */
const PROGRESS_ROW_MS = 1000

/** Stores and announces what the engine says, each event once. Ends, errors and result files are `finish`'s. */
export function createRecorder(ctx: Context, attempt: Attempt): (event: EngineEvent) => Promise<void> {
  let progressStoredAt = 0

  const storeProgress = async (event: Of<'progress'>): Promise<void> => {
    await ctx.live.passing({ kind: 'run', id: attempt.run.id }, 'progress', shown(event))
    const now = performance.now()
    if (now - progressStoredAt < PROGRESS_ROW_MS) return
    progressStoredAt = now
    await ctx.db.transaction((tx) => writeProgress(tx, attempt.hold, event))
  }

  return async (event) => {
    switch (event.type) {
      case 'progress':
        return storeProgress(event)
      case 'preview':
        return storePreview(ctx, attempt, event)
      case 'started':
      case 'taken_over':
      case 'phase':
      case 'metrics':
      case 'checkpoint':
      case 'warning':
        await ctx.db.transaction(async (tx) => {
          await write(tx, attempt, event)
          await relay(ctx, tx, attempt.hold, event)
        })
        return
      case 'heartbeat':
      case 'file':
      case 'prepared':
      case 'flow_look':
      case 'flow_made':
      case 'flow_sections':
      case 'artifact':
      case 'pooled':
      case 'error':
      case 'end':
        return
      default:
        event satisfies never
    }
  }
}

async function writeProgress(tx: Tx, hold: Hold, event: Of<'progress'>): Promise<void> {
  const { fold, folds, epoch, epochs, step, steps, loss, learningRate, itemsPerSecond, etaSeconds } = event
  const progress = { fold, folds, epoch, epochs, step, steps, loss, learningRate, itemsPerSecond, etaSeconds }
  await writeAs(tx, hold, { progress, reached: reachedBy(event) })
}

/** One number that grows as a run gets further: what tells a run that keeps breaking off from one that goes on. */
const reachedBy = ({ fold, epoch, step }: Of<'progress'>): number =>
  (fold * 10_000 + epoch) * 10_000_000 + step

async function write(
  tx: Tx,
  { run, hold }: Attempt,
  event: Of<'started' | 'taken_over' | 'phase' | 'metrics' | 'checkpoint' | 'warning'>,
): Promise<void> {
  switch (event.type) {
    case 'started':
      await writeAs(tx, hold, {
        parameters: event.parameters,
        versions: event.versions,
        computedOn: event.device,
      })
      return
    case 'taken_over': {
      const { layers, ofLayers, parameters, ofParameters } = event
      await writeAs(tx, hold, { takenOver: { layers, ofLayers, parameters, ofParameters } })
      return
    }
    case 'phase':
      await writeAs(tx, hold, { phase: event.phase, ...(event.counts ? { counts: event.counts } : {}) })
      return
    case 'metrics':
      return writeMetrics(tx, { run, hold }, event)
    default:
      // Nothing of it stands in the row; a stale worker may not announce it either.
      await writeAs(tx, hold, { attempt: hold.attempt })
  }
}

async function writeMetrics(
  tx: Tx,
  { run, hold }: Pick<Attempt, 'run' | 'hold'>,
  { split, fold, epoch, values, perClass, confusion, best }: Of<'metrics'>,
): Promise<void> {
  // What a run is judged by: its best epoch, or the test.
  const counts = best || (split === 'test' && run.kind === 'test')
  const score = isLearned(run.task) ? (values[mainMetric[run.task]] ?? null) : null
  const result = { metrics: values, perClass, confusion, score }
  await writeAs(tx, hold, counts ? result : { attempt: hold.attempt })
  if (split === 'test') {
    if (run.kind === 'train') await keepFold(tx, { runId: run.id, fold, perClass, confusion })
    return
  }
  await tx
    .insert(runCurves)
    .values({ runId: run.id, fold, epoch, split, numbers: values })
    // An epoch that an interrupted attempt had finished after its last checkpoint comes again.
    .onConflictDoUpdate({
      target: [runCurves.runId, runCurves.fold, runCurves.epoch, runCurves.split],
      set: { numbers: values },
    })
}

async function keepFold(tx: Tx, { runId, fold, perClass, confusion }: FoldRow): Promise<void> {
  await tx
    .insert(runFolds)
    .values({ runId, fold, perClass, confusion })
    .onConflictDoUpdate({ target: [runFolds.runId, runFolds.fold], set: { perClass, confusion } })
}

/** The newest preview takes the place of the one before; some are kept besides, to be looked through. */
async function storePreview(ctx: Context, attempt: Attempt, event: Of<'preview'>): Promise<void> {
  const { hold, folder } = attempt
  const { fold, epoch } = event
  const pictures = await storePictures(ctx, folder.path, event.items)
  const items = event.items.map((item) => ({ ...item, image: folder.images.get(item.id) ?? null }))
  await ctx.db.transaction(async (tx) => {
    await writeAs(tx, hold, { preview: { epoch, items } })
    await replacePictures(tx, hold.runId, 'preview', pictures)
    await keepPreview(tx, { runId: hold.runId, fold, epoch, items }, pictures)
    await relay(ctx, tx, hold, event)
  })
}
