import { Readable } from 'node:stream'
import type { CurvePoint } from '@neuroloom/contract/runs'
import { asc, eq } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { CSV_MARK, csvLine } from '../../infra/csv.ts'
import * as networks from '../networks/service.ts'
import type { ProjectArchive } from '../projects/service.ts'
import { curvesOf, evidenceOf } from './compare/evidence.ts'
import { type RunRow, runArtifacts, runFolds, runInputs, runs } from './tables.ts'

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
        .orderBy(asc(runs.number))
      return { runs: all.map((run) => ({ ...run, folder: folderOf(run) })) }
    },
    async *files() {
      const all = await ctx.db
        .select({ id: runs.id })
        .from(runs)
        .where(eq(runs.projectId, projectId))
        .orderBy(asc(runs.number))
      for (const { id } of all) yield* filesOf(ctx, id)
    },
  }
}

const folderOf = ({ number, kind }: Pick<RunRow, 'number' | 'kind'>): string =>
  `runs/${String(number).padStart(3, '0')}-${kind}`

/** One at a time: each holds results of its own. */
async function* filesOf({ db, storage }: Context, id: string): AsyncIterable<ArchivedFile> {
  const [run] = await db.select().from(runs).where(eq(runs.id, id))
  const [inputs] = await db.select().from(runInputs).where(eq(runInputs.runId, id))
  if (!run || !inputs) return
  const folder = folderOf(run)
  const artifacts = await db.select().from(runArtifacts).where(eq(runArtifacts.runId, id))
  yield jsonFile(`${folder}/settings.json`, settingsOf(run, inputs, artifacts))
  yield jsonFile(`${folder}/metrics.json`, await metricsOf(db, run))
  const evidence = await evidenceOf(db, id)
  if (evidence) yield jsonFile(`${folder}/evidence.json`, evidence)
  yield textFile(`${folder}/curves.csv`, curveTable(await curvesOf(db, id)))
  const document = inputs.networkText ?? networks.textOf(run.network)
  if (document !== null) yield textFile(`${folder}/network.yaml`, document)
  yield jsonFile(`${folder}/plan.json`, inputs.plan)
  for (const { kind, sha256 } of artifacts) {
    yield { path: `${folder}/${artifactNames[kind]}`, isText: false, read: () => storage.read(sha256) }
  }
}

const textFile = (path: string, text: string): ArchivedFile => ({
  path,
  isText: true,
  read: () => Readable.from([text]),
})

function settingsOf(run: RunRow, inputs: Inputs, artifacts: Artifact[]): object {
  const { id, number, kind, parentId, task, state, error, network, ownNetworkName, ownNetworkVersion } = run
  const { datasetId, datasetName, classes, hyper, validation, parameters } = run
  const { createdAt, startedAt, endedAt, attempt } = run
  const { planHash, manifestSha256, weightsSha256, part } = inputs
  return {
    ...{ id, number, kind, parentId, task, state, error, network, ownNetworkName, ownNetworkVersion },
    ...{ datasetId, datasetName, part, classes, hyper, validation, parameters },
    ...{ createdAt, startedAt, endedAt, attempts: attempt },
    hashes: { plan: planHash, data: manifestSha256, startedFrom: weightsSha256 },
    files: artifacts.map(({ kind: what, sha256, sizeBytes }) => ({
      name: artifactNames[what],
      sha256,
      sizeBytes,
    })),
  }
}

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
