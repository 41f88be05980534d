/** Tells apart what one series or file holds side by side: stacks of several directions, and acquisitions of one body. Pure. */
import { cross, dot } from '../model.ts'
import { isParallel, type Plane } from './planes.ts'

/**
 * The planes of each image, the largest image first. Planes whose places are not known stay together. Acquisitions that
 * have the same places are points in time of one image; others are images of their own, before anything is sorted by place.
 */
export function separated(planes: readonly Plane[]): Plane[][] {
  const parts = byDirection(planes).flatMap((group) => byAcquisition(group))
  return parts.sort((a, b) => b.length - a.length)
}

function byDirection(planes: readonly Plane[]): Plane[][] {
  if (planes.some(({ position, directions }) => !position || !directions)) return [[...planes]]
  const groups: Plane[][] = []
  for (const plane of planes) {
    const own = groups.find(([first]) => first?.directions && isParallel(plane.directions, first.directions))
    if (own) own.push(plane)
    else groups.push([plane])
  }
  return groups
}

/** The first sign by which whole stacks lie over each other, then the same with each of them. */
function byAcquisition(planes: Plane[]): Plane[][] {
  const directions = planes[0]?.directions
  if (!directions || planes.length < 2 * LEAST || planes.some(({ position }) => !position)) return [planes]
  const normal = cross(...directions)
  const placed = planes.map((plane) => ({ plane, at: dot(plane.position ?? [0, 0, 0], normal) }))
  const count = planes[0]?.acquisition.length ?? 0
  const signs: { signOf: Sign; isSure: boolean }[] = [
    ...Array.from({ length: count }, (_, sign) => ({
      signOf: (plane: Plane) => plane.acquisition[sign] ?? null,
      isSure: sign < SURE_SIGNS,
    })),
    { signOf: runsOf(placed), isSure: false },
  ]
  for (const { signOf, isSure } of signs) {
    const groups = groupsBy(placed, signOf)
    if (areApart(groups, isSure))
      return groups.flatMap((group) => byAcquisition(group.map(({ plane }) => plane)))
  }
  return [planes]
}

/** Point in time, acquisition, echo, diffusion and kind of image; when a slice was taken differs within an acquisition too. */
const SURE_SIGNS = 5

type Placed = { plane: Plane; at: number }
type Sign = (plane: Plane) => string | number | null

function groupsBy(placed: readonly Placed[], signOf: Sign): Placed[][] {
  const groups = new Map<string | number | null, Placed[]>()
  for (const one of placed) {
    const sign = signOf(one.plane)
    const group = groups.get(sign)
    if (group) group.push(one)
    else groups.set(sign, [one])
  }
  return [...groups.values()]
}

/** Numbers of images run through each stack, and begin anew at its other end with the next one. */
function runsOf(placed: readonly Placed[]): Sign {
  const numbers = new Map<Plane, number>()
  const inOrder = [...placed].sort(
    (a, b) => orderOf(a.plane) - orderOf(b.plane) || a.plane.frame - b.plane.frame,
  )
  let run = 0
  let way = 0
  for (const [index, { plane, at }] of inOrder.entries()) {
    const before = inOrder[index - 1]
    const step = before ? Math.sign(at - before.at) : 0
    if (way !== 0 && step !== 0 && step !== way) {
      run += 1
      way = 0
    } else if (step !== 0) way = step
    numbers.set(plane, run)
  }
  return (plane) => numbers.get(plane) ?? 0
}

/** The image's number. */
const orderOf = ({ times }: Plane): number => times.at(-2) ?? 0

/** One plane is no stack; a number for each plane is no sign of acquisitions. */
const LEAST = 2
/** Places closer than this are the same, in millimetres. */
const SAME_PLACE = 0.01
/** Of the thickness: slices that lie closer than so much of it overlap. */
const OVERLAP = 0.75

/** Stacks over the same part of the body, at other places, that do not go between each other as one packed in halves does. */
function areApart(groups: readonly Placed[][], isSure: boolean): boolean {
  if (groups.length < 2 || groups.some((group) => group.length < LEAST)) return false
  const stacks = groups.map(placesOf)
  if (stacks.some((stack) => stack.length < LEAST)) return false
  if (!overlap(stacks)) return false
  const [first = [], ...others] = stacks
  if (others.every((stack) => isSame(stack, first))) return false
  const all = placesOf(groups.flat())
  const isShared = all.length < stacks.reduce((sum, { length }) => sum + length, 0)
  const thickness = groups[0]?.[0]?.plane.thickness ?? null
  // Halves of one stack that were taken in turn touch each other and share no place.
  const touches = thickness === null ? !isSure : stepOf(all) >= OVERLAP * thickness
  const isInTurn = !isShared && isEven(all) && touches
  return !isInTurn
}

function placesOf(group: readonly Placed[]): number[] {
  const sorted = group.map(({ at }) => at).sort((a, b) => a - b)
  return sorted.filter((at, index) => index === 0 || at - (sorted[index - 1] ?? 0) >= SAME_PLACE)
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((at, index) => Math.abs(at - (other[index] ?? 0)) < SAME_PLACE)

/** Of the longest, each covers half at least. */
function overlap(stacks: readonly number[][]): boolean {
  const ends = stacks.map((stack) => ({ from: stack[0] ?? 0, to: stack.at(-1) ?? 0 }))
  const longest = Math.max(...ends.map(({ from, to }) => to - from))
  const shared = Math.min(...ends.map(({ to }) => to)) - Math.max(...ends.map(({ from }) => from))
  return shared >= longest / 2
}

const stepOf = (places: readonly number[]): number =>
  ((places.at(-1) ?? 0) - (places[0] ?? 0)) / Math.max(places.length - 1, 1)

const isEven = (places: readonly number[]): boolean => {
  const step = stepOf(places)
  return places.every((at, index) => Math.abs(at - (places[0] ?? 0) - index * step) < 0.05 * step)
}
