/** Lines of flow in one array, as the graphics card and a plain canvas read them. Metres along the grid from the middle of the volume; pure. */
import type { Three } from '@neuroloom/contract/flow/slice'

/** Numbers of a point: x, y, z, speed. */
export const STRIDE = 4

/** Each in voxels, with m/s and, of pathlines, frames since the first particle was let go. */
export type PlainLine = {
  points: ArrayLike<number>
  speeds: ArrayLike<number>
  times: ArrayLike<number> | null
}

/**
 * One blank point, then of each line a blank, its points and a blank, then one blank more: a piece between two points is drawn with the
 * points before and behind it, and none has to ask where its line ends. Blanks have a speed below 0 and lie beyond the ends.
 */
export type PackedLines = {
  points: Float32Array<ArrayBuffer>
  /** Of each point: frames since the first particle was let go; 0 of streamlines. */
  times: Float32Array<ArrayBuffer>
  /** Of each line its first point; one more says where the next line would begin. */
  starts: Uint32Array<ArrayBuffer>
}

type Grid = { size: Three; spacing: Three }

/** `spacing` in metres. Lines of fewer than two different places are left out. */
export function packed(lines: readonly PlainLine[], { size, spacing }: Grid): PackedLines {
  const most = lines.reduce((sum, { speeds }) => sum + speeds.length + 2, 2)
  const points = new Float32Array(STRIDE * most)
  const times = new Float32Array(most)
  const starts: number[] = []
  let next = 1
  for (const line of lines) {
    const from = next + 1
    let at = from
    for (let index = 0; index < line.speeds.length; index++) {
      for (const axis of [0, 1, 2] as const) {
        const voxel = line.points[3 * index + axis] ?? 0
        points[STRIDE * at + axis] = (voxel - (size[axis] - 1) / 2) * spacing[axis]
      }
      points[STRIDE * at + 3] = line.speeds[index] ?? 0
      times[at] = line.times?.[index] ?? 0
      // A piece without length has no direction.
      if (at === from || !isTwin(points, at)) at++
    }
    if (at - from < 2) continue
    starts.push(from)
    next = at + 1
  }
  starts.push(next + 1)
  points[3] = -1
  points[STRIDE * next + 3] = -1
  const made = {
    points: points.slice(0, STRIDE * (next + 1)),
    times: times.slice(0, next + 1),
    starts: Uint32Array.from(starts),
  }
  for (let index = 0; index < countOf(made); index++) addBlanks(made, index)
  return made
}

/** At the same place as the point before. */
function isTwin(points: Float32Array, at: number): boolean {
  for (let part = STRIDE * at; part < STRIDE * at + 3; part++) {
    if (points[part] !== points[part - STRIDE]) return false
  }
  return true
}

function addBlanks(lines: PackedLines, index: number): void {
  const { from, to } = lineAt(lines, index)
  const { points, times } = lines
  for (const [blank, end, inner] of [
    [from - 1, from, from + 1],
    [to, to - 1, to - 2],
  ] as const) {
    for (let axis = 0; axis < 3; axis++) {
      const place = points[STRIDE * end + axis] ?? 0
      points[STRIDE * blank + axis] = 2 * place - (points[STRIDE * inner + axis] ?? 0)
    }
    points[STRIDE * blank + 3] = -1
    times[blank] = times[end] ?? 0
  }
}

export const countOf = ({ starts }: PackedLines): number => starts.length - 1

/** Its points are those from `from` to before `to`. */
export function lineAt({ starts }: PackedLines, index: number): { from: number; to: number } {
  return { from: starts[index] ?? 0, to: (starts[index + 1] ?? 0) - 2 }
}

export type Speeds = { mean: number; fastest: number }

/** Over all points, m/s; 0 without a line. */
export function speedsOf(lines: PackedLines): Speeds {
  let [sum, count, fastest] = [0, 0, 0]
  for (let index = 0; index < countOf(lines); index++) {
    const { from, to } = lineAt(lines, index)
    for (let at = from; at < to; at++) {
      const speed = lines.points[STRIDE * at + 3] ?? 0
      sum += speed
      count++
      fastest = Math.max(fastest, speed)
    }
  }
  return { mean: count > 0 ? sum / count : 0, fastest }
}

/** x, y, z and speed of each line's particle at a time: those not let go yet, or at their end before it, are left out. */
export function particlesAt(lines: PackedLines, time: number): Float32Array<ArrayBuffer> {
  const { points, times } = lines
  const places: number[] = []
  const timeAt = (at: number) => times[at] ?? 0
  for (let index = 0; index < countOf(lines); index++) {
    const { from, to } = lineAt(lines, index)
    if (time < timeAt(from) || time > timeAt(to - 1)) continue
    let [low, high] = [from, to - 1]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (timeAt(middle) <= time) low = middle
      else high = middle
    }
    const share = (time - timeAt(low)) / Math.max(timeAt(high) - timeAt(low), 1e-9)
    for (let part = 0; part < 4; part++) {
      const [before, after] = [points[STRIDE * low + part] ?? 0, points[STRIDE * high + part] ?? 0]
      places.push(before + share * (after - before))
    }
  }
  return Float32Array.from(places)
}
