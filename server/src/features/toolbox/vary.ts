import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Manifest, ManifestItem, RunSpec } from '@neuroloom/contract/engine'
import { toolbox as limits } from '@neuroloom/contract/limits'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { networkData } from '@neuroloom/contract/suggest/suggest'
import { changesOf } from '@neuroloom/contract/toolbox/changes'
import { inArray } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { requireDataset } from '../datasets/access.ts'
import { manifestOf } from '../datasets/service.ts'
import type { DatasetRow } from '../datasets/tables.ts'
import * as networks from '../networks/service.ts'
import { refused } from '../recipes/service.ts'

/** Lays out what a training of these images would be given, and has the engine draw from it. */
export async function vary(
  ctx: Context,
  { datasetId, seed, only, turn, imageSize, depth }: Parsed<'toolbox/vary'>,
  { user }: Caller,
): Promise<Answer<'toolbox/vary'>> {
  const dataset = await requireDataset(ctx.db, user, datasetId, 'view')
  const whole = await manifestOf(ctx.db, datasetId)
  const items = await chosen(ctx, whole, turn)
  if (items.length === 0) throw fail('recipe_nothing')
  const manifest = { ...whole, items }
  const { isUsual, ...training } = await trainingOf(ctx, user, dataset)
  const hyper = {
    ...training.hyper,
    augment: true,
    imageSize: imageSize ?? training.hyper.imageSize,
    depth: depth ?? training.hyper.depth,
  }
  const changes: readonly string[] = changesOf[manifest.task]
  const asked = {
    ...{ seed, side: limits.variedShown, memoryBytes: limits.variedMemory },
    changes: changes.filter((change) => only === null || change === only),
  }
  const { samples } = await ctx.variations
    .ask(user.id, async (folder) => {
      await linkData(ctx, manifest, join(folder, 'data'))
      await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
      await writeFile(join(folder, 'run.json'), JSON.stringify(specOf(manifest, { ...training, hyper })))
      await writeFile(join(folder, 'vary.json'), JSON.stringify(asked))
    })
    .catch(refused)
  return {
    ...{ task: manifest.task, classes: manifest.classes, isUsual },
    ...{ imageSize: hyper.imageSize, depth: hyper.depth },
    samples: samples.map((sample, index) => ({
      ...sample,
      name: items[index]?.name ?? '',
      marks: sample.after === null ? [] : [...classesOf(items[index]), ...sample.marks],
    })),
  }
}

/** Spread over the data set, others with each turn; without those that are too large for a look. */
async function chosen(ctx: Context, { task, items }: Manifest, turn: number): Promise<ManifestItem[]> {
  const labelled = items.filter(
    (item) => (item.label ?? item.class ?? item.labels ?? item.boxes ?? null) !== null,
  )
  const count = Math.min(
    task === 'volume_segmentation' ? limits.variedVolumes : limits.varied,
    labelled.length,
  )
  const places = Array.from(
    { length: count },
    (_, index) => (Math.floor((index * labelled.length) / count) + turn) % labelled.length,
  )
  const some = [...new Set(places)].flatMap((place) => labelled[place] ?? [])
  const rows = await ctx.db
    .select({ sha256: blobs.sha256, sizeBytes: blobs.sizeBytes })
    .from(blobs)
    .where(inArray(blobs.sha256, some.flatMap(filesOf)))
  const sizes = new Map(rows.map(({ sha256, sizeBytes }) => [sha256, sizeBytes]))
  const fits = (sha256: string): boolean => (sizes.get(sha256) ?? Infinity) <= limits.variedBytes
  return some.filter((item) => filesOf(item).every(fits))
}

const filesOf = ({ image, label, region }: ManifestItem): string[] =>
  [image, label ?? [], region ?? []].flat()

const classesOf = (item: ManifestItem | undefined): number[] =>
  item?.labels ?? (item?.class === null || item?.class === undefined ? [] : [item.class])

type Training = Pick<Extract<RunSpec, { kind: 'train' }>, 'plan' | 'planHash' | 'hyper'>

/** As a training of this data set would be suggested; its network is not built, but says what it is given. */
async function trainingOf(
  ctx: Context,
  user: SessionUser,
  { task, classes, facts }: DatasetRow,
): Promise<Training & { isUsual: boolean }> {
  if (!task || !facts) throw fail('dataset_not_ready')
  const device = { kind: 'cpu', threads: availableParallelism(), memoryBytes: null } as const
  const known = { task, classes, facts }
  const { hyper, network: id } = await ctx.aside.ask(user.id, networks.chooseWork, {
    facts: { ...known, device },
    network: null,
  })
  const network = await networks.findNetwork(ctx.db, user, { id, task })
  const fitted = await ctx.aside.ask(user.id, networks.planWork, {
    ...{ network: networks.askedOf(network), hyper, memoryBytes: null },
    data: networkData(known, hyper),
  })
  if ('unfit' in fitted) throw fail('recipe_nothing')
  // Written by ourselves a moment ago.
  const plan = JSON.parse(fitted.plan) as Plan
  return { plan, planHash: fitted.planHash, hyper, isUsual: hyper.augment }
}

async function linkData(ctx: Context, { items }: Manifest, folder: string): Promise<void> {
  await mkdir(folder)
  for (const sha256 of new Set(items.flatMap(filesOf)))
    await ctx.storage.linkInto(sha256, join(folder, sha256))
}

const specOf = ({ task }: Manifest, training: Training): RunSpec => ({
  ...{ v: 1, kind: 'train', run: 'varied', attempt: 1, outputs: 'out', task, ...training },
  data: { manifest: 'manifest.json', root: 'data' },
  validation: { method: 'holdout', train: 4, test: 1, seed: 0 },
  device: { kind: 'cpu', index: 0, threads: 2, memoryBytes: limits.variedMemory },
  ...{ resume: null, start: null, startNames: {} },
})
