/**
 * Reads DICOM segmentations (PS3.3 A.51 and C.8.20): bits, shares or numbers of segments, each frame where its position says. Segments
 * that lie on each other are given in layers.
 */

import type { Layers } from '../labels/layers.ts'
import { layered } from '../labels/layers.ts'
import { cross, dot, type Geometry, refuse, type Triple } from '../model.ts'
import { colourOfLab } from './cielab.ts'
import type { DicomFile } from './file.ts'
import { readStored } from './pixels.ts'
import { type Plane, planesOf } from './planes.ts'

const CLASSES: ReadonlySet<string> = new Set(['1.2.840.10008.5.1.4.1.1.66.4', '1.2.840.10008.5.1.4.1.1.66.7'])
export const isSegmentation = (file: DicomFile): boolean => CLASSES.has(file.text('00080016'))

type Options = { limitBytes: number; folder: string }

export async function readSegmentation(file: DicomFile, options: Options): Promise<Layers> {
  const { shape, frames, samples } = await readStored(file, options)
  const planes = planesOf(file, 0, frames)
  const { geometry, places } = placed(planes)
  const kind = file.text('00620001')
  const least = leastOf(file)
  const perFrame = file.items('52009230')
  const shared = file.items('52009229')[0]
  const size: Triple = [shape.columns, shape.rows, Math.max(...places) + 1]
  const area = shape.columns * shape.rows
  const layers = layered(size)
  for (let frame = 0; frame < frames; frame++) {
    const slice = places[frame] ?? 0
    const part = samples.subarray(frame * area, (frame + 1) * area)
    if (kind === 'LABELMAP') layers.addNumbers(part, slice)
    else layers.addBody(part, { slice, least, number: segmentOf(perFrame[frame], shared) })
  }
  return { ...layers.made(), geometry, names: segmentNamesIn(file), areBodies: true }
}

/** From which stored number on a pixel belongs to a segment: of shares from one half on. */
export const leastOf = (file: DicomFile): number =>
  file.text('00620001') === 'FRACTIONAL' ? Math.max(1, (file.numbers('0062000e')[0] ?? 255) / 2) : 1

export function segmentOf(...groups: (ReturnType<DicomFile['items']>[number] | undefined)[]): number {
  const numbers = groups.flatMap((group) => group?.items('0062000a')[0]?.numbers('0062000b') ?? [])
  const [number] = numbers
  if (number === undefined || !(number >= 1 && number <= 65_535)) throw refuse('header_contradicts')
  return number
}

export function segmentNamesIn(file: DicomFile): Map<number, { name: string; colour: string | null }> {
  const entries = file.items('00620002').map((item) => {
    const name = item.text('00620005') || (item.items('0062000f')[0]?.text('00080104') ?? '')
    const colour = colourOfLab(item.numbers('0062000d'))
    return [item.numbers('00620004')[0] ?? 0, { name, colour }] as const
  })
  return new Map(entries)
}

/** Frames are there only where something is marked: places between them count, too. */
function placed(planes: readonly Plane[]): { geometry: Geometry | null; places: number[] } {
  const directions = planes[0]?.directions ?? null
  if (!directions || planes.some(({ position }) => position === null))
    return { geometry: null, places: planes.map((_, frame) => frame) }
  const normal = cross(...directions)
  const ways = planes.map(({ position }) => dot(position ?? [0, 0, 0], normal))
  const sorted = [...new Set(ways.map((way) => Math.round(way * 1000) / 1000))].sort((a, b) => a - b)
  const [start = 0] = sorted
  const steps = sorted.slice(1).map((way, index) => way - (sorted[index] ?? 0))
  const said = planes[0]?.thickness ?? null
  const smallest = steps.length > 0 ? Math.min(...steps) : (said ?? 1)
  // What is said counts where it is not more than the frames lie apart.
  const step = said !== null && said < smallest * 0.99 && isMultiple(steps, said) ? said : smallest
  const places = ways.map((way) => Math.round((way - start) / step))
  if (Math.max(...places) > MOST_SLICES) throw refuse('header_contradicts')
  const first = planes[places.indexOf(0)]
  return {
    places,
    geometry: {
      spacing: [...(first?.spacing ?? [1, 1]), step],
      origin: first?.position ?? null,
      axes: [...directions, normal],
    },
  }
}

const MOST_SLICES = 100_000
const isMultiple = (steps: readonly number[], by: number): boolean =>
  steps.every((step) => Math.abs(step / by - Math.round(step / by)) < 0.05)
