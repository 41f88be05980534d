/** What the reading program is asked for: showing an image, looking at headers, converting. Each answers with data. */
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import {
  type ConversionCheck,
  conversionFormatSchema,
  conversionOptionsSchema,
} from '@neuroloom/contract/conversions'
import { windowSchema } from '@neuroloom/contract/dicom-data'
import { type FlowLook, type FlowProblem, flowAnswerSchema } from '@neuroloom/contract/flow/study'
import { labelWorkbooks, workbooks } from '@neuroloom/contract/limits'
import type { OverlayLabel } from '@neuroloom/contract/reading/overlays'
import type { DicomTag, ImageFacts, ViewNote, ViewReason } from '@neuroloom/contract/viewing'
import sharp from 'sharp'
import * as z from 'zod'
import { convert } from './converting.ts'
import { type DerivedFile, deriveAll } from './deriving.ts'
import { openDicom } from './dicom/file.ts'
import type { DicomHead } from './dicom/head.ts'
import { namesPatient } from './dicom/identity.ts'
import { hasPixels } from './dicom/pixels.ts'
import { type SeriesPlace, seriesOf, tagsOf } from './dicom/tags.ts'
import { factsOf } from './facts.ts'
import { FlowRefusal } from './flow/images.ts'
import { lookAtFlow } from './flow/look.ts'
import { makeFlow } from './flow/make.ts'
import { dicomHeadOf, HEAD_BYTES, readStart } from './heads.ts'
import { imageKindOf } from './kinds.ts'
import {
  type ImagePlace,
  type LabelsMade,
  type LabelsRefused,
  labelsOf,
  placeOfImage,
} from './labels/labels.ts'
import { overlayOn } from './labels/overlay.ts'
import { type Geometry, Refusal, type Scan } from './model.ts'
import { notesOf } from './notes.ts'
import { startsAsDicom } from './patient-hint.ts'
import { namesInArchive, namesInText, packingOf } from './patient-names.ts'
import { isGzip, readUnpacked } from './picture/packed.ts'
import { type CopyRefused, makePlainCopy, type PlainCopy } from './plain-copy.ts'
import { type Opened, readImage, type Source } from './read.ts'
import { type Blackened, blackenCopy, lookForTexts, showFrame, type TextsFound } from './texts/perform.ts'
import { writeThumbnail } from './thumbnail.ts'
import { makeTiles, type Tiled } from './tiling.ts'
import { eightBit } from './values.ts'
import { isWorkbookName, readWorkbook } from './workbook/workbook.ts'
import { writeNifti } from './write/volumes.ts'

const file = z.object({ path: z.string(), name: z.string() })
const source = {
  files: z.array(file).min(1),
  /** Files beside the first one that its header may name. */
  siblings: z.array(file),
  /** Where results and passing files go. */
  out: z.string(),
  limitBytes: z.int().positive(),
}

const blackedSchema = z.object({
  x: z.number(),
  y: z.number(),
  w: z.number(),
  h: z.number(),
  first: z.int(),
  last: z.int(),
})

export const taskSchema = z.discriminatedUnion('task', [
  z.object({
    task: z.literal('view'),
    ...source,
    /** Workbooks as far as labels are read of them, not only as far as they are shown. */
    asLabels: z.boolean().optional(),
  }),
  z.object({
    task: z.literal('overlay'),
    ...source,
    /** What the mask is laid over. */
    image: z.object({ files: z.array(file).min(1), siblings: z.array(file) }),
  }),
  z.object({ task: z.literal('headers'), files: z.array(file), limitBytes: z.int().positive() }),
  z.object({ task: z.literal('dicomHeads'), files: z.array(file), limitBytes: z.int().positive() }),
  z.object({
    task: z.literal('derive'),
    kind: z.enum(['picture', 'mask', 'values', 'volume', 'segments']),
    /** Each a picture or a series of its own, with the window that it is drawn by; null = the file's own. */
    images: z.array(
      z.object({
        files: z.array(file).min(1),
        window: windowSchema.nullable(),
        /** Of each segmentation, which are the last files: which value stands for a segment, by its number. */
        segments: z.array(z.record(z.string(), z.int().min(0).max(255))).optional(),
      }),
    ),
    out: z.string(),
    limitBytes: z.int().positive(),
  }),
  z.object({
    task: z.literal('thumbnails'),
    /** Each an image of its own. */
    files: z.array(file),
    out: z.string(),
    limitBytes: z.int().positive(),
    /** In pixels, of the longer side. */
    side: z.int().positive(),
  }),
  z.object({
    task: z.literal('tiles'),
    ...source,
    /** Of a tile, in pixels. */
    side: z.int().positive(),
    mostPixels: z.int().positive(),
  }),
  z.object({
    task: z.literal('labels'),
    /** Each a mask of its own. */
    files: z.array(file).min(1),
    out: z.string(),
    limitBytes: z.int().positive(),
  }),
  z.object({
    task: z.literal('places'),
    /** Each an image of its own: a file, or those of a series. */
    images: z.array(z.array(file).min(1)).min(1),
    out: z.string(),
    limitBytes: z.int().positive(),
  }),
  z.object({
    task: z.literal('convert'),
    ...source,
    format: conversionFormatSchema,
    options: conversionOptionsSchema,
    /** What a series is called in its headers. */
    title: z.string(),
    at: z.iso.datetime(),
  }),
  z.object({ task: z.literal('texts'), ...source }),
  z.object({
    task: z.literal('frame'),
    ...source,
    frame: z.int().min(0),
    /** In pixels, of the longer side. */
    side: z.int().positive(),
  }),
  z.object({ task: z.literal('blacken'), ...source, regions: z.array(blackedSchema) }),
  z.object({
    task: z.literal('plainCopy'),
    path: z.string(),
    out: z.string(),
    /** In pixels, of the longer side. */
    side: z.int().positive(),
    previewSide: z.int().positive(),
  }),
  z.object({ task: z.literal('flowLook'), files: z.array(file) }),
  z.object({
    task: z.literal('flowMake'),
    files: z.array(file),
    answer: flowAnswerSchema,
    /** A folder, and the name of the study's file in it. */
    out: z.string(),
    made: z.string(),
    limitBytes: z.int().positive(),
  }),
])
export type Task = z.infer<typeof taskSchema>

export type Viewed = {
  kind: 'picture' | 'volume' | 'workbook'
  /** The file made for showing, in `out`; null when the file itself is shown. */
  made: string | null
  /** Null of what is no image. */
  facts: ImageFacts | null
  notes: ViewNote[]
  /** Of a series: the file of each plane, by its number among those given; by time, then by place. */
  planeFiles?: number[]
  /** Of what was made in tiles; `made` is their folder. */
  tiles?: { levels: number; ending: string }
  /** Of a mask that was laid over an image. */
  labels?: OverlayLabel[]
}
/** DICOM headers are shown even where the image is not. */
export type Headed = {
  tags: DicomTag[]
  series: SeriesPlace | null
  /** Whether it names its patient; absent = no DICOM file, or its header cannot be read. */
  named?: boolean
}
export type ViewAnswer = Headed & ({ viewed: Viewed } | { refused: ViewReason })
/** What of each file was made, in `out`; null where its image is not to be read. */
export type ThumbnailsAnswer = { made: (string | null)[] }
export type HeadersAnswer = {
  places: (SeriesPlace | null)[]
  /** Whether each names its patient; null = its header could not be read. */
  named: (boolean | null)[]
}
/** Null of what is no DICOM file; `broken` where the header cannot be read. */
type DicomHeadsAnswer = { heads: (DicomHead | 'broken' | null)[] }
type DeriveAnswer = { derived: DerivedFile[] }
export type TilesAnswer = { tiled: Tiled } | { refused: ViewReason }
export type ConvertAnswer =
  | { made: string[]; checks: ConversionCheck[]; notes: ViewNote[] }
  | { refused: ViewReason }
export type LabelsAnswer = { labels: (LabelsMade | { refused: LabelsRefused })[] }
/** Null of what cannot be read. */
export type PlacesAnswer = { places: (ImagePlace | null)[] }
export type TextsAnswer = TextsFound | { refused: ViewReason }
export type FrameAnswer = { made: string } | { refused: ViewReason }
export type BlackenAnswer = Blackened | { refused: ViewReason }
/** Notes on what was made, or what stands in the way. */
export type FlowMakeAnswer = { problems: FlowProblem[] } | { refused: FlowProblem[] }
type Answers = {
  view: ViewAnswer
  overlay: ViewAnswer
  headers: HeadersAnswer
  dicomHeads: DicomHeadsAnswer
  derive: DeriveAnswer
  thumbnails: ThumbnailsAnswer
  tiles: TilesAnswer
  convert: ConvertAnswer
  labels: LabelsAnswer
  places: PlacesAnswer
  texts: TextsAnswer
  frame: FrameAnswer
  blacken: BlackenAnswer
  plainCopy: PlainCopy | { refused: CopyRefused }
  flowLook: FlowLook
  flowMake: FlowMakeAnswer
}
export type AnswerOf<T extends Task> = Answers[T['task']]

export async function perform(task: Task): Promise<Answers[keyof Answers]> {
  switch (task.task) {
    case 'dicomHeads':
      return { heads: await Promise.all(task.files.map((one) => dicomHeadOf(one, task.limitBytes))) }
    case 'derive':
      return { derived: await deriveAll(task) }
    case 'view':
      return view(task)
    case 'overlay':
      return layOver(task)
    case 'headers':
      return headersOf(task)
    case 'thumbnails':
      return { made: await makeThumbnails(task) }
    case 'tiles':
      return orRefuse(async () => ({ tiled: await makeTiles({ ...task, source: sourceOf(task) }) }))
    case 'convert':
      return orRefuse(() => convert(sourceOf(task), task))
    case 'labels':
      return { labels: await allLabels(task) }
    case 'places':
      return { places: await allPlaces(task) }
    case 'texts':
      return orRefuse(() => lookForTexts(sourceOf(task)))
    case 'frame':
      return orRefuse(async () => ({ made: await showFrame(sourceOf(task), task) }))
    case 'blacken':
      return orRefuse(() => blackenCopy(sourceOf(task), task.regions))
    case 'plainCopy':
      return makePlainCopy(task)
    case 'flowLook':
      return lookAtFlow(task.files)
    case 'flowMake':
      return makeStudy(task)
  }
}

const reasonOf = (error: unknown): ViewReason => {
  if (error instanceof Refusal) return { name: error.reason, params: error.params }
  // As in `readImage`, for headers alone.
  if (typeof error === 'string' || error instanceof RangeError) return { name: 'data_damaged', params: {} }
  throw error
}

async function makeStudy(task: Extract<Task, { task: 'flowMake' }>): Promise<FlowMakeAnswer> {
  const { files, answer, out: folder, limitBytes } = task
  try {
    return {
      problems: (await makeFlow({ files, answer, out: join(folder, task.made), folder, limitBytes }))
        .problems,
    }
  } catch (error) {
    if (error instanceof FlowRefusal) return { refused: [...error.problems] }
    throw error
  }
}

/** One after the other: each alone may take all the memory there is. */
async function makeThumbnails(task: Extract<Task, { task: 'thumbnails' }>): Promise<(string | null)[]> {
  const { out: folder, limitBytes, side } = task
  const made: (string | null)[] = []
  for (const [index, one] of task.files.entries()) {
    const name = `${index}.webp`
    try {
      const { scan } = await readImage({ files: [one], siblings: new Map(), limitBytes, folder })
      await writeThumbnail(scan, join(folder, name), side)
      made.push(name)
    } catch (error) {
      reasonOf(error)
      made.push(null)
    }
  }
  return made
}

/** One after the other, as with thumbnails. */
async function allLabels({ files, out, limitBytes }: Extract<Task, { task: 'labels' }>) {
  const labels: LabelsAnswer['labels'] = []
  for (const [index, one] of files.entries()) {
    const source = { files: [one], siblings: new Map(), limitBytes, folder: out }
    labels.push(await labelsOf(source, index).catch((error: unknown) => ({ refused: reasonOf(error) })))
  }
  return labels
}

async function allPlaces({ images, out, limitBytes }: Extract<Task, { task: 'places' }>) {
  const places: PlacesAnswer['places'] = []
  for (const files of images) {
    const found = placeOfImage({ files, siblings: new Map(), limitBytes, folder: out })
    places.push(
      await found.catch((error: unknown) => {
        reasonOf(error)
        return null
      }),
    )
  }
  return places
}

type Given = Pick<Extract<Task, { siblings: unknown }>, 'files' | 'siblings' | 'out' | 'limitBytes'>

const sourceOf = ({ files, siblings, out, limitBytes }: Given): Source => ({
  files,
  siblings: new Map(siblings.map(({ name, path }) => [name, path])),
  limitBytes,
  folder: out,
})

async function view(task: Extract<Task, { task: 'view' }>): Promise<ViewAnswer> {
  const [first] = task.files
  if (first && isWorkbookName(first.name)) return viewWorkbook(first, task)
  const headed = headOf(task)
  try {
    const opened = await readImage(sourceOf(task))
    return { ...headed, viewed: await makeShown(opened, task.out) }
  } catch (error) {
    return { ...headed, refused: reasonOf(error) }
  }
}

/** Written as it is kept: a byte a voxel, packed. */
async function layOver(task: Extract<Task, { task: 'overlay' }>): Promise<ViewAnswer> {
  const nothing = { tags: [], series: null }
  const { image, out } = task
  try {
    const { scan } = await readImage(sourceOf({ ...task, ...image }))
    const { bytes, labels, notes } = await overlayOn(scan, sourceOf(task))
    const made = 'labels.gz'
    await pipeline(
      Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]),
      createGzip({ level: 1 }),
      createWriteStream(join(out, made)),
    )
    return { ...nothing, viewed: { kind: 'volume', made, facts: null, notes, labels } }
  } catch (error) {
    return { ...nothing, refused: reasonOf(error) }
  }
}

async function viewWorkbook(
  { path, name }: z.infer<typeof file>,
  { out, asLabels = false }: Extract<Task, { task: 'view' }>,
): Promise<ViewAnswer> {
  const nothing = { tags: [], series: null }
  try {
    const workbook = await readWorkbook(path, name, asLabels ? labelWorkbooks : workbooks)
    const made = 'workbook.json'
    await writeFile(join(out, made), JSON.stringify(workbook))
    return { ...nothing, viewed: { kind: 'workbook', made, facts: null, notes: [] } }
  } catch (error) {
    return { ...nothing, refused: reasonOf(error) }
  }
}

/** Of a DICOM file; whatever stands in the way is told by reading its image. */
function headOf({ files: [first], limitBytes }: Extract<Task, { task: 'view' }>): Headed {
  const nothing: Headed = { tags: [], series: null }
  if (!first) return nothing
  try {
    const bytes = readUnpacked(first.path, limitBytes)
    if (imageKindOf(bytes, first.name) !== 'dicom') return nothing
    const dicom = openDicom(bytes, { limitBytes })
    return { tags: tagsOf(dicom), series: seriesOf(dicom, hasPixels(dicom)), named: namesPatient(dicom) }
  } catch (error) {
    reasonOf(error)
    return nothing
  }
}

/** Browsers show these as they are, turned as the file says. */
const shownByBrowsers: ReadonlySet<string> = new Set(['png', 'jpeg', 'gif', 'webp', 'bmp'])

async function makeShown({ kind, scan }: Opened, out: string): Promise<Viewed> {
  const facts = factsOf(scan)
  const isDeepGrey = scan.channels === 1 && scan.samples.BYTES_PER_ELEMENT > 1
  if (shownByBrowsers.has(kind) && !isDeepGrey)
    return { kind: 'picture', made: null, facts, notes: notesOf(scan) }
  const isPlain = scan.layout === 'slice' && !isDeepGrey && scan.geometry === null && kind !== 'dicom'
  const isFlat = isPlain && kind !== 'nifti' && kind !== 'nrrd' && kind !== 'metaimage'
  if (isFlat) {
    const made = 'picture.png'
    const [width, height] = scan.size
    await sharp(shades(scan), { raw: { width, height, channels: scan.channels }, limitInputPixels: false })
      .png({ compressionLevel: 3 })
      .toFile(join(out, made))
    return { kind: 'picture', made, facts, notes: notesOf(scan) }
  }
  const made = 'volume.nii.gz'
  await writeNifti(asDrawn(scan), join(out, made), 1)
  const { planeFiles } = scan
  const common = { kind: 'volume' as const, made, facts, notes: notesOf(scan) }
  return planeFiles ? { ...common, planeFiles: [...planeFiles] } : common
}

/**
 * Where a file does not say how it lies, viewers draw its rows upwards, as NIfTI means them. Those of all other formats
 * go down and their columns to the right: said as directions, so that nothing is turned round.
 */
function asDrawn(scan: Scan): Scan {
  if (scan.format === 'nifti' || scan.geometry?.axes) return scan
  const axes: Geometry['axes'] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  return { ...scan, geometry: { origin: null, spacing: [1, scan.pixelAspect, 1], ...scan.geometry, axes } }
}

const shades = (scan: Scan): Uint8Array => eightBit(scan, null)

async function headersOf({ files, limitBytes }: Extract<Task, { task: 'headers' }>): Promise<HeadersAnswer> {
  const heads = await Promise.all(files.map((one) => placeOf(one, limitBytes)))
  return { places: heads.map(({ place }) => place), named: heads.map(({ named }) => named) }
}

type Head = { place: SeriesPlace | null; named: boolean | null }

async function placeOf({ path, name }: z.infer<typeof file>, limitBytes: number): Promise<Head> {
  try {
    const start = await readStart(path)
    const packing = packingOf(start, name)
    if (packing) {
      const look = (inner: Buffer) => namedIn(inner, limitBytes)
      return { place: null, named: await namesInArchive(path, packing, look) }
    }
    const isCut = start.length === HEAD_BYTES && !isGzip(start)
    const bytes = isGzip(start) ? readUnpacked(path, limitBytes) : start
    if (!startsAsDicom(bytes)) return { place: null, named: namesInText(bytes) }
    const head = placeIn(bytes, limitBytes)
    return head.named === null && isCut ? placeIn(readUnpacked(path, limitBytes), limitBytes) : head
  } catch (error) {
    reasonOf(error)
    return { place: null, named: null }
  }
}

/** Of the beginning of a file that lies in an archive. */
function namedIn(start: Buffer, limitBytes: number): boolean | null {
  try {
    if (start.length === 0) return false
    return startsAsDicom(start) ? placeIn(start, limitBytes).named : namesInText(start)
  } catch (error) {
    reasonOf(error)
    return null
  }
}

/** Null when the header is not to be read, perhaps because it was cut. */
function placeIn(bytes: Buffer, limitBytes: number): Head {
  try {
    const dicom = openDicom(bytes, { limitBytes, untilPixels: true })
    return { place: seriesOf(dicom, dicom.has('00280010')), named: namesPatient(dicom) }
  } catch (error) {
    reasonOf(error)
    return { place: null, named: null }
  }
}

async function orRefuse<T>(work: () => Promise<T>): Promise<T | { refused: ViewReason }> {
  try {
    return await work()
  } catch (error) {
    return { refused: reasonOf(error) }
  }
}
