import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Manifest } from '@neuroloom/contract/engine'
import type { SplitPart } from '@neuroloom/contract/toolbox/calls'
import type { Caller } from '../../http/access.ts'
import { Failure } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { requireDataset } from '../datasets/access.ts'
import { manifestOf } from '../datasets/service.ts'
import { requireFolder } from '../files/access.ts'
import { divide } from '../runs/service.ts'

/** Drawn as trainings draw, so that nothing stands on two sides that would not there. */
export async function split(
  { db }: Context,
  { datasetId, ...shares }: Parsed<'toolbox/split'>,
  { user }: Caller,
): Promise<Answer<'toolbox/split'>> {
  const dataset = await requireDataset(db, user, datasetId, 'view')
  const { items, classes } = await manifestOf(db, datasetId)
  const folder = await requireFolder(db, user, dataset.folderId, 'edit').catch(orNone)
  return { classes, parts: partsOf(items, shares, classes.length), folderId: folder?.id ?? null }
}

function orNone(error: unknown): null {
  if (error instanceof Failure) return null
  throw error
}

type Items = Manifest['items']
type Shares = Omit<Parsed<'toolbox/split'>, 'datasetId'>

/** The test is drawn from all, then what the epoch is chosen with from the rest. */
function partsOf(items: Items, { train, validation, test, seed }: Shares, classes: number): SplitPart[] {
  const [rest, tested] = drawn(items, { kept: train + validation, taken: test, seed })
  const [learned, checked] = drawn(rest, { kept: train, taken: validation, seed: seed + 1 })
  const part = (name: SplitPart['part'], own: Items): SplitPart => ({
    part: name,
    names: own.map((item) => item.name),
    groups: new Set(own.map(({ group }) => group)).size,
    classes: classCounts(own, classes),
  })
  return [part('train', learned), part('validation', checked), part('test', tested)]
}

function drawn(
  items: Items,
  { kept, taken, seed }: { kept: number; taken: number; seed: number },
): [Items, Items] {
  if (taken === 0) return [items, []]
  const chosen = new Set(divide(items, { method: 'holdout', train: kept, test: taken, seed }).test)
  return [items.filter((_, index) => !chosen.has(index)), items.filter((_, index) => chosen.has(index))]
}

function classCounts(items: Items, classes: number): number[] {
  const has = (item: Items[number], index: number): boolean =>
    item.class === index || (item.labels?.includes(index) ?? false)
  if (items.every((item) => item.class === null && item.labels === null)) return []
  return Array.from({ length: classes }, (_, index) => items.filter((item) => has(item, index)).length)
}
