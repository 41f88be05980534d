/** What a network said of an image as objects that one takes or leaves: regions that hang together, boxes, labels. Knows no database. */
import type { ItemResult } from '@neuroloom/contract/engine'
import { components } from '@neuroloom/contract/labelling/components'
import { outline } from '@neuroloom/contract/labelling/outline'
import { countSegments, type PixelMap, readRow } from '@neuroloom/contract/labelling/pixels'
import type { ProposedObject, ProposedShape } from '@neuroloom/contract/labelling/proposals'
import { labelling as limits } from '@neuroloom/contract/limits'
import { namedClass, namedLabels } from '@neuroloom/contract/named'

/** The set's class of each of the network's. */
type Classes = readonly (string | null)[]
export type Objects = { objects: ProposedObject[]; left: number }
type Loose = Omit<ProposedObject, 'number'> & { size: number; corners: number }

/** Of an image as a whole. */
export function tagObjects(
  result: ItemResult,
  task: 'classification' | 'multilabel',
  classes: Classes,
): Objects {
  const indexes = task === 'multilabel' ? namedLabels(result) : [namedClass(result)]
  return chosen(
    indexes.flatMap((index): Loose[] => {
      const id = classes[index]
      const confidence = result.probabilities[index] ?? null
      return id ? [{ class: id, confidence, shape: { kind: 'tag' }, size: confidence ?? 0, corners: 0 }] : []
    }),
  )
}

export function boxObjects({ boxes }: ItemResult, classes: Classes): Objects {
  return chosen(
    (boxes?.found ?? []).flatMap(({ class: index, x0, y0, x1, y1, score }): Loose[] => {
      const id = classes[index]
      const shape: ProposedShape = { kind: 'box', x: x0, y: y0, width: x1 - x0, height: y1 - y0 }
      return id ? [{ class: id, confidence: score, shape, size: score, corners: 4 }] : []
    }),
  )
}

/** `classOf`: the network's class of a number in the map. Each region of a class by itself, in volumes across slices. */
export function regionObjects(
  map: PixelMap,
  { classes, classOf }: { classes: Classes; classOf: (value: number) => number },
): Objects {
  const numbers = [...countSegments(map).keys()]
  return chosen(
    classes.flatMap((id, index) => {
      const own = new Set(numbers.filter((value) => value !== 0 && classOf(value) === index))
      if (id === null || own.size === 0) return []
      // What is known of its certainty is known of the image as a whole.
      const said = { class: id, confidence: null }
      return regionsIn(maskOf(map, own), map.size).map((region) => ({ ...said, ...region }))
    }),
  )
}

/** One class at a time: volumes are large. */
function maskOf(map: PixelMap, values: ReadonlySet<number>): Uint8Array {
  const [width, height, depth] = map.size
  const mask = new Uint8Array(width * height * depth)
  const row = new Uint16Array(width)
  for (let z = 0; z < depth; z++)
    for (let y = 0; y < height; y++) {
      readRow(map, { x: 0, y, z }, row)
      const at = (z * height + y) * width
      for (let x = 0; x < width; x++) if (values.has(row[x] ?? 0)) mask[at + x] = 1
    }
  return mask
}

type Bounds = { number: number; size: number; x: [number, number]; y: [number, number]; z: [number, number] }

function regionsIn(mask: Uint8Array, size: PixelMap['size']): Pick<Loose, 'shape' | 'size' | 'corners'>[] {
  const [width, height] = size
  const { numbers, sizes } = components(mask, size, false)
  const bounds = Array.from(
    sizes,
    (count, number): Bounds => ({ number, size: count, x: [width, 0], y: [height, 0], z: [size[2], 0] }),
  )
  for (let at = 0; at < numbers.length; at++) {
    const own = bounds[numbers[at] ?? 0]
    if (!own || own.number === 0) continue
    const x = at % width
    const row = Math.floor(at / width)
    widen(own.x, x)
    widen(own.y, row % height)
    widen(own.z, Math.floor(row / height))
  }
  const largest = bounds
    .slice(1)
    .sort((one, other) => other.size - one.size)
    .slice(0, limits.proposalObjects + 1)
  return largest.map((own) => {
    const slices = []
    for (let slice = own.z[0]; slice < own.z[1]; slice++) slices.push(sliceOf(numbers, size, { own, slice }))
    const drawn = slices.filter(({ rings }) => rings.length > 0)
    const corners = drawn.reduce((sum, { rings }) => sum + rings.flat().length / 2, 0)
    return { shape: { kind: 'region' as const, slices: drawn }, size: own.size, corners }
  })
}

function widen(range: [number, number], value: number): void {
  if (value < range[0]) range[0] = value
  if (value >= range[1]) range[1] = value + 1
}

function sliceOf(
  numbers: Uint32Array,
  [width, height]: PixelMap['size'],
  { own, slice }: { own: Bounds; slice: number },
) {
  const [left, top] = [own.x[0], own.y[0]]
  const part = { width: own.x[1] - left, height: own.y[1] - top }
  const values = new Uint8Array(part.width * part.height)
  for (let y = 0; y < part.height; y++)
    for (let x = 0; x < part.width; x++) {
      const number = numbers[(slice * height + top + y) * width + left + x]
      if (number === own.number) values[y * part.width + x] = 1
    }
  const rings = outline({ ...part, values }).flatMap((polygon) =>
    polygon.map((ring) => ring.flatMap(([x, y]) => [x + left, y + top])),
  )
  return { slice, rings }
}

/** The largest or surest first, as many as a page can hold. */
function chosen(loose: readonly Loose[]): Objects {
  const sorted = [...loose].sort((one, other) => other.size - one.size)
  const objects: ProposedObject[] = []
  let corners = 0
  for (const { size: _, corners: more, ...object } of sorted) {
    corners += more
    if (objects.length >= limits.proposalObjects || corners > limits.proposalPoints) break
    objects.push({ ...object, number: objects.length + 1 })
  }
  return { objects, left: sorted.length - objects.length }
}
