/** Writes a DICOM file again with other pixels: unpacked, without what else could hold a picture, as a new instance. */
import type { Element } from 'dicom-parser'
import { refuse, type Samples, type Scan } from '../model.ts'
import { newUid } from '../write/dicom.ts'
import { dicomBytes, type Entry, elementBytes, longTypes } from './bytes.ts'
import { BIG_ENDIAN, type DicomFile, EXPLICIT, IMPLICIT } from './file.ts'

/** PS3.15 names methods by text (0012,0063); codes exist for whole profiles alone. */
const METHOD = 'Burned-in text blacked out by Neuroloom after review'
const DESCRIPTION = 'Burned-in text blacked out'

export function rewriteDicom(file: DicomFile, scan: Scan): Buffer {
  const { transferSyntax } = file
  if (transferSyntax === BIG_ENDIAN) throw refuse('kind_not_yet', { kind: 'DICOM (big endian)' })
  const isExplicit = transferSyntax !== IMPLICIT
  const instance = newUid()
  const [preamble, ...meta] = dicomBytes(isExplicit ? EXPLICIT : IMPLICIT, [
    ['00080016', 'UI', file.text('00080016')],
    ['00080018', 'UI', instance],
  ])
  const own = new Map<string, Buffer>(
    [...changed(file, scan), ['00080018', 'UI', instance] as const].map((entry) => [
      entry[0],
      elementBytes(entry, isExplicit),
    ]),
  )
  const kept = keptOf(file, isExplicit).filter(([tag]) => !own.has(tag) && !isDropped(tag))
  const all = [...kept, ...own].sort(([a], [b]) => (a < b ? -1 : 1))
  // The head alone: the two elements that `dicomBytes` writes behind it stand in the right place here.
  const head = meta.slice(0, -HEAD_REST)
  return Buffer.concat([preamble ?? Buffer.alloc(0), ...head, ...all.map(([, bytes]) => bytes)])
}

/** Two elements of two pieces each. */
const HEAD_REST = 4

/** Each as it stands in the file: from where it begins to where the next begins. */
function keptOf(file: DicomFile, isExplicit: boolean): [string, Buffer][] {
  const starts = file
    .elements()
    .filter(([tag]) => tag >= '00080000')
    .map(([tag, element]) => ({ tag, element, start: startOf(file, tag, element, isExplicit) }))
    .sort((a, b) => a.start - b.start)
  return starts.flatMap(({ tag, element, start }, index): [string, Buffer][] => {
    if (holdsPictures(element)) return []
    return [[tag, file.bytes.subarray(start, starts[index + 1]?.start ?? file.bytes.length)]]
  })
}

function startOf(file: DicomFile, tag: string, { dataOffset, vr }: Element, isExplicit: boolean): number {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(Number.parseInt(tag.slice(0, 4), 16), 0)
  head.writeUInt16LE(Number.parseInt(tag.slice(4), 16), 2)
  const likely = isExplicit && longTypes.has(vr ?? '') ? [12, 8] : [8, 12]
  const length = likely.find((one) =>
    file.bytes.subarray(dataOffset - one, dataOffset - one + 4).equals(head),
  )
  if (length === undefined) throw refuse('data_damaged')
  return dataOffset - length
}

/** Small pictures of the picture lie in sequences. */
const holdsPictures = ({ items }: Element): boolean =>
  (items ?? []).some(({ dataSet }) =>
    Object.entries(dataSet?.elements ?? {}).some(([tag, one]) => tag === 'x7fe00010' || holdsPictures(one)),
  )

/** Overlays, curves, icons, what makers put in elements of their own, lengths of groups, what described packed pixels. */
function isDropped(tag: string): boolean {
  const group = Number.parseInt(tag.slice(0, 4), 16)
  const isPrivate = group % 2 === 1
  const isDrawn = (group >= 0x5000 && group <= 0x50ff) || (group >= 0x6000 && group <= 0x60ff)
  return isPrivate || isDrawn || tag.endsWith('0000') || dropped.has(tag) || group >= 0x7fe0
}

const dropped: ReadonlySet<string> = new Set(
  '00880200 00280006 00281101 00281102 00281103 00281199 00281201 00281202 00281203 00281221 00281222 00281223 4ffe0001'.split(
    ' ',
  ),
)

function changed(file: DicomFile, { samples, channels, photometric, bits }: Scan): Entry[] {
  const method = file.text('00120063')
  const kind = file.text('00080008').split('\\')
  const isOther = channels === 3
  const width = samples.BYTES_PER_ELEMENT * 8
  return [
    ['00080008', 'CS', ['DERIVED', ...kind.slice(1)].join('\\')],
    ['00082111', 'ST', DESCRIPTION],
    ['00120063', 'LO', method === '' ? METHOD : `${method}\\${METHOD}`],
    ['00280002', 'US', channels],
    ['00280004', 'CS', isOther ? 'RGB' : photometric],
    ...(isOther ? ([['00280006', 'US', 0]] as const) : []),
    ['00280100', 'US', width],
    ['00280101', 'US', isOther ? width : Math.min(bits, width)],
    ['00280102', 'US', (isOther ? width : Math.min(bits, width)) - 1],
    ['00280103', 'US', isSigned(samples) ? 1 : 0],
    ['00280301', 'CS', 'NO'],
    pixels(samples),
  ]
}

const isSigned = (samples: Samples): boolean => samples instanceof Int8Array || samples instanceof Int16Array

function pixels(samples: Samples): Entry {
  const isWhole = samples instanceof Uint8Array || samples instanceof Uint16Array || isSigned(samples)
  if (!isWhole) throw refuse('kind_not_yet', { kind: `DICOM (${samples.BYTES_PER_ELEMENT * 8} bit)` })
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  return ['7fe00010', samples.BYTES_PER_ELEMENT === 1 ? 'OB' : 'OW', bytes]
}
