import { readFile } from 'node:fs/promises'
import { type EngineEvent, type ItemResult, itemResultSchema } from '@neuroloom/contract/engine'
import { type Evidence, evidenceSchema } from '@neuroloom/contract/evidence'
import { training } from '@neuroloom/contract/limits'
import { mainMetric } from '@neuroloom/contract/metric'
import { namedClass, namedLabels } from '@neuroloom/contract/named'
import { type SetAside, setAsideSchema } from '@neuroloom/contract/predictions'
import type { Run } from '@neuroloom/contract/runs'
import { isLearned } from '@neuroloom/contract/task'
import { asc, eq, type InferInsertModel, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { addBlob } from '../../../infra/storage/blobs.ts'
import { mergeFolds } from '../folds.ts'
import { kindOf } from '../kinds.ts'
import { keepSetAside } from '../predict/predict.ts'
import { countsOfPrediction, leastSureBox } from '../predict/predict-counts.ts'
import { type RunRow, runArtifacts, runEvidence, runFolds, runItems, allRuns as runs } from '../tables.ts'
import { announce, relay } from './announce.ts'
import type { Attempt } from './events.ts'
import { outputPath, type Picture, replacePictures, storeFile, storePictures } from './outputs.ts'
import { busyOf, type Hold, quietOf, renew, writeAs } from './queue.ts'

type Of<T extends EngineEvent['type']> = Extract<EngineEvent, { type: T }>

/** What the engine's last events said. */
export type Outcome = {
  end: Of<'end'>
  error: Of<'error'> | null
  /** Of a cross-validation that came to its end. */
  pooled: Of<'pooled'> | null
  artifacts: Of<'artifact'>[]
}

/** Rows written by one statement. */
const ROWS_AT_ONCE = 500

/** Brings a run's results to safety, then ends the run in one transaction. Its folder is swept afterwards. */
export async function finish(ctx: Context, attempt: Attempt, outcome: Outcome): Promise<void> {
  const { hold, run } = attempt
  // Before bytes are moved about: a worker that was away may have lost the run long ago.
  await renew(ctx.db, hold)
  const results = await storeResults(ctx, attempt, outcome)
  const counts = await countsBeside(ctx, attempt, results)
  await ctx.db.transaction(async (tx) => {
    const ended = await writeAs(tx, hold, { ...(await endOf(tx, run, outcome)), ...counts })
    for (const { kind, sha256, sizeBytes } of results.files) {
      await addBlob(tx, { sha256, sizeBytes })
      await tx.insert(runArtifacts).values({ runId: run.id, kind, sha256, sizeBytes })
    }
    await writeItems(tx, attempt, results.items)
    if (results.evidence) {
      await tx.insert(runEvidence).values({ runId: run.id, evidence: results.evidence })
    }
    await keepSetAside(tx, run.id, results.setAside)
    await results.also(tx, run.id)
    await replacePictures(tx, run.id, 'test', results.pictures)
    await relay(ctx, tx, hold, outcome.end)
    await announce(ctx, tx, ended)
  })
}

/** Ends a run that failed outside the engine. */
export async function endAsFailed(ctx: Context, hold: Hold, error: Run['error']): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const run = await writeAs(tx, hold, { ...over, state: 'failed', error })
    await announce(ctx, tx, run)
  })
}

const over = {
  worker: null,
  leaseUntil: null,
  pauseRequested: false,
  busySeconds: busyOf,
  endedAt: sql`now()`,
}

async function endOf(tx: Tx, run: RunRow, { end, error, pooled }: Outcome) {
  const failure = { code: error?.code ?? 'internal', params: error?.data ?? {} }
  const metrics = Object.keys(end.metrics).length === 0 ? {} : scored(run, end.metrics)
  const folds = await tx.select().from(runFolds).where(eq(runFolds.runId, run.id)).orderBy(asc(runFolds.fold))
  const whole = pooled && { perClass: pooled.perClass, confusion: pooled.confusion }
  return {
    ...over,
    ...metrics,
    ...(whole ?? mergeFolds(folds)),
    ...quietOf(end),
    state: end.state,
    error: end.state === 'failed' ? failure : null,
  }
}

const scored = ({ task }: RunRow, metrics: Run['metrics']) => ({
  metrics,
  score: isLearned(task) ? (metrics[mainMetric[task]] ?? null) : null,
})

type File = { kind: InferInsertModel<typeof runArtifacts>['kind']; sha256: string; sizeBytes: number }
type Results = {
  files: File[]
  items: ItemResult[]
  evidence: Evidence | null
  setAside: SetAside[]
  pictures: Picture[]
  /** What else is written of a run of another kind. */
  also: (tx: Tx, runId: string) => Promise<void>
}

async function storeResults(
  ctx: Context,
  { folder, run }: Attempt,
  { artifacts }: Outcome,
): Promise<Results> {
  const results: Results = { files: [], items: [], evidence: null, setAside: [], pictures: [], also: nothing }
  const left = new Map<string, string>()
  for (const { kind, path: name, sha256 } of artifacts) {
    const path = outputPath(folder.path, name)
    if (path === null) throw new Error(`The engine named a result outside its outputs: ${name}`)
    if (kind === 'items') {
      results.items = z.array(itemResultSchema).parse(JSON.parse(await readFile(path, 'utf8')))
      results.pictures = await storePictures(ctx, folder.path, results.items)
      continue
    }
    if (kind === 'evidence') {
      results.evidence = evidenceSchema.parse(JSON.parse(await readFile(path, 'utf8')))
      continue
    }
    if (kind === 'set_aside') {
      results.setAside = z.array(setAsideSchema).parse(JSON.parse(await readFile(path, 'utf8')))
      continue
    }
    left.set(kind, path)
    const stored = await storeFile(ctx, path)
    if (stored.sha256 !== sha256) throw new Error(`${name} is not what the engine wrote`)
    results.files.push({ kind, ...stored })
  }
  results.also = (await kindOf(ctx, run)?.finish(left)) ?? nothing
  return results
}

/** What the product counts over a prediction, added to the counts that the engine gave. */
async function countsBeside(ctx: Context, { run, folder }: Attempt, { items }: Results) {
  if (run.kind !== 'predict' || items.length === 0) return {}
  const counts = await countsOfPrediction(ctx, run, { items, images: folder.images })
  return { counts: sql`coalesce(${runs.counts}, '{}'::jsonb) || ${JSON.stringify(counts)}::jsonb` }
}

const nothing = async (): Promise<void> => undefined

async function writeItems(tx: Tx, { run, folder }: Attempt, items: ItemResult[]): Promise<void> {
  const rows = items.map((result, place) => ({
    runId: run.id,
    itemId: result.id,
    place,
    // By which pages order them: nobody knows how right the boxes of a prediction are.
    score: run.kind === 'predict' && result.boxes ? leastSureBox(result) : result.score,
    wrong: run.kind !== 'predict' && isWrong(result),
    result: { ...result, image: folder.images.get(result.id) ?? null },
  }))
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await tx.insert(runItems).values(rows.slice(start, start + ROWS_AT_ONCE))
  }
}

/** Another class than the true one; a label too many or too few; made worse than before; else a poor overlap. */
function isWrong(result: ItemResult): boolean {
  const { truth, labels, probabilities, score, values } = result
  if (labels !== null) {
    const named = namedLabels(result)
    return named.length !== labels.length || named.some((label) => !labels.includes(label))
  }
  if (truth !== null && probabilities.length > 0) {
    return namedClass(result) !== truth
  }
  // Restoration: what needs no network.
  const least = values.bicubicPsnr ?? values.inputPsnr ?? training.poorScore
  return score !== null && score < least
}
