import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Manifest } from '@neuroloom/contract/engine'
import { costOf, heldOut, workOf } from '@neuroloom/contract/forecast'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { and, eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { requireDataset } from '../datasets/access.ts'
import { manifestOf } from '../datasets/service.ts'
import type { FindTrained } from '../networks/service.ts'
import { requireRun } from './access.ts'
import type { StoredFile } from './queue/outputs.ts'
import { requireReady } from './settings.ts'
import { showRun } from './show.ts'
import { enqueue, storeManifest } from './start.ts'
import { planAsText, type RunRow, runArtifacts, runInputs } from './tables.ts'

type Trained = { inputs: typeof runInputs.$inferSelect; weightsSha256: string }

/** On the data set that it was trained with, a model is tested on what training kept aside; on any other, on all of it. */
export async function test(
  ctx: Context,
  { id, datasets }: Parsed<'runs/test'>,
  { user }: Caller,
): Promise<Answer<'runs/test'>> {
  const parent = await requireRun(ctx.db, user, id, 'edit')
  const trained = await requireTrained(ctx, parent)
  const [datasetId, ...others] = datasets
  if (datasetId === undefined || others.length > 0) throw fail('one_dataset_needed')
  const found = await requireDataset(ctx.db, user, datasetId, 'view')
  const dataset = await requireReady(ctx.db, { project: parent.project, dataset: found })
  const isOwn = dataset.id === parent.datasetId
  const manifest = isOwn
    ? await sizeOf(ctx, trained.inputs.manifestSha256)
    : await storeManifest(ctx, fitted(await manifestOf(ctx.db, dataset.id), parent, trained))
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

export const findTrained: FindTrained = async (ctx, user, runId) => {
  const run = await requireRun(ctx.db, user, runId, 'view')
  const weightsSha256 = await requireWeights(ctx, run)
  const [inputs] = await ctx.db
    .select({ plan: planAsText })
    .from(runInputs)
    .where(eq(runInputs.runId, run.id))
  if (!inputs) throw fail('train_first')
  return { plan: inputs.plan, classes: run.hyper.numClass, weightsSha256 }
}

/** A training that left weights; a test, or a training that learned nothing yet, cannot be tested. */
export async function requireTrained(ctx: Context, run: RunRow): Promise<Trained> {
  const weightsSha256 = await requireWeights(ctx, run)
  const [inputs] = await ctx.db.select().from(runInputs).where(eq(runInputs.runId, run.id))
  if (!inputs) throw fail('train_first')
  return { inputs, weightsSha256 }
}

async function requireWeights(ctx: Context, run: RunRow): Promise<string> {
  const [weights] = await ctx.db
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, run.id), eq(runArtifacts.kind, 'weights')))
  if (run.kind !== 'train' || !weights) throw fail('train_first')
  return weights.sha256
}

async function sizeOf(ctx: Context, sha256: string): Promise<StoredFile> {
  const [blob] = await ctx.db.select().from(blobs).where(eq(blobs.sha256, sha256))
  if (!blob) throw fail('internal')
  return { sha256, sizeBytes: blob.sizeBytes }
}

/** The data in the model's own terms: its classes by name, its channels, its factor. Some of its classes may be absent. */
function fitted(manifest: Manifest, parent: RunRow, { inputs }: Trained): Manifest {
  const indexOf = manifest.classes.map((name) => parent.classes.indexOf(name))
  if (indexOf.includes(-1)) throw fail('classes_differ')
  const moved = (index: number): number => indexOf[index] ?? index
  refuseOtherFactor(manifest, inputs.plan)
  const [image] = Object.values(inputs.plan.inputs)
  return {
    ...manifest,
    classes: parent.classes,
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
