/** A proposed object becomes marks, as a stroke of the journal like any other; and what hands made of it since. */

import type { Mark } from '@neuroloom/contract/labelling/classes'
import type { Corner } from '@neuroloom/contract/labelling/outline'
import type { Judgement, ProposedObject, ProposedShape } from '@neuroloom/contract/labelling/proposals'
import { rasterise } from '@neuroloom/contract/labelling/rasterise'
import type { Shape, Thing } from '@neuroloom/contract/labelling/things'
import { planeOf, readSpan } from '../canvas/plane.ts'
import type { Bench } from '../tools/bench.ts'

type Region = Extract<ProposedShape, { kind: 'region' }>
export type Taken = {
  object: ProposedObject
  /** What stood around a region before and after it was taken; empty where things were made. */
  before: Uint16Array[]
  after: Uint16Array[]
}
type Wish = { proposalId: string; marks: readonly Mark[]; isOneTag: boolean }

/** The same each time, so that a thing is known again on another visit. */
const thingId = (proposalId: string, number: number, part: number): string =>
  `${proposalId}-${number}${part === 0 ? '' : `-${part}`}`.slice(0, 24)

export function take(bench: Bench, object: ProposedObject, wish: Wish): Taken {
  const { journal } = bench
  const before = seenAround(bench, object)
  journal.stroke('network', () => {
    if (object.shape.kind === 'tag') {
      const tags = [...journal.marks.tags]
      const after = wish.isOneTag ? [object.class] : [...new Set([...tags, object.class])]
      journal.make({ do: 'tags', before: tags, after })
    } else if (object.shape.kind === 'region' && wish.marks.includes('pixels')) {
      fill(bench, object, object.shape)
    } else {
      for (const after of thingsOf(object, wish.proposalId))
        if (!journal.marks.things.has(after.id)) journal.make({ do: 'thing', before: null, after })
    }
  })
  journal.settle()
  bench.renewColours()
  bench.renew('pixels', 'things', 'above')
  return { object, before, after: seenAround(bench, object) }
}

/** What became of something that was taken: null = it was taken back. */
export function becameOf(bench: Bench, { object, before, after }: Taken, wish: Wish): Judgement | null {
  const { tags, things } = bench.journal.marks
  if (object.shape.kind === 'tag') return tags.includes(object.class) ? 'accepted' : null
  if (object.shape.kind === 'region' && wish.marks.includes('pixels')) {
    const now = seenAround(bench, object)
    if (isSame(now, after)) return 'accepted'
    return isSame(now, before) ? null : 'mended'
  }
  const made = thingsOf(object, wish.proposalId)
  const found = made.map(({ id }) => things.get(id))
  if (found.every((one) => one === undefined)) return null
  return found.every((one, index) => isAsMade(one, made[index])) ? 'accepted' : 'mended'
}

const isAsMade = (now: Thing | undefined, made: Thing | undefined): boolean =>
  now !== undefined && now.class === made?.class && JSON.stringify(now.shape) === JSON.stringify(made.shape)

/** Of a body, the slices at most that are compared: enough to see a hand's work. */
const SLICES_SEEN = 8
const MARGIN = 6

/** Segments in a region and a little around it. */
function seenAround(bench: Bench, { shape }: ProposedObject): Uint16Array[] {
  if (shape.kind !== 'region') return []
  const { pixels } = bench.journal.marks
  return shape.slices.slice(0, SLICES_SEEN).map(({ slice, rings }) => {
    const plane = planeOf(bench.body, 2, slice)
    const { left, top, right, bottom } = boundsOf(rings)
    const [from, to] = [Math.max(0, left - MARGIN), Math.min(plane.width, right + MARGIN)]
    const [first, end] = [Math.max(0, top - MARGIN), Math.min(plane.height, bottom + MARGIN)]
    const values = new Uint16Array((to - from) * (end - first))
    for (let row = first; row < end; row++)
      readSpan(
        pixels,
        plane,
        from,
        row,
        values.subarray((row - first) * (to - from), (row - first + 1) * (to - from)),
      )
    return values
  })
}

const isSame = (one: readonly Uint16Array[], other: readonly Uint16Array[]): boolean =>
  one.every((values, index) => values.every((value, at) => value === other[index]?.[at]))

function fill(bench: Bench, object: ProposedObject, { slices }: Region): void {
  const segment = segmentOf(bench, object.class)
  for (const { slice, rings } of slices) {
    const plane = planeOf(bench.body, 2, slice)
    const { left, top, right, bottom } = boundsOf(rings)
    const size = { width: right - left, height: bottom - top }
    const [border, ...holes] = rings.map((ring) => cornersOf(ring, left, top))
    if (!border) continue
    const mask = rasterise([[border, ...holes]], size)
    for (let row = 0; row < size.height; row++)
      for (let from = 0; from < size.width; ) {
        const isIn = mask[row * size.width + from] === 1
        let to = from + 1
        while (to < size.width && (mask[row * size.width + to] === 1) === isIn) to++
        if (isIn) bench.fillOn(plane, { v: top + row, from: left + from, to: left + to, segment })
        from = to
      }
  }
}

/** The class's own one, or one that says that a network drew it. */
function segmentOf(bench: Bench, classId: string): number {
  const { segments } = bench.journal.marks
  const { isEach } = bench.desk.getState()
  const own = isEach ? undefined : [...segments.values()].find((one) => one.class === classId)
  if (own) return own.number
  const number = Math.max(0, ...segments.keys()) + 1
  bench.journal.make({ do: 'segment', before: null, after: { number, class: classId, by: 'network' } })
  return number
}

/** Boxes, and outlines where a set has no pixels: one for each slice of a body. */
function thingsOf(object: ProposedObject, proposalId: string): Thing[] {
  const { shape, number } = object
  const shapes: { slice: number; shape: Shape }[] = []
  if (shape.kind === 'box') shapes.push({ slice: 0, shape: { ...shape, angle: 0 } })
  if (shape.kind === 'region')
    for (const { slice, rings } of shape.slices) shapes.push({ slice, shape: { kind: 'outline', rings } })
  return shapes.map((one, part) => ({
    id: thingId(proposalId, number, part),
    class: object.class,
    place: { axis: 2, slice: one.slice },
    shape: one.shape,
    by: 'network',
    attributes: {},
    track: null,
    isLast: false,
  }))
}

const cornersOf = (ring: readonly number[], left: number, top: number): Corner[] =>
  Array.from({ length: ring.length / 2 }, (_, at) => [
    (ring[2 * at] ?? 0) - left,
    (ring[2 * at + 1] ?? 0) - top,
  ])

export function boundsOf(rings: readonly (readonly number[])[]) {
  const bounds = { left: Number.MAX_SAFE_INTEGER, top: Number.MAX_SAFE_INTEGER, right: 0, bottom: 0 }
  for (const ring of rings)
    for (let at = 0; at + 1 < ring.length; at += 2) {
      const [x = 0, y = 0] = [ring[at], ring[at + 1]]
      bounds.left = Math.min(bounds.left, x)
      bounds.right = Math.max(bounds.right, x)
      bounds.top = Math.min(bounds.top, y)
      bounds.bottom = Math.max(bounds.bottom, y)
    }
  return bounds
}
