import { Readable } from 'node:stream'
import type { CurvePoint } from '@neuroloom/contract/runs'
import { asc, eq } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { CSV_MARK, csvLine } from '../../infra/csv.ts'
import * as networks from '../networks/service.ts'
import type { ProjectArchive } from '../projects/service.ts'
import { curvesOf, evidenceOf } from './compare/evidence.ts'
import { kindOf } from './kinds.ts'
import {
  isLearnedRow,
  type LearnedRow,
  type RunRow,
  runArtifacts,
  runFolds,
  runInputs,
  runs,
} from './tables.ts'

type Inputs = typeof runInputs.$inferSelect
type Artifact = typeof runArtifacts.$inferSelect

const artifactNames: Record<Artifact['kind'], string> = {
  weights: 'weights.safetensors',
  onnx: 'model.onnx',
  torchscript: 'model.pt',
  predictions_csv: 'predictions.csv',
  masks_zip: 'masks.zip',
  boxes_json: 'boxes.json',
  images_zip: 'images.zip',
  flow_study: 'study.safetensors',
  flow_mask_values: 'mask.safetensors',
  flow_derived: 'derived.safetensors',
  flow_lines: 'lines.vtp',
  flow_training: 'results.json',
  flow_numbers: 'numbers.json',
  flow_mask: 'mask.nii.gz',
  flow_angiogram: 'angiogram.nii.gz',
}

/** The trainings and tests of a project: each a folder with settings, numbers and what came out. */
export function archiveOf(ctx: Context, projectId: string): ProjectArchive {
  return {
    async facts() {
      const shown = {
        id: runs.id,
        number: runs.number,
        kind: runs.kind,
        state: runs.state,
        score: runs.score,
      }
      const all = await ctx.db
        .select(shown)
        .from(runs)
        .where(eq(runs.projectId, projectId))
        .orderBy(asc(runs.createdAt), asc(runs.number))
      return { runs: all.map((run) => ({ ...run, folder: folderOf(run) })) }
    },
    async *files() {
      const all = await ctx.db
        .select({ id: runs.id })
        .from(runs)
        .where(eq(runs.projectId, projectId))
        .orderBy(asc(runs.createdAt), asc(runs.number))
      for (const { id } of all) yield* filesOf(ctx, id)
    },
  }
}

const folderOf = ({ number, kind }: Pick<RunRow, 'number' | 'kind'>): string =>
  `runs/${String(number).padStart(3, '0')}-${kind}`

/** One at a time: each holds results of its own. */
async function* filesOf(ctx: Context, id: string): AsyncIterable<ArchivedFile> {
  const { db, storage } = ctx
  const [run] = await db.select().from(runs).where(eq(runs.id, id))
  if (!run) return
  const folder = folderOf(run)
  const artifacts = await db.select().from(runArtifacts).where(eq(runArtifacts.runId, id))
  yield* isLearnedRow(run) ? learnedFiles(ctx, run, artifacts) : computedFiles(ctx, run, artifacts)
  for (const { kind, sha256 } of artifacts) {
    yield { path: `${folder}/${artifactNames[kind]}`, isText: false, read: () => storage.read(sha256) }
  }
}

/** What a kind of run that a feature to the right knows tells of itself. */
async function* computedFiles(ctx: Context, run: RunRow, artifacts: Artifact[]): AsyncIterable<ArchivedFile> {
  const folder = folderOf(run)
  yield jsonFile(`${folder}/settings.json`, settingsOf(run, null, artifacts))
  const curves = await curvesOf(ctx.db, run.id)
  if (curves.length > 0) yield textFile(`${folder}/curves.csv`, curveTable(curves))
  for await (const file of kindOf(ctx, run)?.archive(ctx, run) ?? [])
    yield { ...file, path: `${folder}/${file.path}` }
}

async function* learnedFiles(
  { db }: Context,
  run: LearnedRow,
  artifacts: Artifact[],
): AsyncIterable<ArchivedFile> {
  const { id } = run
  const [inputs] = await db.select().from(runInputs).where(eq(runInputs.runId, id))
  if (!inputs) return
  const folder = folderOf(run)
  yield jsonFile(`${folder}/settings.json`, settingsOf(run, inputs, artifacts))
  yield jsonFile(`${folder}/metrics.json`, await metricsOf(db, run))
  const evidence = await evidenceOf(db, id)
  if (evidence) yield jsonFile(`${folder}/evidence.json`, evidence)
  yield textFile(`${folder}/curves.csv`, curveTable(await curvesOf(db, id)))
  if (!run.tool) {
    const document = inputs.networkText ?? networks.textOf(run.network)
    if (document !== null) yield textFile(`${folder}/network.yaml`, document)
    yield jsonFile(`${folder}/plan.json`, inputs.plan)
  }
}

const textFile = (path: string, text: string): ArchivedFile => ({
  path,
  isText: true,
  read: () => Readable.from([text]),
})

function settingsOf(run: RunRow, inputs: Inputs | null, artifacts: Artifact[]): object {
  const { id, number, kind, parentId, task, state, error, network, ownNetworkName, ownNetworkVersion } = run
  const { datasetId, datasetName, classes, hyper, validation, parameters } = run
  const { createdAt, startedAt, endedAt, attempt } = run
  const { planHash, manifestSha256, weightsSha256, part } = inputs ?? noInputs
  const { tool } = run
  return {
    ...{ id, number, kind, parentId, task, state, error, network, ownNetworkName, ownNetworkVersion, tool },
    ...{ datasetId, datasetName, part, classes, hyper, validation, parameters },
    ...{ createdAt, startedAt, endedAt, attempts: attempt },
    // What is inside a tool is its maker's to tell.
    hashes: tool
      ? { data: manifestSha256 }
      : { plan: planHash, data: manifestSha256, startedFrom: weightsSha256 },
    files: artifacts.map(({ kind: what, sha256, sizeBytes }) => ({
      name: artifactNames[what],
      sha256,
      sizeBytes,
    })),
  }
}

const noInputs = { planHash: null, manifestSha256: null, weightsSha256: null, part: null }

async function metricsOf(db: Context['db'], { id, ...run }: RunRow): Promise<object> {
  const folds = await db.select().from(runFolds).where(eq(runFolds.runId, id)).orderBy(asc(runFolds.fold))
  const { score, metrics, perClass, confusion, counts } = run
  return {
    ...{ score, metrics, perClass, confusion, counts },
    folds: folds.map(({ runId: _, ...fold }) => fold),
  }
}

/** A line an epoch, with a column for everything that was measured. */
function curveTable(points: readonly CurvePoint[]): string {
  const names = [...new Set(points.flatMap(({ values }) => Object.keys(values)))].sort()
  const head = csvLine(['fold', 'epoch', 'split', ...names])
  const lines = points.map(({ fold, epoch, split, values }) =>
    csvLine([fold, epoch, split, ...names.map((name) => values[name] ?? null)]),
  )
  return CSV_MARK + head + lines.join('')
}
