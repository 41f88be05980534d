/** Rectangles around texts: with a margin, and joined where they are of one line. */

export type Box = { x: number; y: number; w: number; h: number }
type Size = { width: number; height: number }

/** Points, accents and what a threshold left of the first and last letter lie within the margin. */
export function padded({ x, y, w, h }: Box, { width, height }: Size): Box {
  const tall = Math.min(w, h)
  const [along, across] = [Math.ceil(tall * 0.35) + 2, Math.ceil(tall * 0.2) + 2]
  const [right, down] = w >= h ? [along, across] : [across, along]
  const [left, top] = [Math.max(0, x - right), Math.max(0, y - down)]
  return {
    x: left,
    y: top,
    w: Math.min(width, x + w + right) - left,
    h: Math.min(height, y + h + down) - top,
  }
}

/** Of one line: those that share most of their height and touch. The weight is the greatest. */
export function joined<T extends Box & { weight: number }>(
  boxes: readonly T[],
): (Box & { weight: number })[] {
  const left: (Box & { weight: number })[] = [...boxes].sort((a, b) => b.w * b.h - a.w * a.h)
  const done: (Box & { weight: number })[] = []
  for (let box = left.shift(); box; box = left.shift()) {
    const at = done.findIndex((one) => isOneLine(one, box))
    const other = done[at]
    if (!other) {
      done.push(box)
      continue
    }
    // What has grown may touch others now.
    done.splice(at, 1)
    left.unshift({ ...around(other, box), weight: Math.max(other.weight, box.weight) })
  }
  return done
}

export function around(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y }
}

function isOneLine(a: Box, b: Box): boolean {
  const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
  const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
  if (across <= 0 || down <= 0) return false
  if (across * down >= MOSTLY * Math.min(a.w * a.h, b.w * b.h)) return true
  const lie = a.w >= a.h && b.w >= b.h && down >= MOSTLY * Math.max(a.h, b.h)
  const stand = a.h > a.w && b.h > b.w && across >= MOSTLY * Math.max(a.w, b.w)
  return lie || stand
}

const MOSTLY = 0.6

export const meet = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
