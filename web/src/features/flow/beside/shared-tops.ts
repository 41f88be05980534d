/** Colours that mean the same in two pictures, and what one of them has more than the other. Pure. */
import type { Picture, Tops } from '../viewer/numbers/asks.ts'

const names = ['speed', 'vortex', 'map'] as const

/** The larger end of each colour range; null where neither picture has one. */
export function sharedTops(own: readonly (Tops | undefined)[]): Tops {
  const tops: Tops = { speed: null, vortex: null, map: null }
  for (const one of own)
    for (const name of names) {
      const value = one?.[name] ?? null
      if (value !== null) tops[name] = Math.max(tops[name] ?? 0, value)
    }
  return tops
}

/** Speed of the second minus that of the first in m/s; NaN where one of them has no value. Null where they do not lie on each other. */
export function speedDifference(first: Picture, second: Picture): Float32Array | null {
  const isAlike =
    first.width === second.width &&
    first.height === second.height &&
    first.plane === second.plane &&
    Math.abs(first.slice - second.slice) < 1e-6 &&
    JSON.stringify(first.angles) === JSON.stringify(second.angles)
  return isAlike ? second.speed.map((speed, at) => speed - (first.speed[at] ?? Number.NaN)) : null
}
