/**
 * For the engine's tests: `node --import tsx --conditions=neuroloom-source … FILE`: what the browser's kernel makes of the slice and the
 * volume in `FILE` (JSON; null = no value), as JSON.
 */
import { readFileSync } from 'node:fs'
import { fieldOfFrame } from '@neuroloom/contract/flow/field'
import { streamline } from '@neuroloom/contract/flow/streamlines'
import { vorticity } from '@neuroloom/contract/flow/vorticity'

type Given = {
  slice: {
    width: number
    height: number
    spacing: [number, number]
    u: (number | null)[]
    v: (number | null)[]
    mask: number[]
  }
  windows: { window: number; order: 1 | 3 }[]
  volume: {
    size: [number, number, number]
    spacing: [number, number, number]
    values: number[]
    mask: number[]
  }
  seeds: [number, number, number][]
  reference: number
  longest: number
}

const [, , path = ''] = process.argv
const given: Given = JSON.parse(readFileSync(path, 'utf8'))
const numbers = (list: (number | null)[]) => Float64Array.from(list, (one) => one ?? Number.NaN)
const { width, height, spacing, u, v, mask } = given.slice
const slice = {
  ...{ width, height, spacing, u: numbers(u), v: numbers(v), w: new Float64Array(u.length) },
  mask: Uint8Array.from(mask),
}
const omegas = given.windows.map((fit) => [...vorticity(slice, fit)])
const { volume } = given
const field = fieldOfFrame(
  {
    ...{ size: volume.size, spacing: volume.spacing, frames: 1, frameSeconds: 1, scale: 1 },
    ...{ values: Float64Array.from(volume.values), mask: Uint8Array.from(volume.mask) },
  },
  0,
)
const lines = given.seeds.map((seed) => {
  const line = streamline(field, seed, { reference: given.reference, longest: given.longest })
  return line && { points: [...line.points], ends: line.ends }
})
console.log(JSON.stringify({ omegas, lines }))
