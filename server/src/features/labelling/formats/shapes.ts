/** Labelled images between all formats: what readers make of files and writers start from. Pure data. */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { ExchangeProblem } from '@neuroloom/contract/labelling/exchange'
import type { PixelMap } from '@neuroloom/contract/labelling/pixels'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import type { DicomSource } from '../../../infra/reader/dicom/source.ts'
import type { Geometry } from '../../../infra/reader/model.ts'

export type Size = PixelMap['size']

/** Of an image that files may be about. */
export type Target = {
  /** Path below the folder; of a series the name of the item. */
  name: string
  size: Size
  /** Where it lies in the patient; null = not known, or a picture. */
  geometry: Geometry | null
}

/** An image with its marks. */
export type LabelledImage = Target & {
  /** What files about it are called, with folders; no two images have the same. */
  stem: string
  /** Of a DICOM series: what a segmentation has to name. */
  dicom: DicomSource | null
  marks: Marks
}

/** Images come one after the other: all of them may be more than memory takes. */
export type LabelledSet = {
  name: string
  classes: readonly LabelClass[]
  images: AsyncIterable<LabelledImage>
  now: Date
}

/** Bytes of a file that is being written; pieces of one path follow one another. */
export type Piece = { path: string; bytes: Uint8Array }
export type Writer = (set: LabelledSet) => AsyncIterable<Piece>

/** A class as a file knows it; what it does not say is null. */
export type FoundClass = Pick<LabelClass, 'name' | 'skeleton'> & {
  colour: string | null
  use: LabelClass['use']
}

/** Marks that a file tells of one image; classes are named, not numbered, in `marks`. */
export type FoundImage = { kind: 'image'; source: string; target: Target; marks: Marks }
export type Found =
  | FoundImage
  | { kind: 'class'; class: FoundClass }
  | ({ kind: 'problem' } & ExchangeProblem)

export const text = (path: string, content: string): Piece => ({ path, bytes: Buffer.from(content, 'utf8') })

/** What files about each image are called: its name without ending, or with it where two differ in that alone. */
export function stemsOf(names: readonly string[]): Map<string, string> {
  const bare = (name: string): string => name.replace(/\.nii\.gz$/i, '').replace(/\.[^./]{1,8}$/, '')
  const counts = new Map<string, number>()
  const keyOf = (name: string): string => bare(name).normalize('NFC').toLowerCase()
  for (const name of names) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1)
  return new Map(names.map((name) => [name, counts.get(keyOf(name)) === 1 ? bare(name) : name]))
}
