/** Writes an image in another format, reads that again and compares both. */
import { basename, join } from 'node:path'
import type { ConversionCheck, ConversionFormat, ConversionOptions } from '@neuroloom/contract/conversions'
import type { ViewNote } from '@neuroloom/contract/viewing'
import { compare } from './checks.ts'
import { refuse, type Scan } from './model.ts'
import { RESULT } from './names.ts'
import { isScaleLost, notesOf } from './notes.ts'
import { readUnpacked } from './picture/packed.ts'
import { readPicture } from './pictures.ts'
import { readImage, type Source } from './read.ts'
import { writeDicomSeries } from './write/dicom.ts'
import { writePictures } from './write/pictures.ts'
import { writeTiff } from './write/tiff.ts'
import { writeMetaImage, writeNifti, writeNrrd } from './write/volumes.ts'

export type Order = {
  format: ConversionFormat
  options: ConversionOptions
  /** What a series is called in its headers. */
  title: string
  /** When, as the headers of a series say. */
  at: string
}

type Converted = {
  /** Names of what was made, in the source's folder. */
  made: string[]
  /** What was kept and what changed; of several images, the worst of each. */
  checks: ConversionCheck[]
  /** What the reader found to be said of the source. */
  notes: ViewNote[]
}

/** Each image that lies in the source becomes a result of its own. */
export async function convert(source: Source, order: Order): Promise<Converted> {
  const { scan } = await readImage(source)
  if (isScaleLost(scan)) throw refuse('scale_unreadable')
  if (scan.parts === 1) return convertScan(scan, source, order, '')
  const all: Converted[] = []
  for (let part = 0; part < scan.parts; part += 1) {
    const { scan: one } = await readImage(source, part)
    all.push(await convertScan(one, source, order, `_part${part + 1}`))
  }
  const notes = all.flatMap((one) => one.notes).filter(({ name }) => name !== 'parts_separate')
  return {
    made: all.flatMap(({ made }) => made),
    checks: worstOf(all.map(({ checks }) => checks)),
    notes: once([{ name: 'parts_converted', params: { count: scan.parts } }, ...notes]),
  }
}

async function convertScan(scan: Scan, source: Source, order: Order, suffix: string): Promise<Converted> {
  const made = await write(scan, join(source.folder, `${RESULT}${suffix}`), order)
  const again = await readAgain(made, scan, { source, order })
  return {
    made: made.map((path) => basename(path)),
    checks: compare(scan, again, order),
    // How a page shows colours is no matter of the result.
    notes: once(notesOf(scan).filter(({ name }) => name !== 'shown_in_eight_bits')),
  }
}

const once = (notes: readonly ViewNote[]): ViewNote[] => [
  ...new Map(notes.map((note) => [JSON.stringify(note), note])).values(),
]

function worstOf(all: readonly ConversionCheck[][]): ConversionCheck[] {
  const order: ConversionCheck['state'][] = ['changed', 'unknown', 'kept']
  const [first = []] = all
  return first.map((check, index) => {
    const same = all.flatMap((checks) => checks[index] ?? [])
    return order.flatMap((state) => same.find((one) => one.state === state) ?? [])[0] ?? check
  })
}

async function write(scan: Scan, out: string, { format, options, title, at }: Order): Promise<string[]> {
  const path = (ending: string): string => `${out}.${ending}`
  const count = scan.size[2] * scan.size[3]
  const digits = Math.max(String(count).length, 3)
  const numbered = (ending: string) => (index: number) =>
    count === 1 ? path(ending) : `${out}_${String(index + 1).padStart(digits, '0')}.${ending}`
  switch (format) {
    case 'nifti':
      await writeNifti(scan, path('nii.gz'), 6)
      return [path('nii.gz')]
    case 'nrrd':
      await writeNrrd(scan, path('nrrd'))
      return [path('nrrd')]
    case 'mha':
      await writeMetaImage(scan, path('mha'))
      return [path('mha')]
    case 'tiff':
      await writeTiff(scan, path('tif'))
      return [path('tif')]
    case 'png':
    case 'jpeg':
      return writePictures(scan, { format, ...options }, numbered(format === 'png' ? 'png' : 'jpg'))
    case 'dicom':
      return writeDicomSeries(scan, { description: title, now: new Date(at) }, numbered('dcm'))
  }
}

/** The results by the readers that open anybody's files. */
async function readAgain(
  paths: string[],
  scan: Scan,
  { source, order: { format } }: { source: Source; order: Order },
): Promise<Scan> {
  if (format !== 'png' && format !== 'jpeg') {
    const files = paths.map((path) => ({ path, name: basename(path) }))
    const { scan: again } = await readImage({ ...source, files, siblings: new Map() })
    return again
  }
  const pages: Scan[] = []
  for (const path of paths) pages.push(await readPicture(readUnpacked(path, source.limitBytes), format))
  const [first] = pages
  if (!first) throw refuse('reader_failed')
  const samples = joinAll(pages)
  return { ...first, size: [first.size[0], first.size[1], scan.size[2], scan.size[3]], samples }
}

function joinAll(pages: Scan[]): Scan['samples'] {
  const [first] = pages
  const length = pages.reduce((sum, { samples }) => sum + samples.length, 0)
  const all = first?.samples instanceof Uint16Array ? new Uint16Array(length) : new Uint8Array(length)
  let at = 0
  for (const { samples } of pages) {
    all.set(samples, at)
    at += samples.length
  }
  return all
}
