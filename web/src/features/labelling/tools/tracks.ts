/** The same thing in several frames or slices: it is taken along, and between two of them it moves evenly, corner by corner. Pure. */
import type { Shape, Thing } from '@neuroloom/contract/labelling/things'

/** null: the shapes do not have the same corners. */
export function shapeBetween(one: Shape, other: Shape, part: number): Shape | null {
  const mixed = (from: number, to: number) => from + (to - from) * part
  const all = (from: readonly number[], to: readonly number[]) =>
    from.length === to.length ? from.map((value, at) => mixed(value, to[at] ?? value)) : null
  if (one.kind === 'box' && other.kind === 'box') {
    // The shorter way round.
    const turn = ((((other.angle - one.angle) % 360) + 540) % 360) - 180
    return {
      kind: 'box',
      x: mixed(one.x, other.x),
      y: mixed(one.y, other.y),
      width: mixed(one.width, other.width),
      height: mixed(one.height, other.height),
      angle: (one.angle + turn * part) % 360,
    }
  }
  if (one.kind === 'outline' && other.kind === 'outline') {
    if (one.rings.length !== other.rings.length) return null
    const rings = one.rings.flatMap((ring, at) => {
      const found = all(ring, other.rings[at] ?? [])
      return found ? [found] : []
    })
    return rings.length === one.rings.length ? { kind: 'outline', rings } : null
  }
  if (one.kind === 'line' && other.kind === 'line') {
    const points = all(one.points, other.points)
    return points && { kind: 'line', points }
  }
  if (one.kind === 'points' && other.kind === 'points') {
    const points = all(one.points, other.points)
    return points && { ...one, points }
  }
  return null
}

/** All frames of a thing, the first one first; of one without a track itself alone. */
export const framesOf = (thing: Thing, things: Iterable<Thing>): Thing[] =>
  thing.track === null
    ? [thing]
    : [...things]
        .filter(({ track, place }) => track === thing.track && place.axis === thing.place.axis)
        .sort((one, other) => one.place.slice - other.place.slice)

/** The thing on the slices between those on which it was drawn; none behind one on which it ended. */
export function thingsBetween(frames: readonly Thing[], newId: () => string): Thing[] {
  return frames.flatMap((one, at) => {
    const other = frames[at + 1]
    if (!other || one.isLast) return []
    const gap = other.place.slice - one.place.slice
    return Array.from({ length: Math.max(0, gap - 1) }, (_, step) => {
      const shape = shapeBetween(one.shape, other.shape, (step + 1) / gap)
      const place = { ...one.place, slice: one.place.slice + step + 1 }
      return shape ? [{ ...one, id: newId(), shape, place, by: 'assist' as const }] : []
    }).flat()
  })
}
