import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Language } from '@neuroloom/contract/language'
import { images, networkFileLimits as limits } from '@neuroloom/contract/limits'
import type { Plan } from '@neuroloom/contract/network/plan'
import { and, eq } from 'drizzle-orm'
import { drawField } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import type { Caller, SessionUser } from '../../http/access.ts'
import { type Failure, fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { LookFailure } from '../../infra/engine-look.ts'
import { textsOf } from '../../infra/texts.ts'
import { requireDataset } from '../datasets/access.ts'
import { datasetItems } from '../datasets/tables.ts'
import { lookBytes } from './look-size.ts'
import { examine } from './reader.ts'

/** A training of the member's own that left weights. */
export type Trained = { plan: Plan; classes: number; weightsSha256: string }
type FindTrained = (ctx: Context, user: SessionUser, runId: string) => Promise<Trained>
let findTrained: FindTrained = async () => {
  throw fail('run_missing')
}

/** The feature to the right that trains networks gives their weights; refuses as `run_missing` or `missing`. */
export function registerWeights(find: FindTrained): void {
  findTrained = find
}

export async function look(
  ctx: Context,
  { text, nodes, image, runId }: Parsed<'networks/look'>,
  { user, language }: Caller,
): Promise<Answer<'networks/look'>> {
  const trained = runId === null ? null : await findTrained(ctx, user, runId)
  const plan = await planOf(text, trained)
  if (trained && layersOf(plan) !== layersOf(trained.plan)) throw refused('run_differs', language)
  if (lookBytes(plan) > limits.lookBytes) throw refused('too_big', language)
  const picture = image.from === 'sample' ? null : await itemImage(ctx, user, image)
  const wanted = nodesOf(plan, nodes)
  const asked = async (folder: string): Promise<void> => {
    const path = join(folder, 'image')
    if (picture === null) await writeFile(path, sample())
    else await ctx.storage.linkInto(picture, path)
    if (trained) await ctx.storage.linkInto(trained.weightsSha256, join(folder, 'weights'))
    await writeFile(join(folder, 'look.json'), JSON.stringify(specOf(plan, { wanted, trained })))
  }
  const {
    seen,
    values,
    image: shown,
  } = await ctx.looks.look(asked).catch((error: unknown) => {
    if (!(error instanceof LookFailure)) throw error
    throw error.reason === 'busy' ? fail('look_busy') : refused(error.reason, language)
  })
  return { image: shown, seen: named(seen, wanted), values: named(values, wanted) }
}

const refused = (reason: string, language: Language): Failure =>
  fail('look_failed', { reason: textsOf('look', language)[reason] ?? reason })

/** At its own design size, or as it was built for the data that it was trained on. */
async function planOf(text: string, trained: Trained | null): Promise<Plan> {
  const [input] = Object.values(trained?.plan.inputs ?? {})
  const data =
    trained && input?.k === 'map' ? { classes: trained.classes, channels: input.c, size: input.s } : {}
  const { plan, mistakes } = await examine(text, data)
  if (plan === null) throw fail('network_wrong', { count: mistakes })
  return plan
}

/** What weights depend on: they fit wherever this is the same. */
function layersOf({ nodes }: Plan): string {
  const own = nodes.filter(({ learn, buffers, share }) => share === null && learn + buffers > 0)
  return JSON.stringify(own.map(({ id, op, learn, buffers }) => [id, op, learn, buffers]).sort())
}

/** Layers by the names that were asked for; a block answers with its last layer, and what is bypassed does not answer. */
function nodesOf({ nodes }: Plan, asked: readonly string[]): Map<string, string[]> {
  const wanted = new Map<string, string[]>()
  for (const path of new Set(asked)) {
    const found = nodes.findLast(({ id }) => id === path || id.startsWith(`${path}/`))
    if (found) wanted.set(found.id, [...(wanted.get(found.id) ?? []), path])
  }
  return wanted
}

const named = <One extends { node: string }>(found: One[], wanted: ReadonlyMap<string, string[]>): One[] =>
  found.flatMap((one) => (wanted.get(one.node) ?? []).map((node) => ({ ...one, node })))

/** `look.json`, see engine/neuroloom_engine/look.py. */
const specOf = (
  plan: Plan,
  { wanted, trained }: { wanted: ReadonlyMap<string, string[]>; trained: Trained | null },
): object => ({
  v: 1,
  plan,
  task: (plan.heads.main ?? Object.values(plan.heads)[0])?.task ?? '',
  image: 'image',
  weights: trained ? 'weights' : null,
  nodes: [...wanted.keys()],
  channels: limits.lookChannels,
  side: limits.lookSide,
  values: limits.lookValues,
  threads: availableParallelism(),
  maxPixels: images.maxPixels,
  memoryBytes: limits.lookBytes,
})

/** Cells as in the sample projects, drawn for this. */
const SAMPLE = { seed: 3, size: 256 }
const sample = (): Buffer => encodePng(drawField(SAMPLE.seed, SAMPLE.size).image)

async function itemImage(
  ctx: Context,
  user: SessionUser,
  { datasetId, itemId }: { datasetId: string; itemId: string },
): Promise<string> {
  await requireDataset(ctx.db, user, datasetId, 'view')
  const [item] = await ctx.db
    .select({ sha256: datasetItems.imageSha256 })
    .from(datasetItems)
    .where(and(eq(datasetItems.id, itemId), eq(datasetItems.datasetId, datasetId)))
  if (!item) throw fail('missing')
  return item.sha256
}
