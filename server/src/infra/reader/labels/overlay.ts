/** Lays a mask on the grid of the image it belongs to: a byte a voxel, in the image's own order. */
import { readRow } from '@neuroloom/contract/labelling/pixels'
import type { OverlayLabel } from '@neuroloom/contract/reading/overlays'
import type { ViewNote } from '@neuroloom/contract/viewing'
import { checkSize, cross, dot, type Geometry, refuse, type Scan, scale, type Triple } from '../model.ts'
import type { Source } from '../read.ts'
import { layersOf, NoLabels } from './labels.ts'
import { type Layers, numbersIn } from './layers.ts'

/** Byte n stands for label n - 1; 0 for nothing. */
export type Overlaid = { bytes: Uint8Array; labels: OverlayLabel[]; notes: ViewNote[] }
type Grid = Pick<Scan, 'size' | 'geometry'>

/** One byte tells so many apart, and nothing. */
const MOST = 255

export async function overlayOn(image: Grid, source: Source): Promise<Overlaid> {
  return layOver(image, await readLayers(source))
}

async function readLayers(source: Source): Promise<Layers> {
  try {
    return await layersOf(source)
  } catch (error) {
    if (error instanceof NoLabels) throw refuse('overlay_values')
    throw error
  }
}

export function layOver(image: Grid, mask: Layers): Overlaid {
  // Layers are points in time where the image has as many, else what lies on each other.
  const isTimed = !mask.areBodies && mask.layers.length > 1 && mask.layers.length === image.size[3]
  const { known, byteOf } = labelsIn(mask)
  const own = bytesOf(mask, isTimed, byteOf)
  const size: Scan['size'] = [...mask.size, isTimed ? mask.layers.length : 1]
  const { bytes, notes } = onGrid(image, { size, geometry: mask.geometry, bytes: own })
  const counts = new Array<number>(MOST + 1).fill(0)
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1
  return { bytes, notes, labels: known.map((label, index) => ({ ...label, count: counts[index + 1] ?? 0 })) }
}

type Known = Omit<OverlayLabel, 'count'>
type ByteOf = (layer: number, value: number) => number

/** Bodies that each layer names by itself are told apart; other numbers mean the same in all. */
function labelsIn({ layers, names, areColours = false }: Layers): { known: Known[]; byteOf: ByteOf } {
  const colours = [...names.values()].flatMap(({ colour }) => colour ?? [])
  const areGreys = colours.every(isGrey)
  const bodyOf = (layer: number, value: number): string =>
    names.has(`${layer}/${value}`) ? `${layer}/${value}` : String(value)
  const found = new Map<string, Known>()
  for (const [layer, map] of layers.entries())
    for (const value of numbersIn(map)) {
      const { name = '', colour = null } = names.get(`${layer}/${value}`) ?? names.get(value) ?? {}
      const shown = areGreys ? null : colour
      // Greys are numbers, whether they were saved once or three times.
      const key =
        areColours && colour ? (shown ?? String(Number.parseInt(colour.slice(1, 3), 16))) : String(value)
      found.set(bodyOf(layer, value), { key, name: name || null, colour: shown })
    }
  if (found.size > MOST) throw refuse('overlay_values')
  const ordered = [...found].sort(([, { key: one }], [, { key: other }]) => byNumber.compare(one, other))
  const bytes = new Map(ordered.map(([body], index) => [body, index + 1]))
  return {
    known: ordered.map(([, label]) => label),
    byteOf: (layer, value) => bytes.get(bodyOf(layer, value)) ?? 0,
  }
}

const byNumber = new Intl.Collator('en', { numeric: true })
const isGrey = (colour: string): boolean => /^#([\da-f]{2})\1\1$/i.test(colour)

/** Where layers lie on each other, the last one is seen. */
function bytesOf({ size, layers }: Layers, isTimed: boolean, byteOf: ByteOf): Uint8Array {
  const [width, height, depth] = size
  const places = width * height * depth
  checkSize([places, isTimed ? layers.length : 1], 1, Number.MAX_SAFE_INTEGER)
  const bytes = new Uint8Array(places * (isTimed ? layers.length : 1))
  const row = new Uint16Array(width)
  for (const [layer, map] of layers.entries())
    for (let line = 0; line < height * depth; line += 1) {
      readRow(map, { x: 0, y: line % height, z: Math.floor(line / height) }, row)
      const start = (isTimed ? layer * places : 0) + line * width
      for (const [x, value] of row.entries()) if (value > 0) bytes[start + x] = byteOf(layer, value)
    }
  return bytes
}

type Placed = Grid & { bytes: Uint8Array }

function onGrid(image: Grid, mask: Placed): { bytes: Uint8Array; notes: ViewNote[] } {
  const isSameSize = image.size.every(
    (side, axis) => side === mask.size[axis] || (axis === 3 && mask.size[3] === 1),
  )
  const [here, there] = [placeOf(image.geometry), placeOf(mask.geometry)]
  const isTimed = mask.size[3] === 1 || mask.size[3] === image.size[3]
  if (here === null || there === null || !isTimed) {
    if (!isSameSize) throw refuse('overlay_size', { image: sizeOf(image), mask: sizeOf(mask) })
    return { bytes: mask.bytes, notes: [] }
  }
  const way = between(here, there)
  if (isSameSize && isSameGrid(way, image.size)) return { bytes: mask.bytes, notes: [] }
  const bytes = sampled(image, mask, way)
  if (bytes.some((byte) => byte > 0) || !mask.bytes.some((byte) => byte > 0))
    return { bytes, notes: [{ name: 'overlay_moved', params: {} }] }
  if (!isSameSize) throw refuse('overlay_elsewhere')
  return { bytes: mask.bytes, notes: [{ name: 'overlay_elsewhere', params: {} }] }
}

const sizeOf = ({ size }: Grid): string => size.filter((side, axis) => axis < 2 || side > 1).join(' × ')

type Whereabouts = { origin: Triple; steps: [Triple, Triple, Triple] }

/** Null where the file does not say how it lies. */
function placeOf(geometry: Geometry | null): Whereabouts | null {
  if (!geometry?.axes || !geometry.origin) return null
  const { axes, spacing, origin } = geometry
  return {
    origin,
    steps: [scale(axes[0], spacing[0]), scale(axes[1], spacing[1]), scale(axes[2], spacing[2])],
  }
}

/** From a voxel of the image to one of the mask. */
function between(image: Whereabouts, { origin, steps: [a, b, c] }: Whereabouts): Whereabouts {
  const volume = dot(a, cross(b, c))
  if (volume === 0) throw refuse('overlay_elsewhere')
  const rows = [cross(b, c), cross(c, a), cross(a, b)] as const
  const turn = (vector: Triple): Triple => [
    dot(rows[0], vector) / volume,
    dot(rows[1], vector) / volume,
    dot(rows[2], vector) / volume,
  ]
  const [x, y, z] = image.origin
  return {
    origin: turn([x - origin[0], y - origin[1], z - origin[2]]),
    steps: [turn(image.steps[0]), turn(image.steps[1]), turn(image.steps[2])],
  }
}

/** All corners within a tenth of a voxel. */
function isSameGrid({ origin, steps }: Whereabouts, [columns, rows, slices]: Scan['size']): boolean {
  const isNear = (x: number, y: number, z: number): boolean =>
    [x, y, z].every((part, axis) => {
      const at =
        (origin[axis] ?? 0) +
        x * (steps[0][axis] ?? 0) +
        y * (steps[1][axis] ?? 0) +
        z * (steps[2][axis] ?? 0)
      return Math.abs(at - part) < 0.1
    })
  return [0, columns - 1].every((x) =>
    [0, rows - 1].every((y) => [0, slices - 1].every((z) => isNear(x, y, z))),
  )
}

/** The nearest voxel of the mask for each of the image; nothing beyond its edge. */
function sampled({ size }: Grid, mask: Placed, { origin, steps: [a, b, c] }: Whereabouts): Uint8Array {
  const [columns, rows, slices] = size
  const [width, height, depth, times] = mask.size
  checkSize([columns, rows, slices, times], 1, Number.MAX_SAFE_INTEGER)
  const bytes = new Uint8Array(columns * rows * slices * times)
  const places = width * height * depth
  let to = 0
  for (let time = 0; time < times; time += 1)
    for (let z = 0; z < slices; z += 1)
      for (let y = 0; y < rows; y += 1)
        for (let x = 0; x < columns; x += 1, to += 1) {
          const u = Math.round(origin[0] + x * a[0] + y * b[0] + z * c[0])
          const v = Math.round(origin[1] + x * a[1] + y * b[1] + z * c[1])
          const w = Math.round(origin[2] + x * a[2] + y * b[2] + z * c[2])
          if (u < 0 || v < 0 || w < 0 || u >= width || v >= height || w >= depth) continue
          bytes[to] = mask.bytes[time * places + (w * height + v) * width + u] ?? 0
        }
  return bytes
}
