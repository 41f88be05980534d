/** Opens masks of any kind as maps of numbers: which number stands where, what it is called, which colour it has. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wholePatch } from '@neuroloom/contract/labelling/patch'
import { labelExchange, labelling } from '@neuroloom/contract/limits'
import type { ViewReason } from '@neuroloom/contract/viewing'
import { type DicomFile, openDicom } from '../dicom/file.ts'
import { isSegmentation, readSegmentation } from '../dicom/segmentation.ts'
import { type DicomSource, sourceOf } from '../dicom/source.ts'
import { imageKindOf } from '../kinds.ts'
import { type Geometry, refuse, type Scan, type Triple } from '../model.ts'
import { readUnpacked } from '../picture/packed.ts'
import { readImage, type Source } from '../read.ts'
import { nrrdPairs } from '../volume/nrrd.ts'
import { type Layers, layered, numbersIn } from './layers.ts'
import { segmentNames } from './nrrd-segments.ts'
import { readIndexes } from './png-indexes.ts'

export type LabelsRefused =
  | ViewReason
  | { name: 'no_whole_numbers' | 'photograph'; params: Record<string, never> }
export type LabelsMade = {
  size: Triple
  geometry: Geometry | null
  /** Names of files in the folder for results, each the bytes of `wholePatch`; '' = nothing is marked. */
  made: string[]
  /** `body`: the same where a body goes on in another layer. */
  values: { layer: number; value: number; body: string; name: string | null; colour: string | null }[]
  areBodies: boolean
}

/** Readable, and no mask. */
export class NoLabels extends Error {
  readonly reason: 'no_whole_numbers' | 'photograph'
  constructor(reason: NoLabels['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** The file as labels, written down as number `index`. */
export async function labelsOf(
  source: Source,
  index: number,
): Promise<LabelsMade | { refused: LabelsRefused }> {
  try {
    const { size, geometry, layers, names, areBodies } = await layersOf(source)
    const made: string[] = []
    const values: LabelsMade['values'] = []
    for (const [layer, map] of layers.entries()) {
      const bytes = wholePatch(map)
      made.push(bytes ? `labels${index}_${layer}` : '')
      if (bytes) await writeFile(join(source.folder, made[layer] ?? ''), bytes)
      for (const value of numbersIn(map)) {
        const own = names.get(`${layer}/${value}`)
        const named = own ?? names.get(value)
        const body = own ? `${layer}/${value}` : String(value)
        values.push({ layer, value, body, name: named?.name || null, colour: named?.colour ?? null })
      }
    }
    return { size, geometry, made, values, areBodies }
  } catch (error) {
    if (error instanceof NoLabels) return { refused: { name: error.reason, params: {} } }
    throw error
  }
}

export async function layersOf(source: Source): Promise<Layers> {
  const [first] = source.files
  if (!first) throw refuse('empty')
  const bytes = readUnpacked(first.path, source.limitBytes)
  const kind = imageKindOf(bytes, first.name)
  if (kind === 'png') {
    const indexed = await readIndexes(bytes, source.limitBytes)
    if (indexed) {
      const layers = layered([indexed.width, indexed.height, 1])
      layers.addNumbers(indexed.values, 0)
      const names = new Map(indexed.palette.map((colour, number) => [number, { name: '', colour }]))
      return { ...layers.made(), geometry: null, names, areBodies: false }
    }
  }
  if (kind === 'dicom') {
    const file = openDicom(bytes, source)
    if (isSegmentation(file)) return readSegmentation(file, source)
  }
  const { scan } = await readImage(source)
  if (scan.size[0] * scan.size[1] * scan.size[2] > labelling.voxels)
    throw refuse('too_large', { limit: Math.round(labelling.voxels / 1e6) })
  const pairs = kind === 'nrrd' ? nrrdPairs(bytes) : new Map<string, string>()
  return scan.channels === 3 ? ofColours(scan) : ofNumbers(scan, pairs)
}

/** Points in time, or what a list holds, are layers. */
function ofNumbers(scan: Scan, pairs: ReadonlyMap<string, string>): Layers {
  const { samples, slope, intercept, geometry } = scan
  const [width, height, depth, times] = scan.size
  const layers = layered([width, height, depth])
  const area = width * height
  for (let plane = 0; plane < depth * times; plane++) {
    const part = samples.subarray(plane * area, (plane + 1) * area)
    const numbers = new Uint16Array(area)
    for (let at = 0; at < area; at++) {
      const value = (part[at] ?? 0) * slope + intercept
      if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new NoLabels('no_whole_numbers')
      numbers[at] = value
    }
    layers.addNumbers(numbers, plane % depth, Math.floor(plane / depth))
  }
  const names = segmentNames(pairs)
  return { ...layers.made(), geometry, names, areBodies: names.size > 0 }
}

/** Colours are numbered in the order of their first pixels; black is nothing. */
function ofColours({ samples, size: [width, height, depth], geometry }: Scan): Layers {
  const layers = layered([width, height, depth])
  const numbers = new Map<number, number>([[0, 0]])
  const area = width * height
  const shift = samples.BYTES_PER_ELEMENT > 1 ? 8 : 0
  for (let slice = 0; slice < depth; slice++) {
    const plane = new Uint16Array(area)
    for (let at = 0; at < area; at++) {
      const from = (slice * area + at) * 3
      const colour =
        ((((samples[from] ?? 0) >> shift) << 16) |
          (((samples[from + 1] ?? 0) >> shift) << 8) |
          ((samples[from + 2] ?? 0) >> shift)) >>>
        0
      const number = numbers.get(colour) ?? numbers.size
      if (number > labelExchange.colours) throw new NoLabels('photograph')
      numbers.set(colour, number)
      plane[at] = number
    }
    layers.addNumbers(plane, slice)
  }
  const names = [...numbers].map(
    ([colour, number]) => [number, { name: '', colour: `#${colour.toString(16).padStart(6, '0')}` }] as const,
  )
  return { ...layers.made(), geometry, names: new Map(names), areBodies: false, areColours: true }
}

export type ImagePlace = { size: Triple; geometry: Geometry | null; dicom: DicomSource | null }

/** How large an image is and where it lies in the patient. */
export async function placeOfImage(source: Source): Promise<ImagePlace> {
  const [first] = source.files
  if (!first) throw refuse('empty')
  const bytes = readUnpacked(first.path, source.limitBytes)
  if (imageKindOf(bytes, first.name) !== 'dicom') {
    const { scan } = await readImage(source)
    const [x, y, z] = scan.size
    return { size: [x, y, z], geometry: scan.geometry, dicom: null }
  }
  const files: DicomFile[] = source.files.map(({ path }) =>
    openDicom(readUnpacked(path, source.limitBytes), source),
  )
  return sourceOf(files, source.limitBytes)
}
