import { openedEndings } from '@neuroloom/contract/opened'
import type { ViewKind, ViewReason } from '@neuroloom/contract/viewing'
import { endingOf, imageKindOf } from '../../../infra/reader/kinds.ts'
import { Refusal } from '../../../infra/reader/model.ts'
import { isGzip } from '../../../infra/reader/picture/packed.ts'
import { isWorkbookName } from '../../../infra/reader/workbook/workbook.ts'

type Plain = { kind: Exclude<ViewKind, 'workbook'>; type: string }

const textType = 'text/plain; charset=utf-8'
const videoTypes = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
} as const satisfies Record<(typeof openedEndings.video)[number], string>

/** Shown by the page out of the file itself, with the type that browsers need for it. */
const plain: Record<string, Plain> = {}
for (const ending of openedEndings.pdf) plain[ending] = { kind: 'pdf', type: 'application/pdf' }
for (const ending of openedEndings.video) plain[ending] = { kind: 'video', type: videoTypes[ending] }
for (const ending of openedEndings.json) plain[ending] = { kind: 'json', type: 'application/json' }
for (const kind of ['table', 'yaml', 'text'] as const)
  for (const ending of openedEndings[kind]) plain[ending] = { kind, type: textType }

const otherVideos: ReadonlySet<string> = new Set(
  'avi mkv wmv mpg mpeg flv 3gp ts m2ts'.split(' ').filter((one) => one !== 'ts'),
)

/** How much of a file tells what it is. */
export const HEAD_BYTES = 4096

export type Guess =
  | { kind: Exclude<ViewKind, 'workbook'>; type: string; isImage: false }
  | { kind: 'workbook'; isImage: false }
  | { kind: 'unsupported' | 'broken'; reason: ViewReason; isImage: false }
  | { isImage: true; kind: 'picture' | 'volume' }

/** By the first bytes and the name: what needs no reading of the whole is answered at once. */
export function guessKind(head: Buffer, name: string): Guess {
  const ending = endingOf(name)
  const known = plain[ending]
  if (known) return guessPlain(known, head, ending)
  if (isWorkbookName(name)) return { kind: 'workbook', isImage: false }
  if (otherVideos.has(ending))
    return {
      kind: 'unsupported',
      reason: { name: 'video_unknown', params: { type: ending } },
      isImage: false,
    }
  // What is packed shows itself only when it is unpacked.
  if (isGzip(head)) return guessPacked(name)
  try {
    const kind = imageKindOf(head, name)
    return { isImage: true, kind: pictures.has(kind) ? 'picture' : 'volume' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...refusalKind({ name: error.reason, params: error.params }), isImage: false }
  }
}

const pictures: ReadonlySet<string> = new Set([
  'png',
  'jpeg',
  'gif',
  'webp',
  'avif',
  'bmp',
  'svg',
  'jpeg2000',
  'photoshop',
  'netpbm',
])

function guessPlain(known: Plain, head: Buffer, ending: string): Guess {
  if (head.length === 0) return { kind: 'broken', reason: { name: 'empty', params: {} }, isImage: false }
  const isPdf = head.subarray(0, 1024).toString('latin1').includes('%PDF-')
  if (known.kind === 'pdf' && !isPdf)
    return { kind: 'broken', reason: { name: 'not_this_kind', params: { kind: 'PDF' } }, isImage: false }
  const isWords = known.kind !== 'pdf' && known.kind !== 'video'
  const isBinary = isWords && head.includes(0) && ![0xff, 0xfe].includes(head[0] ?? 0)
  if (isBinary)
    return {
      kind: 'broken',
      reason: { name: 'not_this_kind', params: { kind: ending.toUpperCase() } },
      isImage: false,
    }
  return { ...known, isImage: false }
}

/** Packed images are read; other packed things are archives. */
function guessPacked(name: string): Guess {
  try {
    imageKindOf(Buffer.from('?'), name)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // A name that promises an image, or none at all.
    if (error.reason === 'not_this_kind' || endingOf(name) === '') return { isImage: true, kind: 'volume' }
    const isKnown = error.reason !== 'kind_unknown' && error.reason !== 'archive'
    const reason: ViewReason = isKnown
      ? { name: error.reason, params: error.params }
      : { name: 'archive', params: { kind: 'gzip' } }
    return { ...refusalKind(reason), isImage: false }
  }
  return { isImage: true, kind: 'volume' }
}

const unsupported: ReadonlySet<ViewReason['name']> = new Set([
  'kind_unknown',
  'kind_not_yet',
  'video_unknown',
  'archive',
  'vector_drawing',
  'workbook_old',
  'workbook_locked',
  'dicom_report',
  'dicom_plan',
  'dicom_structures',
  'dicom_directory',
  'dicom_document',
  'compression_unknown',
  'complex_values',
  'number_type_unknown',
  'too_large',
  'workbook_too_large',
  'too_slow',
  'too_much_memory',
  'reader_failed',
])

/** A whole file that is not shown, or one that is damaged. */
export const refusalKind = (reason: ViewReason): { kind: 'unsupported' | 'broken'; reason: ViewReason } => ({
  kind: unsupported.has(reason.name) ? 'unsupported' : 'broken',
  reason,
})

/** Of a file that the page shows by itself; never one that a browser would run. */
export const typeShown = (name: string): string => {
  const known = plain[endingOf(name)]
  return known?.type ?? pictureTypes[endingOf(name)] ?? 'application/octet-stream'
}

const pictureTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jfif: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  dib: 'image/bmp',
}

/** Worth asking whether it is an image: anything but what is known to be something else. */
export const mayBeImage = (name: string): boolean => {
  const ending = endingOf(name)
  return plain[ending] === undefined && !otherVideos.has(ending) && !isWorkbookName(name)
}
