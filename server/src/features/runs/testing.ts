import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Manifest } from '@neuroloom/contract/engine'
import { costOf, heldOut, workOf } from '@neuroloom/contract/forecast'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { eq } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { requireDataset } from '../datasets/access.ts'
import { manifestOf } from '../datasets/service.ts'
import type { FindTrained } from '../networks/service.ts'
import { requireProject } from '../projects/access.ts'
import { requireLearned } from './access.ts'
import { type Applied, requireTrained, requireWeights } from './applied.ts'
import { bare, unsaid } from './predict/bare.ts'
import type { StoredFile } from './queue/outputs.ts'
import { requireReady } from './settings.ts'
import { showRun } from './show.ts'
import { enqueue, storeManifest } from './start.ts'
import { planAsText, type RunRow, type RunTool, runInputs } from './tables.ts'

/** On the data set that it was trained with, a model is tested on what training kept aside; on any other, on all of it. */
export async function test(
  ctx: Context,
  { id, datasets }: Parsed<'runs/test'>,
  { user }: Caller,
): Promise<Answer<'runs/test'>> {
  const parent = await requireLearned(ctx.db, user, id, 'edit')
  const trained = await requireTrained(ctx, parent)
  const [datasetId, ...others] = datasets
  if (datasetId === undefined || others.length > 0) throw fail('one_dataset_needed')
  const found = await requireDataset(ctx.db, user, datasetId, 'view')
  const dataset = await requireReady(ctx.db, { project: parent.project, dataset: found })
  const isOwn = dataset.id === parent.datasetId
  const manifest = isOwn
    ? await sizeOf(ctx, trained.inputs.manifestSha256)
    : await storeManifest(
        ctx,
        fitted(await manifestOf(ctx.db, dataset.id), parent.classes, trained.inputs.plan),
      )
  const { task, network, ownNetworkName, ownNetworkVersion, classes, hyper, validation, parameters } = parent
  const { plan, planHash, networkText } = trained.inputs
  const items = isOwn ? heldOut(dataset.facts.items, validation) : dataset.facts.items
  const run = await ctx.db.transaction((tx) =>
    enqueue(ctx, tx, {
      run: {
        ...{ task, network, ownNetworkName, ownNetworkVersion },
        ...{ classes, hyper, validation, parameters },
        userId: parent.userId,
        startedBy: user.id,
        projectId: parent.projectId,
        parentId: parent.id,
        kind: 'test',
        cost: workOf({ kind: 'test', task, items, hyper, validation, cost: costOf(plan) }),
        datasetId: dataset.id,
        datasetName: dataset.name,
      },
      inputs: {
        plan,
        planHash,
        networkText,
        weightsSha256: trained.weightsSha256,
        part: isOwn ? 'held-out' : 'all',
      },
      manifest,
    }),
  )
  return showRun(ctx.db, run.id)
}

type Lent = { tool: RunTool; network: Applied; projectId: string; datasetId: string }

/**
 * On all of an own data set, a network that somebody else keeps: the run stands in a project of whoever asks, tells
 * nothing of the network, and leaves no weights. That the network may be tried has been looked at. `also` writes more in
 * the same transaction.
 */
export async function testLent(
  ctx: Context,
  user: SessionUser,
  { tool, network, projectId, datasetId }: Lent,
  also: (tx: Tx, run: RunRow, manifest: Manifest) => Promise<void>,
): Promise<RunRow> {
  const project = await requireProject(ctx.db, user, projectId, 'edit')
  if (project.task !== network.task) throw fail('own_tool_task')
  const found = await requireDataset(ctx.db, user, datasetId, 'view')
  const dataset = await requireReady(ctx.db, { project, dataset: found })
  const { task, classes, weightsSha256 } = network
  const { plan, planHash } = network.inputs
  const items = fitted(await manifestOf(ctx.db, dataset.id), classes, plan)
  const manifest = await storeManifest(ctx, items)
  const hyper = bare(network)
  const work = { kind: 'test', task, items: dataset.facts.items, hyper, validation: unsaid } as const
  return ctx.db.transaction(async (tx) => {
    const run = await enqueue(ctx, tx, {
      run: {
        ...{ task, classes, hyper, tool, projectId, validation: unsaid },
        ...{ userId: project.ownerId, startedBy: user.id, parentId: null, kind: 'test' },
        ...{ network: '', ownNetworkName: null, ownNetworkVersion: null, parameters: null },
        ...{ datasetId: dataset.id, datasetName: dataset.name },
        cost: workOf({ ...work, cost: costOf(plan) }),
      },
      inputs: { plan, planHash, networkText: null, weightsSha256, part: 'all' },
      manifest,
    })
    await also(tx, run, items)
    return run
  })
}

export const findTrained: FindTrained = async (ctx, user, runId) => {
  const run = await requireLearned(ctx.db, user, runId, 'view')
  const weightsSha256 = await requireWeights(ctx, run)
  const [inputs] = await ctx.db
    .select({ plan: planAsText })
    .from(runInputs)
    .where(eq(runInputs.runId, run.id))
  if (!inputs) throw fail('train_first')
  return { plan: inputs.plan, classes: run.hyper.numClass, weightsSha256 }
}

async function sizeOf(ctx: Context, sha256: string): Promise<StoredFile> {
  const [blob] = await ctx.db.select().from(blobs).where(eq(blobs.sha256, sha256))
  if (!blob) throw fail('internal')
  return { sha256, sizeBytes: blob.sizeBytes }
}

/** The data in the model's own terms: its classes by name, its channels, its factor. Some of its classes may be absent. */
function fitted(manifest: Manifest, classes: string[], plan: Plan): Manifest {
  const indexOf = manifest.classes.map((name) => classes.indexOf(name))
  if (indexOf.includes(-1)) throw fail('classes_differ')
  const moved = (index: number): number => indexOf[index] ?? index
  refuseOtherFactor(manifest, plan)
  const [image] = Object.values(plan.inputs)
  return {
    ...manifest,
    classes,
    channels: image?.c === 1 ? 1 : 3,
    maskValues: Object.fromEntries(
      Object.entries(manifest.maskValues).map(([value, index]) => [value, moved(index)]),
    ),
    items: manifest.items.map((item) => ({
      ...item,
      class: item.class === null ? null : moved(item.class),
      labels: item.labels?.map(moved) ?? null,
      boxes: item.boxes?.map((box) => ({ ...box, class: moved(box.class) })) ?? null,
    })),
  }
}

/** A network was built to make images larger so many times, and no others. */
function refuseOtherFactor({ task, factor: have }: Manifest, plan: Plan): void {
  if (task !== 'super_resolution') return
  const [image] = Object.values(plan.inputs)
  const [head] = Object.values(plan.heads)
  const result = plan.nodes.find(({ id }) => id === head?.from)?.type
  if (image?.k !== 'map' || result?.k !== 'map') return
  const need = Math.round((result.s.at(-1) ?? 1) / (image.s.at(-1) ?? 1))
  if (need !== have) throw fail('factor_differs', { need, have })
}
