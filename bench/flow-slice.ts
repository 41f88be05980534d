/**
 * `npm run bench -- flow-slice`: the interactive kernel of flow imaging on drawn flows: vorticity maps, streamlines, contours, arrows
 * and live curves, in one thread, beside the time each may take. The load of the machine and the processor's own time are told,
 * because other programs on the same cores multiply what the clock says.
 */
import { loadavg } from 'node:os'
import { arrowsOf } from '@neuroloom/contract/flow/arrows'
import { contoursOf, symmetricLevels } from '@neuroloom/contract/flow/contours'
import { evenLines } from '@neuroloom/contract/flow/even-lines'
import { type Field, fieldOfFrame, movingField } from '@neuroloom/contract/flow/field'
import { referenceSpeed, referenceSpeedOf, topMagnitude } from '@neuroloom/contract/flow/percentile'
import type { Point } from '@neuroloom/contract/flow/region'
import { poissonSeeds } from '@neuroloom/contract/flow/seeds'
import type { FlowVolume, Slice, Three } from '@neuroloom/contract/flow/slice'
import { streamline } from '@neuroloom/contract/flow/streamlines'
import { flowThrough } from '@neuroloom/contract/flow/through'
import { vorticity } from '@neuroloom/contract/flow/vorticity'
import { mulberry32 } from '@neuroloom/contract/statistics/random'

const VOXEL = 0.002
const size: Three = [64, 64, 32]
const FRAMES = 20

function bench() {
  console.log(`load ${loadavg()[0]?.toFixed(2)} at the beginning`)
  vorticityMaps()
  pictures()
  volumes()
  console.log(`load ${loadavg()[0]?.toFixed(2)} at the end`)
}

function vorticityMaps() {
  for (const side of [256, 512]) {
    const slice = vortices(side)
    const most = side === 256 ? 16 : 30
    const times = [3, 5, 7, 9, 11, 13, 15].map((window) =>
      timed(() => vorticity(slice, { window, order: 1 })),
    )
    const [slowest] = times.toSorted((a, b) => b.wall - a.wall)
    if (slowest) tell(`ω of ${side}², planes over 3 to 15, the slowest`, slowest, most)
    const masked = { ...slice, mask: holes(side) }
    tell(
      `ω of ${side}² with a third masked, N = 11`,
      timed(() => vorticity(masked, { window: 11, order: 1 })),
      side === 256 ? 60 : undefined,
    )
    for (const window of [5, 9, 15]) {
      tell(
        `ω of ${side}², cubics over ${window}`,
        timed(() => vorticity(slice, { window, order: 3 })),
      )
    }
    tell(
      `ω of ${side}² with a third masked, cubics over 9`,
      timed(() => vorticity(masked, { window: 9, order: 3 }), 3),
    )
  }
}

/** From an option to a new picture: 100 ms. */
function pictures() {
  const slice = vortices(256)
  const reference = referenceSpeed([slice])
  for (const density of [0.5, 1, 2, 5]) {
    const lines = evenLines(slice, { density, reference })
    const time = timed(() => evenLines(slice, { density, reference }), 5)
    tell(`${lines.length} even streamlines of 256², density ${density}`, time, density > 2 ? undefined : 100)
  }
  const values = vorticity(slice, { window: 5, order: 1 })
  const map = { values, width: 256, height: 256 }
  const levels = symmetricLevels(topMagnitude([values]))
  tell(
    `${levels.length} contour lines and bands of 256²`,
    timed(() => {
      const { lines, above } = contoursOf(map)
      return levels.map((level) => [lines(level), above(level)])
    }, 5),
    100,
  )
  tell(
    'arrows of 256², every other voxel',
    timed(() => arrowsOf(slice, { pitch: 2, scaling: 1, reference })),
    100,
  )
}

function volumes() {
  const volume = helixVolume()
  const reference = referenceSpeedOf(volume)
  const field = fieldOfFrame(volume, 0)
  const again = () => lines500(volume, field, reference)
  const { steps, count } = again()
  tell(`${count} streamlines in 64 × 64 × 32, ${steps} steps, with new seeds`, timed(again), 100)
  tell(
    `20 frames made ready and ${count} lines in each`,
    timed(() => movingField(volume).frames.map((frame) => lines500(volume, frame, reference)), 3),
    1500,
  )
  const moving = movingField(volume)
  const middle = 32 * VOXEL
  const polygon = Array.from({ length: 64 }, (_, at): Point => {
    const turn = (at * Math.PI) / 32
    return [8 * VOXEL * Math.cos(turn), 8 * VOXEL * Math.sin(turn)]
  })
  const plane = { centre: [middle, middle, 16 * VOXEL] as const, normal: [0.3, 0.2, 1] as const }
  tell(
    'live curve of 20 frames, 16 voxels across, exact areas',
    timed(() => flowThrough(moving, { plane, polygons: [polygon], rule: 'exact' })),
    33,
  )
}

/** As long as the middle of their seeds asks for: about 50,000 steps. */
function lines500(volume: FlowVolume, field: Field, reference: number): { steps: number; count: number } {
  const { mask, spacing } = volume
  const seeds = poissonSeeds({ size, spacing, mask, distance: 0.005, seed: 1, most: 500 })
  const lines = seeds.flatMap((seed) => streamline(field, seed, { reference, longest: 36 * VOXEL }) ?? [])
  return { steps: lines.reduce((sum, { points }) => sum + points.length / 3 - 1, 0), count: lines.length }
}

function vortices(side: number): Slice {
  const make = () => new Float32Array(side * side)
  const [u, v, w] = [make(), make(), make()]
  const random = mulberry32(1)
  const turn = (4 * Math.PI) / side
  for (let at = 0; at < u.length; at++) {
    const [x, y] = [(at % side) * turn, Math.floor(at / side) * turn]
    u[at] = Math.sin(x) * Math.cos(y) + 0.02 * random()
    v[at] = -Math.cos(x) * Math.sin(y) + 0.02 * random()
    w[at] = 0.1
  }
  return { width: side, height: side, spacing: [VOXEL, VOXEL], u, v, w, mask: null }
}

/** Round ones, so that many windows are partly full. */
const holes = (side: number): Uint8Array =>
  Uint8Array.from({ length: side * side }, (_, at) =>
    Math.hypot((at % 32) - 16, (Math.floor(at / side) % 32) - 16) < 14.8 ? 1 : 0,
  )

/** A tube along z in which flow turns, stored as whole numbers of mm/s. */
function helixVolume(): FlowVolume {
  const voxels = size[0] * size[1] * size[2]
  const values = new Int16Array(3 * FRAMES * voxels)
  const mask = new Uint8Array(voxels)
  for (let at = 0; at < voxels; at++) {
    const [x, y] = [(at % 64) - 32, (Math.floor(at / 64) % 64) - 32]
    mask[at] = Math.hypot(x, y) < 28 ? 1 : 0
    for (let frame = 0; frame < FRAMES; frame++) {
      const beat = 300 + 200 * Math.sin((2 * Math.PI * frame) / FRAMES)
      const velocity = [(-beat * y) / 28, (beat * x) / 28, beat / 2]
      for (let axis = 0; axis < 3; axis++) values[(axis * FRAMES + frame) * voxels + at] = velocity[axis] ?? 0
    }
  }
  return {
    size,
    spacing: [VOXEL, VOXEL, VOXEL],
    frames: FRAMES,
    frameSeconds: 0.04,
    values,
    scale: 0.001,
    mask,
  }
}

type Times = { wall: number; processor: number }

/** Milliseconds of one turn, after two to get warm: the median on the clock, and the mean of what the process computed. */
function timed(work: () => unknown, turns = 11): Times {
  work()
  work()
  const before = process.cpuUsage()
  const times = Array.from({ length: turns }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  }).toSorted((a, b) => a - b)
  const { user, system } = process.cpuUsage(before)
  return { wall: times[Math.floor(turns / 2)] ?? 0, processor: (user + system) / 1000 / turns }
}

/** The clock counts. */
function tell(what: string, { wall, processor }: Times, most?: number) {
  const reached = wall <= (most ?? wall) ? 'reached' : 'MISSED'
  if (reached === 'MISSED') process.exitCode = 1
  const goal = most === undefined ? '' : `, goal ≤ ${most} ms: ${reached}`
  console.log(`${what}: ${wall.toFixed(1)} ms, processor ${processor.toFixed(1)} ms${goal}`)
}

bench()
