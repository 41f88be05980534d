/** Lays the images of a series out by slice and time, and says what is missing or twice. */
import type { FlowProblem } from '@neuroloom/contract/flow/study'
import { blocking, type FlowGrid, type FlowImage, type FlowRow } from './images.ts'

/** Slices of one place lie closer than this, in mm; times of one frame, in seconds. */
const SAME_PLACE = 0.05
const SAME_TIME = 0.0015

export function gridOf(images: readonly FlowImage[]): FlowGrid {
  const slices = slicesOf(images)
  const fullest = slices.reduce((most, slice) => (slice.length > most.length ? slice : most), slices[0] ?? [])
  const isTimed = images.every(({ time }) => time !== null)
  const clocks = isTimed ? clocksOf(fullest) : fullest.map((_, index) => index)
  // What is this empty is no film: a table of it could outgrow all memory.
  if (slices.length * clocks.length > 8 * images.length + 1000) return scattered(slices)
  let twice: FlowGrid['twice'] = null
  const cells = slices.map((slice, sliceIndex) => {
    const row: (FlowImage | null)[] = clocks.map(() => null)
    for (const [order, image] of slice.entries()) {
      // A whole slice keeps its order: its times may differ a little from those of others.
      const isWhole = slice.length === clocks.length
      const at = isWhole || !isTimed ? Math.min(order, row.length - 1) : nearest(clocks, image.time ?? 0)
      if (row[at]) twice ??= { slice: sliceIndex + 1, time: at + 1 }
      else row[at] = image
    }
    return row
  })
  return {
    places: slices.map(([first]) => first?.place ?? null),
    times: clocks.map((clock, at) => (isTimed ? middle(cells.map((row) => row[at]?.time ?? clock)) : null)),
    cells,
    twice,
  }
}

const scattered = (slices: readonly FlowImage[][]): FlowGrid => ({
  places: slices.map(([first]) => first?.place ?? null),
  times: [null],
  cells: slices.map(([first]) => [first ?? null]),
  twice: { slice: slices.findIndex(({ length }) => length > 1) + 1, time: 1 },
})

/** Each in the order of time. */
function slicesOf(images: readonly FlowImage[]): FlowImage[][] {
  if (images.some(({ place }) => place === null)) return unplaced(images)
  const placed = [...images].sort((a, b) => (a.place ?? 0) - (b.place ?? 0))
  const slices: FlowImage[][] = []
  for (const image of placed) {
    const last = slices.at(-1)
    if (last?.[0] && (image.place ?? 0) - (last[0].place ?? 0) < SAME_PLACE) last.push(image)
    else slices.push([image])
  }
  for (const slice of slices) slice.sort(byTime)
  return slices
}

const byTime = (a: FlowImage, b: FlowImage): number =>
  (a.time ?? 0) - (b.time ?? 0) || a.turn - b.turn || a.number - b.number || a.frame - b.frame

/** Without places: as many slices as images have the same time, in the order of their numbers. */
function unplaced(images: readonly FlowImage[]): FlowImage[][] {
  const times = new Map<number, FlowImage[]>()
  for (const image of [...images].sort(byTime)) {
    const key = image.time ?? image.turn
    const frame = times.get(key)
    if (frame) frame.push(image)
    else times.set(key, [image])
  }
  const count = [...times.values()].reduce((most, { length }) => Math.max(most, length), 0)
  return Array.from({ length: count }, (_, slice) =>
    [...times.values()].flatMap((frame) => frame[slice] ?? []),
  )
}

/** The times of a slice, each once. */
function clocksOf(slice: readonly FlowImage[]): number[] {
  const clocks: number[] = []
  for (const { time } of slice)
    if (clocks.length === 0 || (time ?? 0) - (clocks.at(-1) ?? 0) > SAME_TIME) clocks.push(time ?? 0)
  // One time for all is none: the frames keep their order.
  return clocks.length === 1 &&
    slice.length > 1 &&
    new Set(slice.map(({ turn }) => turn)).size === slice.length
    ? slice.map((_, index) => index)
    : clocks
}

const nearest = (clocks: readonly number[], time: number): number =>
  clocks.reduce(
    (best, clock, at) => (Math.abs(clock - time) < Math.abs((clocks[best] ?? 0) - time) ? at : best),
    0,
  )

export function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

/** The usual way from slice to slice in mm; null of one slice, or where places are not known. */
export function stepOf({ places }: FlowGrid): number | null {
  const known = places.flatMap((place) => place ?? [])
  if (known.length < 2 || known.length < places.length) return null
  const steps = known.slice(1).map((place, index) => place - (known[index] ?? 0))
  const usual = middle(steps)
  const isEven = steps.every((step) => Math.abs(step / usual - 1) < 0.02)
  // Even steps are known more exactly by their sum.
  return isEven ? ((known.at(-1) ?? 0) - (known[0] ?? 0)) / steps.length : usual
}

/** Slices that lack, images that lack, images twice: of each series that is used, against the others. */
export function gapsOf(rows: readonly FlowRow[]): FlowProblem[] {
  // The one that most others are like.
  const likes = rows.map((row) => rows.filter((other) => isAlike(row, other)).length)
  const lead = rows[likes.indexOf(Math.max(...likes))]
  if (!lead) return []
  const uneven = rows.filter((row) => !isAlike(lead, row))
  if (uneven.length > 0)
    return uneven.map((row) =>
      blocking('unequal_grids', { series: row.series.name, other: lead.series.name }),
    )
  const places = unionOf(rows)
  return rows.flatMap((row) => gapsIn(row, places))
}

/** Sizes, orientations, and numbers of times; of slices no more than every fifth may lack to be told by name. */
function isAlike(a: FlowRow, b: FlowRow): boolean {
  const isSame = (x: number, y: number, near: number): boolean => Math.abs(x - y) <= near
  const [some, others] = [a.grid.places.length, b.grid.places.length]
  const axes = (row: FlowRow): number[] => (row.traits.directions ?? []).flat()
  const steps = (row: FlowRow): number[] => row.traits.spacing ?? []
  return (
    a.traits.columns === b.traits.columns &&
    a.traits.rows === b.traits.rows &&
    a.grid.times.length === b.grid.times.length &&
    isSame(some, others, Math.max(some, others) / 5) &&
    axes(a).length === axes(b).length &&
    axes(a).every((part, at) => isSame(part, axes(b)[at] ?? 0, 1e-3)) &&
    steps(a).every((part, at) => isSame(part, steps(b)[at] ?? 0, 0.01)) &&
    isSame(cornerOf(a), cornerOf(b), 0.5)
  )
}

/** How far the first pixel lies along rows and columns, so that pictures moved aside are told from slices that lack. */
function cornerOf({ traits, grid }: FlowRow): number {
  const position = grid.cells[0]?.find((image) => image)?.position
  if (!position || !traits.directions) return 0
  const [row, column] = traits.directions
  const along = (axis: readonly number[]): number =>
    position.reduce((sum, at, part) => sum + at * (axis[part] ?? 0), 0)
  return along(row) + Math.SQRT2 * along(column)
}

function unionOf(rows: readonly FlowRow[]): number[] {
  const all = rows.flatMap(({ grid }) => grid.places.flatMap((place) => place ?? [])).sort((a, b) => a - b)
  return all.filter((place, index) => index === 0 || place - (all[index - 1] ?? 0) >= SAME_PLACE)
}

function gapsIn({ series, grid }: FlowRow, places: readonly number[]): FlowProblem[] {
  const { name } = series
  const problems: FlowProblem[] = []
  const isPlaced = grid.places.every((place) => place !== null)
  const missing = isPlaced
    ? missingSlices(
        grid.places.flatMap((place) => place ?? []),
        places,
      )
    : []
  if (missing.length > 0) problems.push(blocking('slice_missing', { series: name, slices: listed(missing) }))
  for (const [slice, row] of grid.cells.entries()) {
    const lacking = row.flatMap((image, time) => (image ? [] : [time + 1]))
    if (lacking.length > 0)
      problems.push(blocking('time_missing', { series: name, slice: slice + 1, times: listed(lacking) }))
    if (problems.length >= MOST_TOLD) break
  }
  if (grid.twice) problems.push(blocking('image_twice', { series: name, ...grid.twice }))
  return problems
}

const MOST_TOLD = 10

/** Numbers from 1, of the slices that all series together have, and of those that a gap between them shows. */
function missingSlices(own: readonly number[], all: readonly number[]): number[] {
  const steps = all.slice(1).map((place, index) => place - (all[index] ?? 0))
  const usual = middle(steps)
  const missing: number[] = []
  let number = 0
  for (const [index, place] of all.entries()) {
    const gap = index === 0 || usual <= 0 ? 0 : Math.round((steps[index - 1] ?? usual) / usual) - 1
    for (let one = 0; one < Math.min(gap, MOST_GAP); one += 1) {
      number += 1
      missing.push(number)
    }
    number += 1
    if (!own.some((other) => Math.abs(other - place) < SAME_PLACE)) missing.push(number)
  }
  return missing
}

/** A far-off plane does not make thousands of slices. */
const MOST_GAP = 100

/** As text; of many the first ones. */
const listed = (numbers: readonly number[]): string =>
  numbers.length > 20 ? `${numbers.slice(0, 20).join(', ')} …` : numbers.join(', ')
