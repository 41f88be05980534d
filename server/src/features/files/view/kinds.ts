import type { ViewKind, ViewReason } from '@neuroloom/contract/viewing'
import { endingOf, imageKindOf } from '../../../infra/reader/kinds.ts'
import { Refusal } from '../../../infra/reader/model.ts'
import { isGzip } from '../../../infra/reader/packed.ts'

/** Shown by the page out of the file itself, with the type that browsers need for it. */
const plain: Record<string, { kind: ViewKind; type: string }> = {
  mp4: { kind: 'video', type: 'video/mp4' },
  m4v: { kind: 'video', type: 'video/mp4' },
  mov: { kind: 'video', type: 'video/mp4' },
  webm: { kind: 'video', type: 'video/webm' },
  ogv: { kind: 'video', type: 'video/ogg' },
  pdf: { kind: 'pdf', type: 'application/pdf' },
  csv: { kind: 'table', type: 'text/plain; charset=utf-8' },
  tsv: { kind: 'table', type: 'text/plain; charset=utf-8' },
  json: { kind: 'json', type: 'application/json' },
  geojson: { kind: 'json', type: 'application/json' },
  yaml: { kind: 'yaml', type: 'text/plain; charset=utf-8' },
  yml: { kind: 'yaml', type: 'text/plain; charset=utf-8' },
}
const texts =
  'txt md log ini cfg conf toml xml html htm css js mjs ts tsx jsx py m r sh bat c h cpp hpp java sql tex bib rst nfo'
for (const ending of texts.split(' ')) plain[ending] = { kind: 'text', type: 'text/plain; charset=utf-8' }

const otherVideos: ReadonlySet<string> = new Set(
  'avi mkv wmv mpg mpeg flv 3gp ts m2ts'.split(' ').filter((one) => one !== 'ts'),
)

/** How much of a file tells what it is. */
export const HEAD_BYTES = 4096

export type Guess =
  | { kind: ViewKind; type: string; isImage: false }
  | { kind: 'unsupported' | 'broken'; reason: ViewReason; isImage: false }
  | { isImage: true; kind: 'picture' | 'volume' }

/** By the first bytes and the name: what needs no reading of the whole is answered at once. */
export function guessKind(head: Buffer, name: string): Guess {
  const ending = endingOf(name)
  const known = plain[ending]
  if (known) return guessPlain(known, head, ending)
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

const pictures: ReadonlySet<string> = new Set(['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp'])

function guessPlain(known: { kind: ViewKind; type: string }, head: Buffer, ending: string): Guess {
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
  'dicom_report',
  'dicom_plan',
  'dicom_structures',
  'dicom_directory',
  'dicom_document',
  'compression_unknown',
  'too_large',
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
  return plain[ending] === undefined && !otherVideos.has(ending)
}
