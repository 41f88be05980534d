import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Manifest, manifestSchema, type RunSpec } from '@neuroloom/contract/engine'
import { images } from '@neuroloom/contract/limits'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import { openStates } from '@neuroloom/contract/run-states'
import { eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Device } from '../../../infra/engine/engine.ts'
import { kindOf } from '../kinds.ts'
import { keepSetAside } from '../predict/predict.ts'
import { madeOfDicom } from '../predict/predict-dicom.ts'
import { asDicomReason, itemsOf, readableNow } from '../predict/predict-sources.ts'
import { isLearnedRow, type LearnedRow, type RunRow, runInputs, allRuns as runs } from '../tables.ts'

/** A run that cannot begin, with the name and numbers that the member is told. */
export class CannotBegin extends Error {
  readonly code: 'data_missing' | 'source_gone' | 'internal'
  readonly params: Record<string, string | number | string[]>

  constructor(code: CannotBegin['code'], params: CannotBegin['params']) {
    super(`The run cannot begin: ${code}`)
    this.code = code
    this.params = params
  }
}

/** What the worker needs to know of a folder that it has laid out. */
export type RunFolder = {
  path: string
  /** Item id to the SHA-256 of its image. */
  images: Map<string, string>
}

export const runsFolder = (ctx: Context): string => join(ctx.config.dataDir, 'runs')
export const folderOf = (ctx: Context, runId: string): string => join(runsFolder(ctx), runId)

/** Where the engine keeps its checkpoints, in folders with numbers for names; what is unfinished has other names. */
const CHECKPOINTS = 'out/checkpoints'
const WEIGHTS = 'weights.safetensors'
/** Links made at once: more only wait for the disk. */
const LINKS_AT_ONCE = 32
/** Names of missing files that a message can hold. */
const NAMES_TOLD = 5

/** Of a run of another kind, whatever it links is told by who computes it. */
async function fill(
  ctx: Context,
  run: RunRow,
  { path, device }: { path: string; device: Device },
): Promise<{ spec: RunSpec; images: RunFolder['images'] }> {
  if (isLearnedRow(run)) return fillLearned(ctx, run, { path, device })
  const at = { path, device, resume: await newestCheckpoint(path) }
  const spec = await kindOf(ctx, run)?.layOut(ctx, run, at)
  if (!spec) throw new CannotBegin('internal', { reason: 'kind' })
  return { spec, images: new Map() }
}

/**
 * Makes the folder that the engine reads, or brings an interrupted run's folder up to this attempt. `run.json` comes
 * last: a process of an earlier attempt that is still there sees by it that it must write no more.
 */
export async function layOut(ctx: Context, run: RunRow, device: Device): Promise<RunFolder> {
  const path = folderOf(ctx, run.id)
  await mkdir(join(path, 'out'), { recursive: true })
  const { spec, images: found } = await fill(ctx, run, { path, device })
  await writeFile(join(path, 'run.json.part'), JSON.stringify(spec))
  await rename(join(path, 'run.json.part'), join(path, 'run.json'))
  return { path, images: found }
}

async function fillLearned(
  ctx: Context,
  run: LearnedRow,
  { path, device }: { path: string; device: Device },
): ReturnType<typeof fill> {
  const [inputs] = await ctx.db.select().from(runInputs).where(eq(runInputs.runId, run.id))
  if (!inputs) throw new CannotBegin('internal', { reason: 'inputs' })
  await mkdir(join(path, 'data'), { recursive: true })
  const text = await readManifest(ctx, inputs.manifestSha256)
  const manifest = manifestSchema.parse(JSON.parse(text))
  await linkData(ctx, run, { manifest, recipe: inputs.recipe, folder: join(path, 'data') })
  await writeFile(join(path, 'manifest.json'), text)
  await linkWeights(ctx, inputs.weightsSha256, join(path, WEIGHTS))
  const spec = specOf(run, inputs, { device, resume: await newestCheckpoint(path) })
  return { spec, images: new Map(manifest.items.map(({ id, image }) => [id, image])) }
}

/** Removes folders that no waiting, running or paused run needs: of runs that ended or were removed, whoever saw it happen. */
export async function sweepFolders(ctx: Context): Promise<string[]> {
  const names = await readdir(runsFolder(ctx)).catch(() => [])
  if (names.length === 0) return []
  const needed = await ctx.db.select({ id: runs.id }).from(runs).where(inArray(runs.state, openStates))
  const kept = new Set(needed.map(({ id }) => id))
  const unused = names.filter((name) => !kept.has(name))
  for (const name of unused) await rm(folderOf(ctx, name), { recursive: true, force: true })
  return unused
}

type Inputs = typeof runInputs.$inferSelect

function specOf(
  run: LearnedRow,
  inputs: Inputs,
  { device, resume }: { device: Device; resume: string | null },
): RunSpec {
  const common = {
    v: 1 as const,
    run: run.id,
    attempt: run.attempt,
    outputs: 'out' as const,
    task: run.task,
    plan: inputs.plan,
    planHash: inputs.planHash,
    data: { manifest: 'manifest.json', root: 'data' },
    hyper: run.hyper,
    validation: run.validation,
    device,
  }
  if (run.kind === 'train') {
    const start = inputs.weightsSha256 === null ? null : WEIGHTS
    // Weights tell whoever has them by which recipe their images were prepared.
    const { recipe } = inputs
    const prepared = recipe === null || recipe.isClosed ? {} : { recipe }
    return { ...common, kind: 'train', resume, start, startNames: run.startFrom?.names ?? {}, ...prepared }
  }
  if (run.kind === 'predict') {
    const { recipe, doubts } = inputs
    return { ...common, kind: 'predict', weights: WEIGHTS, maxPixels: images.maxPixels, doubts, recipe }
  }
  return { ...common, kind: 'test', weights: WEIGHTS, part: inputs.part ?? 'all' }
}

/** The newest checkpoint of an earlier attempt; the engine checks it and falls back to the one before. */
async function newestCheckpoint(path: string): Promise<string | null> {
  const names = await readdir(join(path, CHECKPOINTS)).catch(() => [])
  const newest = names
    .filter((name) => /^\d+$/.test(name))
    .sort()
    .at(-1)
  return newest === undefined ? null : `${CHECKPOINTS}/${newest}`
}

async function readManifest(ctx: Context, sha256: string): Promise<string> {
  const bytes = await buffer(ctx.storage.read(sha256)).catch((error: unknown) => {
    ctx.log.error({ err: error, sha256 }, 'a manifest is missing')
    throw new CannotBegin('internal', { reason: 'manifest' })
  })
  return bytes.toString('utf8')
}

async function linkData(
  ctx: Context,
  run: LearnedRow,
  { manifest, recipe, folder }: { manifest: Manifest; recipe: Recipe | null; folder: string },
): Promise<void> {
  if (run.kind !== 'predict') return linkItems(ctx, manifest, folder)
  const readable = await readableNow(ctx, run)
  if (readable === null) throw new CannotBegin('source_gone', { name: run.datasetName })
  const allowed = itemsOf(manifest, readable)
  const names = new Set(allowed.items.map(({ image }) => image))
  // What an earlier attempt was still allowed to read.
  for (const name of await readdir(folder)) if (!names.has(name)) await rm(join(folder, name))
  const { made, unfit } = await madeOfDicom(ctx, allowed, recipe)
  const refused = allowed.items.flatMap(({ name, image }) => {
    const reason = asDicomReason(unfit.get(image))
    return reason ? [{ name, reason }] : []
  })
  await ctx.db.transaction((tx) => keepSetAside(tx, run.id, refused))
  const fit = { ...allowed, items: allowed.items.filter(({ image }) => !unfit.has(image)) }
  await linkItems(ctx, fit, folder, made).catch((error: unknown) => {
    // The engine names what is missing, and goes on with the rest.
    if (!(error instanceof CannotBegin)) throw error
  })
}

/** `made`: what lies there in place of bytes that networks do not read. */
async function linkItems(
  ctx: Context,
  manifest: Manifest,
  folder: string,
  made: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const names = new Map<string, string>()
  for (const { name, image, label } of manifest.items) {
    names.set(image, name)
    if (label !== null) names.set(label, name)
  }
  const waiting = [...names]
  const missing: string[] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [sha256, name] = next
      const isThere = await linkInto(ctx, made.get(sha256) ?? sha256, join(folder, sha256))
      if (!isThere) missing.push(name)
    }
  }
  await Promise.all(Array.from({ length: LINKS_AT_ONCE }, work))
  if (missing.length === 0) return
  const files = missing.sort().slice(0, NAMES_TOLD)
  throw new CannotBegin('data_missing', { count: missing.length, files })
}

async function linkWeights(ctx: Context, sha256: string | null, target: string): Promise<void> {
  if (sha256 === null || (await linkInto(ctx, sha256, target))) return
  ctx.log.error({ sha256 }, 'weights are missing')
  throw new CannotBegin('internal', { reason: 'weights' })
}

/** False when the store no longer has the bytes. */
export async function linkInto(ctx: Context, sha256: string, target: string): Promise<boolean> {
  try {
    await ctx.storage.linkInto(sha256, target)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    // A link of an earlier attempt; copies are made whole or not at all by the same call.
    if (code === 'EEXIST') return true
    if (code === 'ENOENT') return false
    throw error
  }
}
