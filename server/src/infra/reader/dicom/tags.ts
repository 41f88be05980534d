/** A DICOM header as lines for people: names, values as text, and which of them may tell who the patient is. */
import { viewing } from '@neuroloom/contract/limits'
import type { DicomTag } from '@neuroloom/contract/viewing'
import type { Element } from 'dicom-parser'
import type { DicomFile, Group } from './file.ts'
import { keywords } from './keywords.ts'

export function tagsOf(file: DicomFile): DicomTag[] {
  return file
    .elements()
    .filter(([tag]) => tag >= '00020002' && !tag.endsWith('0000'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, viewing.tags)
    .map(([tag, element]) => ({
      tag: `(${tag.slice(0, 4)},${tag.slice(4)})`,
      keyword: keywords.get(tag) ?? '',
      vr: element.vr ?? '',
      value: cut(textOf(file, tag, element)),
      isPatient: !isTechnical(tag),
    }))
}

/** How an image was made and packed. Everything else (dates, numbers, free texts, private groups) may name somebody. */
function isTechnical(tag: string): boolean {
  const group = Number.parseInt(tag.slice(0, 4), 16)
  // Odd groups are the makers' own.
  if (group % 2 === 1) return false
  return technicalTags.has(tag) || (technicalGroups.has(tag.slice(0, 4)) && !tellingTags.has(tag))
}

const technicalGroups: ReadonlySet<string> = new Set(['0018', '0028', '0054', '3004', '5200', '7fe0'])
const technicalTags: ReadonlySet<string> = new Set(
  (
    '00020002 00020010 00080005 00080008 00080016 00080060 00080064 00080068 00080070 00081090 00082144 00089007 ' +
    '00089205 00089206 00120062 00200011 00200012 00200013 00200020 00200032 00200037 00200060 00200100 00200105 ' +
    '00200110 00201002 00201041'
  ).split(' '),
)
/** Serial numbers, protocols and comments, which people write. */
const tellingTags: ReadonlySet<string> = new Set([
  '00181000',
  '00181030',
  '00180010',
  '00181020',
  '00181400',
  '00284000',
])

function textOf(file: DicomFile, tag: string, element: Element): string {
  const { vr = '', length } = element
  if (element.items || vr === 'SQ') return `${element.items?.length ?? 0} ×`
  if (tag === '7fe00010' || element.encapsulatedPixelData) return bytesText(length)
  if (['OB', 'OW', 'OF', 'OD', 'OL', 'OV', 'UN'].includes(vr)) return bytesText(length)
  if (vr === 'AT') return attributes(file, element)
  if (numeric.has(vr)) return file.numbers(tag).map(short).join(' \\ ')
  if (vr === '' && length > 1024) return bytesText(length)
  const text = file.text(tag)
  return vr === 'PN' ? text.replace(/[=^]+$/, '') : text
}

const numeric: ReadonlySet<string> = new Set(['US', 'SS', 'UL', 'SL', 'FL', 'FD'])

const bytesText = (length: number): string => (length < 0 || length === 0xffffffff ? '…' : `${length} B`)

const short = (value: number): string => String(Number(value.toPrecision(9)))

function attributes(file: DicomFile, { dataOffset, length }: Element): string {
  const numbers = Array.from({ length: Math.floor(length / 2) }, (_, index) => {
    const at = dataOffset + index * 2
    const value = file.isLittle ? file.bytes.readUInt16LE(at) : file.bytes.readUInt16BE(at)
    return value.toString(16).padStart(4, '0')
  })
  return numbers.join(' ')
}

/** No signs that would break a line or steer a screen. */
function cut(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const clean = value.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  return clean.length > viewing.tagLength ? `${clean.slice(0, viewing.tagLength)}…` : clean
}

export type SeriesPlace = { seriesUid: string; description: string; isImage: boolean }

/** To which series a file belongs; null when it does not say. */
export function seriesOf(file: Group, isImage: boolean): SeriesPlace | null {
  const seriesUid = file.text('0020000e').slice(0, 128)
  return seriesUid === '' ? null : { seriesUid, description: file.text('0008103e').slice(0, 200), isImage }
}
