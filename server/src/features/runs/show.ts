import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { isOpen } from '@neuroloom/contract/run-states'
import type { Run } from '@neuroloom/contract/runs'
import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { liveEvents } from '../../infra/live/live.ts'
import type { Holder } from '../accounts/access.ts'
import { thumbnailUrl } from '../files/service.ts'
import { requireProject } from '../projects/access.ts'
import { projects } from '../projects/tables.ts'
import { requireRun, type SeenRun } from './access.ts'
import { curvesOf } from './compare/evidence.ts'
import { coursesOf } from './courses.ts'
import { coversOf } from './covers.ts'
import { expectedOf } from './forecast.ts'
import { pictureUrl, resultName, resultUrl } from './links.ts'
import { type PictureKind, type PictureSet, pictureName, picturesOf } from './queue/outputs.ts'
import { previewEpochsOf, previewItemsAt } from './queue/previews.ts'
import { positions } from './queue/queue.ts'
import { type RunRow, runArtifacts, runs, type StoredResult } from './tables.ts'

type Shown = Answer<'runs/items'>['items'][number]

export async function list(
  ctx: Context,
  { projectId }: Parsed<'runs/list'>,
  caller: Caller,
): Promise<Answer<'runs/list'>> {
  const { user } = caller
  if (projectId !== null) await requireProject(ctx.db, user, projectId, 'view')
  const found = await findRuns(
    ctx.db,
    projectId === null
      ? and(eq(runs.userId, user.id), isNull(projects.recycledAt))
      : eq(runs.projectId, projectId),
  )
  const ids = found.map(({ id }) => id)
  // Beside the runs of one project there is no room for them.
  const courses = projectId === null ? await coursesOf(ctx.db, ids) : {}
  return { runs: found, covers: await coversOf(ctx, caller, ids), courses }
}

export async function detail(
  ctx: Context,
  { id }: Parsed<'runs/detail'>,
  caller: Caller,
): Promise<Answer<'runs/detail'>> {
  const row = await requireRun(ctx.db, caller.user, id, 'view')
  const run = await showRun(ctx.db, id)
  const curves = await curvesOf(ctx.db, id)
  const previewEpochs = await previewEpochsOf(ctx.db, id)
  if (!row.preview) return { run, curves, preview: null, previewEpochs }
  const { epoch, items } = row.preview
  return {
    run,
    curves,
    preview: { epoch, items: await withPictures(ctx, caller, { run: row, kind: 'preview', items }) },
    previewEpochs,
  }
}

export async function preview(
  ctx: Context,
  { id, epoch }: Parsed<'runs/preview'>,
  caller: Caller,
): Promise<Answer<'runs/preview'>> {
  const run = await requireRun(ctx.db, caller.user, id, 'view')
  const items = await previewItemsAt(ctx.db, id, epoch)
  if (!items) throw fail('missing')
  return { epoch, items: await withPictures(ctx, caller, { run, kind: `epoch/${epoch}`, items }) }
}

export async function download(
  ctx: Context,
  { id, kind }: Parsed<'runs/download'>,
  caller: Caller,
): Promise<Answer<'runs/download'>> {
  const run = await requireRun(ctx.db, caller.user, id, 'view')
  const [artifact] = await ctx.db
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, id), eq(runArtifacts.kind, kind)))
  if (!artifact) throw fail('missing')
  const name = await resultName(ctx, run, kind)
  return { url: resultUrl(ctx, caller, { id, kind }), name, sizeBytes: artifact.sizeBytes }
}

/** One run as pages get it. */
export async function showRun(db: Db, id: string): Promise<Run> {
  const [run] = await findRuns(db, eq(runs.id, id))
  if (!run) throw fail('run_missing')
  return run
}

async function findRuns(db: Db, where: SQL | undefined): Promise<Run[]> {
  // One statement, one moment: what the row shows and the last event that it already contains.
  const found = await db
    .select({
      run: runs,
      lastEventId: sql<number>`coalesce((
        select max(${liveEvents.id}) from ${liveEvents} where ${liveEvents.topic} = 'run:' || ${runs.id}
      ), 0)`.mapWith(Number),
    })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(where)
    .orderBy(desc(runs.createdAt), desc(runs.number))
  const ids = found.map(({ run }) => run.id)
  if (ids.length === 0) return []
  const artifacts = await db.select().from(runArtifacts).where(inArray(runArtifacts.runId, ids))
  const isWaiting = found.some(({ run }) => run.state === 'queued')
  const places = isWaiting ? await positions(db) : new Map<string, number>()
  const expected = isWaiting ? await expectedOf(db) : null
  return found.map(({ run, lastEventId }) => ({
    ...shown(run),
    position: run.state === 'queued' ? (places.get(run.id) ?? null) : null,
    startsInSeconds: expected?.get(run.id)?.starts ?? null,
    takes: expected?.get(run.id)?.takes ?? null,
    artifacts: artifacts
      .filter(({ runId }) => runId === run.id)
      .map(({ kind, sizeBytes, sha256 }) => ({ kind, sizeBytes, sha256 })),
    lastEventId,
  }))
}

function shown(
  run: RunRow,
): Omit<Run, 'position' | 'startsInSeconds' | 'takes' | 'artifacts' | 'lastEventId'> {
  const { id, projectId, kind, parentId, number, task, state, network, datasetId, datasetName } = run
  const { classes, hyper, validation, phase, progress, score, metrics, perClass, confusion, counts } = run
  return {
    ...{ id, projectId, kind, parentId, number, task, state, network, datasetId, datasetName },
    ...{ classes, hyper, validation, phase, progress, score, metrics, perClass, confusion, counts },
    stopping: run.stopRequested && isOpen(run),
    pausing: run.pauseRequested && !run.stopRequested && state === 'running',
    ownNetwork: ownNetworkOf(run),
    tool: run.tool?.name ?? null,
    resumed: Math.max(0, run.attempt - run.pauses - 1),
    foreseenSeconds: run.foreseenSeconds,
    busySeconds: run.busySeconds,
    startFrom: run.startFrom && {
      ...run.startFrom,
      model: run.startFrom.model ?? null,
      taken: run.takenOver,
    },
    parameters: run.parameters,
    error: run.error,
    createdAt: run.createdAt.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    endedAt: run.endedAt?.toISOString() ?? null,
  }
}

const ownNetworkOf = ({ ownNetworkName: name, ownNetworkVersion: version }: RunRow): Run['ownNetwork'] =>
  name === null || version === null ? null : { name, version }

/** Results with signed addresses of the image's small picture and of what the engine drew. */
export async function withPictures(
  ctx: Context,
  holder: Holder,
  { run: { id, project }, kind, items: results }: { run: SeenRun; kind: PictureSet; items: StoredResult[] },
): Promise<Shown[]> {
  const shownBy = project.access === 'own' ? undefined : { as: 'run', id }
  const drawn = await picturesOf(ctx.db, id, { kind, itemIds: results.map((result) => result.id) })
  const urlOf = (itemId: string, what: PictureKind): string | null => {
    const sha256 = drawn.get(pictureName(kind, itemId, what))
    return sha256 === undefined ? null : pictureUrl(ctx, holder, { id, sha256 })
  }
  return results.map((result) => ({
    ...result,
    image: result.image && thumbnailUrl(ctx, holder, result.image, shownBy),
    overlay: urlOf(result.id, 'overlay'),
    heat: urlOf(result.id, 'heat'),
    plain: urlOf(result.id, 'plain'),
    // Left out before there was one, when a restoration also showed its input in another way.
    ...(result.whole === undefined ? {} : { whole: urlOf(result.id, 'whole') }),
  }))
}
