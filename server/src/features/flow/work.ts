import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FlowScan } from '@neuroloom/contract/flow/phantoms'
import { answeredSeries } from '@neuroloom/contract/flow/settled'
import type { FlowLook, FlowProblem } from '@neuroloom/contract/flow/study'
import { flowLimits as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { Failure } from '../../http/fail.ts'
import type { Context, WorkerContext } from '../../infra/context.ts'
import { FlowBroke } from '../../infra/engine/engine.ts'
import { missingFlowPackages } from '../../infra/engine/packages.ts'
import { sweepOld } from '../../infra/engine/rounds.ts'
import { newId } from '../../infra/ids.ts'
import { LostLease } from '../../infra/lease.ts'
import { ReaderFailure } from '../../infra/reader/reader.ts'
import { isDiskFull } from '../../infra/room.ts'
import { workFolder } from './folder.ts'
import { hold, keepStudy, reserveFor } from './keep.ts'
import { claim, leases, returnSpace } from './lease.ts'
import { lookAt, type Made, makeOf, measurePhantom } from './readers.ts'
import { makeFiner, sharpeningOf } from './sharpen/make.ts'
import { tellStudy } from './show.ts'
import { digestOf, isTooMuch, type Source, sourcesOf } from './sources.ts'
import { studyBytes } from './study-file.ts'
import { type FlowFailure, type FlowRow, flowStudies } from './tables.ts'

/** Work of a worker that was killed. */
export const sweepLeftovers = (ctx: Context): Promise<void> => sweepOld(workFolder(ctx))

/** The whole work of one step; begins it anew where a killed worker left it. */
export async function work(ctx: WorkerContext, id: string): Promise<void> {
  const row = await claim(ctx, id)
  if (!row) return
  const { signal, letGo } = leases.keep(ctx, row)
  const folder = join(workFolder(ctx), newId())
  try {
    if (row.attempts > limits.tries) throw new Whole('internal')
    await tellStudy(ctx, row.id)
    if ((await missingFlowPackages(ctx.config.enginePython)).length > 0) throw new Whole('flow_packages')
    await ctx.room.require()
    await mkdir(folder, { recursive: true })
    await doStep(ctx, row, { folder, signal })
  } catch (error) {
    if (error instanceof LostLease || signal.aborted) return
    ctx.log.warn({ err: error, study: row.id }, 'work on a flow study failed')
    await end(ctx, row, error)
  } finally {
    letGo()
    await rm(folder, { recursive: true, force: true })
    await tellStudy(ctx, row.id)
  }
}

type At = { folder: string; signal: AbortSignal }

async function doStep(ctx: WorkerContext, row: FlowRow, at: At): Promise<void> {
  if (row.phantom !== null) {
    await reserveFor(ctx, row, studyBytes(phantomVoxels(row.phantom.scan)))
    return keep(ctx, row, await measurePhantom(ctx, row.phantom, at))
  }
  const sharpening = await sharpeningOf(ctx.db, row)
  if (sharpening !== null) {
    await reserveFor(ctx, row, 2 * studyBytes(sharpening.voxels))
    return keep(ctx, row, await makeFiner(ctx, sharpening, at))
  }
  const sources = await sourcesOf(ctx, row)
  if (sources.length === 0) throw new Whole('missing')
  if (isTooMuch(sources)) throw new Whole('too_large')
  const { look, answer } = row
  if (row.step === 'look' || look === null || answer === null) return lookAnew(ctx, row, { ...at, sources })
  // What a person settled was said of other files.
  if (digestOf(sources) !== row.seen)
    return lookAnew(ctx, row, {
      ...at,
      sources,
      problems: [{ reason: 'files_changed', params: {}, isBlocking: false }],
    })
  const voxels = voxelsOf(look, answer)
  if (voxels > limits.voxels) throw new Whole('too_large')
  await reserveFor(ctx, row, studyBytes(voxels))
  return keep(ctx, row, await makeOf(ctx, { ...at, sources, look, answer }))
}

async function keep(ctx: Context, row: FlowRow, made: Made): Promise<void> {
  if ('path' in made) return keepStudy(ctx, row, made)
  throw new Whole('flow_refused', made.refused)
}

type Looking = At & { sources: Source[]; problems?: FlowProblem[] }

/** Whatever is found, a person says how it goes on. */
async function lookAnew(ctx: WorkerContext, row: FlowRow, asked: Looking): Promise<void> {
  const look = await lookAt(ctx, asked)
  const { sources, problems = [] } = asked
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, row)
    await tx
      .update(flowStudies)
      .set({ step: 'look', state: 'asked', look, seen: digestOf(sources), problems, leaseUntil: null })
      .where(eq(flowStudies.id, row.id))
  })
}

/** As many as the largest of the velocities has: they have to be alike. */
const voxelsOf = ({ series }: FlowLook, answer: NonNullable<FlowRow['answer']>): number =>
  series
    .map((one) => answeredSeries(one, answer))
    .filter(({ role }) => role === 'velocity')
    .reduce((most, { size: [x, y, z], frames }) => Math.max(most, x * y * z * frames), 0)

/** At most: what is not said is less in every flow of the gallery. */
const phantomVoxels = ({ side = 48, frames = 20 }: FlowScan): number => side ** 3 * frames

/** Stands in the way of all that is left. */
class Whole extends Error {
  readonly failure: FlowFailure
  readonly problems: FlowProblem[]

  constructor(failure: FlowFailure, problems: FlowProblem[] = []) {
    super(failure)
    this.failure = failure
    this.problems = problems
  }
}

function failureOf(error: unknown): FlowFailure {
  if (error instanceof Whole) return error.failure
  if (isDiskFull(error)) return 'disk_full'
  // More than the program is given: the files are too many or too large for it.
  if (error instanceof ReaderFailure) return error.reason.name === 'reader_failed' ? 'internal' : 'too_large'
  if (error instanceof FlowBroke) return brokenBy[error.code] ?? 'internal'
  if (!(error instanceof Failure)) return 'internal'
  return (['storage_full', 'missing'] as const).find((name) => name === error.failure) ?? 'internal'
}

const brokenBy: Partial<Record<FlowBroke['code'], FlowFailure>> = {
  out_of_memory: 'too_large',
  // Of a study that is made finer: more would come out than can be worked with.
  flow_not_computed: 'too_large',
  timeout: 'too_large',
  disk_full: 'disk_full',
  data_missing: 'missing',
  packages_missing: 'flow_packages',
}

async function end(ctx: Context, held: FlowRow, error: unknown): Promise<void> {
  const problems = error instanceof Whole ? error.problems : []
  await ctx.db.transaction(async (tx) => {
    const row = await hold(tx, held)
    await returnSpace(tx, row)
    await tx
      .update(flowStudies)
      .set({ state: 'failed', failure: failureOf(error), problems, leaseUntil: null })
      .where(eq(flowStudies.id, row.id))
  })
}
