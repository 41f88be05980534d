/** The job that works out how far two readers agree on an image: slice by slice, and distances within what both marked. */

import type { FoundAgreement } from '@neuroloom/contract/labelling/agreed'
import { diceOf, surfaceDistances } from '@neuroloom/contract/labelling/agreement'
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { Three } from '@neuroloom/contract/labelling/distance'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import { labelling as limits } from '@neuroloom/contract/limits'
import { eq, sql } from 'drizzle-orm'
import { makeBreath } from '../../infra/aside/slices.ts'
import type { WorkerContext } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { shownLater } from '../files/service.ts'
import { slicePixels, type Upright, uprightBoxes, valuesOf } from './class-map.ts'
import { sourceOf } from './images.ts'
import { type LabelItemRow, labelAgreements, labelItems, labelReadings, labelSets } from './tables.ts'
import { marksBySlice, wholeNow } from './wholes.ts'

type Pair = { one: string; other: string; item: string; isKnown: boolean }

/** Each two readings of an image that are finished; `isKnown`: worked out, and neither went on since. */
export async function pairsOf(db: Db, setId: string): Promise<Pair[]> {
  const { rows } = await db.execute<Pair>(sql`
    select one.id as one, other.id as other, i.id as item, g.one_id is not null as "isKnown"
    from ${labelItems} i
    join ${labelReadings} one on one.item_id = i.id and one.state <> 'open'
    join ${labelReadings} other
      on other.item_id = i.id and other.state <> 'open' and one.reader_id < other.reader_id
    left join ${labelAgreements} g
      on g.one_id = one.id and g.other_id = other.id and g.one_seq = one.seq and g.other_seq = other.seq
    where i.set_id = ${setId}
    order by i.position, one.id, other.id`)
  return rows
}

/** Each is kept as soon as it is found: a worker that was killed goes on where it was. */
export async function agree(
  ctx: WorkerContext,
  { setId, userId }: { setId: string; userId: string },
): Promise<void> {
  const [set] = await ctx.db.select().from(labelSets).where(eq(labelSets.id, setId))
  if (!set) return
  for (const pair of await pairsOf(ctx.db, setId)) {
    if (pair.isKnown) continue
    const [item] = await ctx.db.select().from(labelItems).where(eq(labelItems.id, pair.item))
    if (item) await keep(ctx, { pair, item, classes: set.classes })
  }
  await ctx.live.passing({ kind: 'user', id: userId }, 'labelAgreement', { setId })
}

type Asked = { pair: Pair; item: LabelItemRow; classes: readonly LabelClass[] }

async function keep(ctx: WorkerContext, { pair, item, classes }: Asked): Promise<void> {
  const readingOf = async (id: string) =>
    (await ctx.db.select().from(labelReadings).where(eq(labelReadings.id, id)))[0]
  const [one, other] = [await readingOf(pair.one), await readingOf(pair.other)]
  if (!one || !other) return
  const found = await compared(ctx, { item, classes, readings: [one, other] })
  const row = { oneSeq: one.seq, otherSeq: other.seq, found }
  await ctx.db
    .insert(labelAgreements)
    .values({ oneId: one.id, otherId: other.id, ...row })
    .onConflictDoUpdate({ target: [labelAgreements.oneId, labelAgreements.otherId], set: row })
}

type Reading = typeof labelReadings.$inferSelect
type Compared = { item: LabelItemRow; classes: readonly LabelClass[]; readings: [Reading, Reading] }

async function compared(
  ctx: WorkerContext,
  { item, classes, readings: [one, other] }: Compared,
): Promise<FoundAgreement> {
  const first = await wholeNow(ctx.db, one)
  const second = await wholeNow(ctx.db, other)
  const spacing = await spacingOf(ctx, item)
  const grid = { spacing: spacing ?? ([1, 1, 1] as const) }
  return {
    classes: await overlaps(ctx, { item, classes, readings: [one, other], ...grid }),
    boxes: await boxesMatched(ctx, one, other),
    tags: { one: [...(first?.tags ?? [])].sort(), other: [...(second?.tags ?? [])].sort() },
    unit: spacing ? 'mm' : 'pixels',
  }
}

async function spacingOf(ctx: WorkerContext, item: LabelItemRow): Promise<Three | null> {
  if (item.kind === 'video') return null
  const { answer } = await shownLater(ctx, await sourceOf(ctx.db, item.id))
  return 'viewed' in answer ? (answer.viewed.facts?.spacing ?? null) : null
}

type Counts = { one: number; other: number; both: number; from: Three; to: Three }

/** Of each class that one of both marked. */
async function overlaps(
  ctx: WorkerContext,
  { item, classes, readings, spacing }: Compared & { spacing: Three },
): Promise<FoundAgreement['classes']> {
  const values = valuesOf(classes)
  const marked = await counted(ctx, { item, readings, values })
  const found: FoundAgreement['classes'] = []
  for (const { id, use } of classes) {
    const counts = marked.get(values.get(id) ?? 0)
    if (use !== 'class' || !counts) continue
    const distances = await distancesOf(ctx, {
      readings,
      values,
      value: values.get(id) ?? 0,
      counts,
      spacing,
    })
    found.push({
      class: id,
      dice: (2 * counts.both) / (counts.one + counts.other),
      hausdorff95: distances?.hausdorff95 ?? null,
      meanDistance: distances?.mean ?? null,
    })
  }
  return found
}

type Sliced = { readings: [Reading, Reading]; values: ReadonlyMap<string, number> }

/** By the class's number: pixels of the one, of the other and of both, and the bounds of all of them. */
async function counted(
  ctx: WorkerContext,
  { item, readings, values }: Sliced & { item: LabelItemRow },
): Promise<Map<number, Counts>> {
  const counts = new Map<number, Counts>()
  const [width, depth] = [item.width ?? 0, item.depth ?? 0]
  const note = (value: number, kind: 'one' | 'other' | 'both', [x, y, z]: Three): void => {
    const known = counts.get(value)
    const seen = known ?? { one: 0, other: 0, both: 0, from: [x, y, z], to: [x, y, z] }
    seen[kind] += 1
    seen.from = [Math.min(seen.from[0], x), Math.min(seen.from[1], y), Math.min(seen.from[2], z)]
    seen.to = [Math.max(seen.to[0], x), Math.max(seen.to[1], y), Math.max(seen.to[2], z)]
    if (!known) counts.set(value, seen)
  }
  for await (const [z, first, second] of slicesOf(ctx, { readings, values, from: 0, to: depth - 1 })) {
    for (let index = 0; index < first.length; index++) {
      const [one, other] = [first[index] ?? 0, second[index] ?? 0]
      if (one === 0 && other === 0) continue
      const at: Three = [index % width, Math.floor(index / width), z]
      if (one !== 0) note(one, 'one', at)
      if (other !== 0) note(other, 'other', at)
      if (one !== 0 && one === other) note(one, 'both', at)
    }
  }
  return counts
}

/** The class numbers of both readers, slice by slice; others have their turn in between. */
async function* slicesOf(
  ctx: WorkerContext,
  { readings: [one, other], values, from, to }: Sliced & { from: number; to: number },
): AsyncGenerator<[z: number, one: Uint8Array, other: Uint8Array]> {
  const [first, second] = [await marksBySlice(ctx.db, one), await marksBySlice(ctx.db, other)]
  const breath = makeBreath()
  if (!first || !second) return
  for (let z = from; z <= to; z++) {
    yield [z, slicePixels(first(z), z, values), slicePixels(second(z), z, values)]
    await breath()
  }
}

type Distant = Sliced & { value: number; counts: Counts; spacing: Three }

/** Within the bounds of what both marked, and a pixel around where there is one: further out nothing changes. */
async function distancesOf(
  ctx: WorkerContext,
  { readings, values, value, counts, spacing }: Distant,
): Promise<ReturnType<typeof surfaceDistances>> {
  const [item] = await ctx.db.select().from(labelItems).where(eq(labelItems.id, readings[0].itemId))
  const size: Three = [item?.width ?? 0, item?.height ?? 0, item?.depth ?? 0]
  const from = counts.from.map((place) => Math.max(0, place - 1))
  const to = counts.to.map((place, axis) => Math.min((size[axis] ?? 1) - 1, place + 1))
  const [x0 = 0, y0 = 0, z0 = 0] = from
  const [x1 = 0, y1 = 0, z1 = 0] = to
  const within: Three = [x1 - x0 + 1, y1 - y0 + 1, z1 - z0 + 1]
  if (within[0] * within[1] * within[2] > limits.distanceVoxels) return null
  const one = new Uint8Array(within[0] * within[1] * within[2])
  const other = new Uint8Array(one.length)
  for await (const [z, first, second] of slicesOf(ctx, { readings, values, from: z0, to: z1 })) {
    for (let y = y0; y <= y1; y++)
      for (let x = x0; x <= x1; x++) {
        const [there, here] = [y * size[0] + x, ((z - z0) * within[1] + (y - y0)) * within[0] + (x - x0)]
        if (first[there] === value) one[here] = 1
        if (second[there] === value) other[here] = 1
      }
  }
  // What is the same to the pixel needs no looking for the nearest.
  if (diceOf(one, other) === 1) return { hausdorff95: 0, mean: 0 }
  return surfaceDistances(one, other, { size: within, spacing })
}

async function boxesMatched(
  ctx: WorkerContext,
  one: Reading,
  other: Reading,
): Promise<FoundAgreement['boxes']> {
  const boxesOf = async (reading: Reading): Promise<Upright[]> => {
    const marks: Marks | undefined = (await marksBySlice(ctx.db, reading))?.(0)
    return marks ? uprightBoxes(marks, () => []) : []
  }
  const [first, second] = [await boxesOf(one), await boxesOf(other)]
  return { one: first.length, other: second.length, matched: matched(first, second) }
}

/** Greedily by how much they share, each once. */
function matched(first: readonly Upright[], second: readonly Upright[]): number {
  const sorted = second.toSorted((a, b) => middleOf(a) - middleOf(b))
  const near: { at: number; to: number; share: number }[] = []
  for (const [at, one] of first.entries()) {
    // Boxes that share half have their middles within the width of either: of 100,000 only those are compared.
    const width = one.x1 - one.x0
    for (let to = firstFrom(sorted, middleOf(one) - width); to < sorted.length; to++) {
      const other = sorted[to]
      if (!other || middleOf(other) > middleOf(one) + width) break
      const share = one.class === other.class ? sharedBy(one, other) : 0
      if (share >= MATCH) near.push({ at, to, share })
    }
  }
  near.sort((a, b) => b.share - a.share)
  const [ones, others] = [new Set<number>(), new Set<number>()]
  for (const { at, to } of near) {
    if (ones.has(at) || others.has(to)) continue
    ones.add(at)
    others.add(to)
  }
  return ones.size
}

/** IoU from which two boxes are taken for one. */
export const MATCH = 0.5

const middleOf = ({ x0, x1 }: Upright): number => (x0 + x1) / 2

/** Of boxes sorted by their middles the first one at or behind a place. */
function firstFrom(sorted: readonly Upright[], place: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const half = (low + high) >> 1
    const box = sorted[half]
    if (box && middleOf(box) < place) low = half + 1
    else high = half
  }
  return low
}

/** Intersection over union. */
export function sharedBy(one: Upright, other: Upright): number {
  const across = Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0)
  const down = Math.min(one.y1, other.y1) - Math.max(one.y0, other.y0)
  if (across <= 0 || down <= 0) return 0
  const areaOf = ({ x0, y0, x1, y1 }: Upright): number => (x1 - x0) * (y1 - y0)
  return (across * down) / (areaOf(one) + areaOf(other) - across * down)
}
