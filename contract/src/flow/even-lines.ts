/**
 * Streamlines of a plane, evenly spaced: B. Jobard and W. Lefer, "Creating Evenly-Spaced Streamlines of Arbitrary Density" (1997,
 * 10.1007/978-3-7091-6876-9_5). New lines begin d_sep beside lines that are there and end where they come nearer than d_test to
 * one; afterwards whatever is still farther than d_sep from all gets a line of its own. The same slice gives the same lines. Pure.
 */
import { fieldOfSlice } from './field.ts'
import { makeNear } from './near.ts'
import { knownOf, type Slice } from './slice.ts'
import { type Line, STEP, streamline } from './streamlines.ts'

/** Separations over the longer side at a density of 1, as matplotlib's streamplot has. */
const SEPARATIONS = 30
/** d_test : d_sep. */
const NEAREST = 0.5
/** A seed beside a line is as far from it as its points tell. */
const SLACK = 1e-3

/** d_sep in metres: the longer side / (30·density). */
export const separation = ({ width, height, spacing }: Slice, density: number): number =>
  Math.max(width * spacing[0], height * spacing[1]) / (SEPARATIONS * density)

type Density = {
  /** linDensity. */
  density: number
  /** v_ref in m/s. */
  reference: number
}

export function evenLines(slice: Slice, { density, reference }: Density): Line[] {
  const placer = makePlacer(slice, { density, reference })
  const fastest = fastestOf(slice)
  if (fastest === null) return []
  placer.tryAt(...fastest)
  let turn = 0
  const growOn = () => {
    for (; turn < placer.lines.length; turn++) placer.trySidesOf(turn)
  }
  growOn()
  // What no line leads to: another vessel, another vortex.
  for (let at = 0; at < slice.width * slice.height; at++) {
    if (placer.tryAt(at % slice.width, Math.floor(at / slice.width))) growOn()
  }
  return placer.lines
}

function makePlacer(slice: Slice, { density, reference }: Density) {
  const [hx, hy] = slice.spacing
  const apart = separation(slice, density)
  const nearest = NEAREST * apart
  const taken = makeTaken(slice, { apart, nearest })
  const field = fieldOfSlice(slice)
  // Points stand so close that the line between them is no nearer to others than they are, to 4 %.
  const step = Math.min(STEP * Math.min(hx, hy), nearest / 2)
  const lines: Line[] = []

  const tryAt = (x: number, y: number): boolean => {
    if (taken.has(x, y, apart * (1 - SLACK))) return false
    taken.begin(x, y)
    const line = streamline(field, [x, y, 0], {
      reference,
      step,
      isNear: (i, j, _k, length) => taken.goesOn(i, j, length),
    })
    const isLong = line !== null && (line.points.length / 3 - 1) * step >= nearest
    if (isLong) lines.push(line)
    else taken.undo()
    return isLong
  }

  /** Each of its points has two neighbours, d_sep to the left and to the right. */
  const trySidesOf = (turn: number) => {
    const points = lines[turn]?.points ?? new Float64Array()
    for (let at = 0; at + 3 < points.length; at += 3) {
      const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0]
      const along = ((points[at + 3] ?? 0) - x) * hx
      const across = ((points[at + 4] ?? 0) - y) * hy
      const length = Math.hypot(along, across)
      if (length === 0) continue
      for (const side of [apart, -apart]) {
        tryAt(x - (side * across) / (length * hx), y + (side * along) / (length * hy))
      }
    }
  }
  return { lines, tryAt, trySidesOf }
}

/**
 * The places that lines take, the one under way too. It may come near to its own last piece, which is a bend, and to its own
 * beginning, on which it may close; a spiral ends where it comes round.
 */
function makeTaken(
  { width, height, spacing: [hx, hy] }: Slice,
  { apart, nearest }: { apart: number; nearest: number },
) {
  const near = makeNear(apart, [Math.ceil((width * hx) / apart), Math.ceil((height * hy) / apart), 1])
  /** Of each point of the line under way, counted from `first` on: how far along. */
  let lengths: number[] = []
  let first = 0
  return {
    has: (x: number, y: number, reach: number) => near.has(x * hx, y * hy, 0, reach),
    begin(x: number, y: number) {
      first = near.size()
      lengths = [0]
      near.add(x * hx, y * hy, 0)
    },
    undo: () => near.cut(first),
    /** Adds the place unless it is too near to another: then true. */
    goesOn(x: number, y: number, length: number): boolean {
      const isMeant = (point: number) => {
        if (point < first) return true
        const other = lengths[point - first] ?? 0
        return Math.abs(other) > BEGINNING * nearest && Math.abs(other - length) > BEND * nearest
      }
      if (near.has(x * hx, y * hy, 0, nearest, isMeant)) return true
      near.add(x * hx, y * hy, 0)
      lengths.push(length)
      return false
    },
  }
}

/** Lengths of a line, in d_test, within which it may be near to itself: half a turn, and either side of its seed. */
const BEND = Math.PI
const BEGINNING = 2

/** The middle of the voxel with the fastest flow along the plane; null where none is known. */
function fastestOf(slice: Slice): [number, number] | null {
  let best = -1
  let top = 0
  for (const [at, speed] of speedsOf(slice).entries()) {
    if (speed > top) [best, top] = [at, speed]
  }
  return best < 0 ? null : [best % slice.width, Math.floor(best / slice.width)]
}

/** Along the plane; NaN where it is not known. */
function speedsOf({ width, height, u, v, mask }: Slice): Float64Array {
  const known = knownOf([u, v], { count: width * height, mask })
  return Float64Array.from(known, (is, at) => (is ? Math.hypot(u[at] ?? 0, v[at] ?? 0) : Number.NaN))
}
