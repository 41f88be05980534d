/** Finds lines of letters in a picture, of any script: blobs on many thresholds, joined to lines, weighed by their looks. */
import { blobsOf } from './blobs.ts'
import { around, type Box, joined, padded } from './boxes.ts'
import { featuresOf, type Seen } from './features.ts'
import { type Line, linesOf } from './lines.ts'
import { type Picture, type PlaneName, planesOf, turned } from './planes.ts'
import { weigh } from './weigh.ts'

/** `weight`: by looks alone; the logarithm of the odds. */
export type Found = Box & { weight: number }
export type Candidate = Box & { features: number[] }

/** Lines of letters, with a margin around them, the likeliest first. */
export function findTexts(picture: Picture): Found[] {
  const likely: Likely[] = []
  for (const looked of linesIn(picture)) {
    const weight = weigh(featuresOf(looked.line, looked.seen))
    if (weight > inCompany.weight)
      likely.push({ ...placeOf(looked.line, looked), weight, grown: grownOf(looked) })
  }
  const alone = likely.filter((one) => isSeen(one, likely, byItself))
  const isWritten = alone.some(({ weight }) => weight >= CERTAIN)
  const found = isWritten ? [...alone, ...likely.filter((one) => isSeen(one, likely, inCompany))] : alone
  return joined(found.map(({ grown, weight }) => ({ ...padded(grown, picture), weight }))).sort(
    (a, b) => b.weight - a.weight,
  )
}

type Likely = Found & { grown: Box }

/**
 * Letters are seen on several thresholds and planes, chance shapes of tissue on one or two: `times`, or once with a weight of
 * `sure`. Chosen on 700 drawn pictures of other seeds than those of `npm run bench -- burned-in`.
 */
type Asked = { weight: number; times: number; sure: number }
const byItself: Asked = { weight: 3.5, times: 4, sure: 14 }
/** A machine that certainly wrote one text wrote others: names of two thin characters look like little. */
const inCompany: Asked = { weight: -2, times: 2, sure: 2 }
const CERTAIN = 14

function isSeen(one: Found, all: readonly Found[], { weight, times, sure }: Asked): boolean {
  if (one.weight <= weight) return false
  if (one.weight >= sure) return true
  let seen = 0
  for (const other of all) {
    if (other.weight <= weight) continue
    const across = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x)
    const down = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y)
    if (across <= 0 || down <= 0) continue
    if (across * down >= 0.5 * Math.min(one.w * one.h, other.w * other.h)) seen += 1
  }
  return seen >= times
}

/** What is weighed, with what it looks like; for learning. */
export function candidatesOf(picture: Picture): Candidate[] {
  return [...linesIn(picture)].map((looked) => ({
    ...placeOf(looked.line, looked),
    features: featuresOf(looked.line, looked.seen),
  }))
}

type Looked = { line: Line; beside: readonly Line[]; seen: Seen }

/** On every threshold of every plane, upright and turned. */
function* linesIn(picture: Picture): Iterable<Looked> {
  for (const [name, upright] of planesOf(picture)) {
    for (const isTurned of [false, true]) {
      const plane = isTurned ? turned(upright) : upright
      for (const threshold of levels[name]) {
        const blobs = blobsOf(plane, threshold, { least: LEAST_AREA, most: TALLEST, widest: WIDEST })
        const lines = linesOf(blobs, plane.height)
        const seen = { plane, name, threshold, isTurned }
        for (const line of lines) if (mayBeText(line)) yield { line, beside: lines, seen }
      }
    }
  }
}

/** In the picture, which is not turned. */
const placeOf = ({ x, y, w, h }: Box, { seen }: Pick<Looked, 'seen'>): Box =>
  seen.isTurned ? { x: y, y: x, w: h, h: w } : { x, y, w, h }

/** With what stands in the same line a wide gap away: a unit, a point, a single letter. */
function grownOf({ line, beside, seen }: Looked): Box {
  let box: Box = line
  for (const other of beside) {
    const isLevel = other.y >= line.y - REACH * line.h && other.y + other.h <= line.y + (1 + REACH) * line.h
    const gap = Math.max(other.x - box.x - box.w, box.x - other.x - other.w)
    if (isLevel && gap > 0 && gap <= GAP * line.h && other.w <= SINGLE * line.h) box = around(box, other)
  }
  return placeOf(box, { seen })
}

/** In heights of the line. */
const REACH = 0.3
const GAP = 1.8
const SINGLE = 2

const levels: Record<PlaneName, readonly number[]> = {
  bright: [28, 44, 62, 82, 104, 128, 152, 176, 200, 222, 240],
  dark: [60, 90, 120, 150, 180, 210, 235],
  colourful: [18, 32, 50, 80, 110, 140, 170, 200],
  tinted: [60, 80, 100, 120, 140, 160, 180, 200, 220],
  raised: [36, 56, 80, 110, 140],
  sunken: [50, 80, 120],
}
/** In pixels: letters are no taller, and nothing of one is smaller. */
const TALLEST = 64
const LEAST_AREA = 3
/** A word of small letters that touch. */
const WIDEST = 420

function mayBeText({ w, h, blobs }: Line): boolean {
  if (h < 5 || h > TALLEST || w < h * 1.2) return false
  const tallest = Math.max(...blobs.map((blob) => blob.h))
  if (tallest < h * 0.5) return false
  return blobs.reduce((sum, blob) => sum + blob.runs, 0) >= h * 1.3
}
