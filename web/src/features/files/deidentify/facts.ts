/** What a data set says of itself before anything is changed: its pixels, its kind, and the words that name people. */
import type { Stretch } from './source.ts'

export type Facts = {
  pixels: Stretch | null
  /** Texts of attributes at the top level, by tag. */
  texts: Map<number, string>
  /** Raw values that name the patient or others. */
  names: Uint8Array[]
  /** Of them, the patient's own names and numbers. */
  patient: Uint8Array[]
  hasOverlayInPixels: boolean
}

export const makeFacts = (): Facts => ({
  pixels: null,
  texts: new Map(),
  names: [],
  patient: [],
  hasOverlayInPixels: false,
})

export const tags = {
  specificCharacterSet: 0x00080005,
  imageType: 0x00080008,
  sopClass: 0x00080016,
  sopInstance: 0x00080018,
  modality: 0x00080060,
  conversionType: 0x00080064,
  patientName: 0x00100010,
  patientId: 0x00100020,
  study: 0x0020000d,
  series: 0x0020000e,
  photometric: 0x00280004,
  burnedIn: 0x00280301,
  pixelData: 0x7fe00010,
} as const

export const factTags: ReadonlySet<number> = new Set([
  tags.specificCharacterSet,
  tags.imageType,
  tags.sopClass,
  tags.sopInstance,
  tags.modality,
  tags.conversionType,
  tags.patientName,
  tags.patientId,
  tags.study,
  tags.series,
  tags.photometric,
  tags.burnedIn,
])

/** Accession number, physicians, operators; the patient's names, numbers, date of birth and address. */
export const nameTags: ReadonlySet<number> = new Set([
  0x00080050, 0x00080090, 0x00081048, 0x00081050, 0x00081060, 0x00081070, 0x00100010, 0x00100020, 0x00100030,
  0x00101000, 0x00101001, 0x00101005, 0x00101040, 0x00101060, 0x00102154, 0x00321032,
])

export const patientTags: ReadonlySet<number> = new Set([
  0x00100010, 0x00100020, 0x00101000, 0x00101001, 0x00101005,
])

/** Pixel data, as whole numbers or floating ones. */
export const isPixels = (tag: number) => tag === tags.pixelData || tag === 0x7fe00008 || tag === 0x7fe00009

type BurnedInText = 'no' | 'unlikely' | 'possible' | 'yes'

/** Whether letters may stand in the picture itself, where no header can tell and nothing here removes them. */
export function burnedInText({ texts, pixels, hasOverlayInPixels }: Facts): BurnedInText {
  const said = texts.get(tags.burnedIn)?.toUpperCase()
  if (said === 'YES') return 'yes'
  if (hasOverlayInPixels) return 'possible'
  if (said === 'NO' || pixels === null) return 'no'
  const modality = texts.get(tags.modality) ?? ''
  const isCaptured =
    texts.get(tags.sopClass)?.startsWith(secondaryCapture) ||
    (texts.get(tags.conversionType) ?? '') !== '' ||
    /SCREEN|CAPTURE/.test(texts.get(tags.imageType) ?? '') ||
    /^(RGB|YBR|PALETTE)/.test(texts.get(tags.photometric) ?? '')
  return isCaptured || textModalities.has(modality) ? 'possible' : 'unlikely'
}

const secondaryCapture = '1.2.840.10008.5.1.4.1.1.7'

/** Devices that write names and dates into the picture, and modalities of pictures that were scanned or captured. */
const textModalities = new Set(
  'BDUS BMD DOC EC ES GM HC IVUS OP OPT OT PX RF SC SM US VF XA XC'
    .split(' ')
    .concat(['', 'EPS', 'HD', 'IO']),
)
