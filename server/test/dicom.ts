/** DICOM files drawn here: single pictures and series, of patients, with what scanners write about them. */
import { dicomBytes, type Entry } from '../src/infra/reader/dicom/bytes.ts'
import { EXPLICIT } from '../src/infra/reader/dicom/file.ts'

export type Drawn = {
  size?: [number, number]
  /** The stored number of each pixel. */
  at?: (x: number, y: number) => number
  /** In its series, from 0. */
  number?: number
  z?: number
  spacing?: [number, number]
  patientId?: string
  patientName?: string
  study?: string
  series?: string
  seriesNumber?: number
  window?: { center: number; width: number }
  photometric?: 'MONOCHROME1' | 'MONOCHROME2'
  slope?: number
  intercept?: number
  frames?: number
  isColour?: boolean
  /** Says where it lies. */
  isPlaced?: boolean
}

/** Signed numbers of 16 bits, or colours of 8; computed tomography. */
export function drawDicom(drawn: Drawn = {}): Buffer {
  const { size = [32, 32], number = 0, z = number, spacing = [0.5, 0.5], frames = 1 } = drawn
  const { series = '2.25.70', study = '2.25.50', isColour = false, isPlaced = true } = drawn
  const [width, height] = size
  const entries: Entry[] = [
    ['00080016', 'UI', '1.2.840.10008.5.1.4.1.1.2'],
    ['00080018', 'UI', `${series}.${number + 1}.${Math.round(Math.abs(z) * 100)}`],
    ['00080060', 'CS', 'CT'],
    ['0008103e', 'LO', 'Drawn'],
    ['00100010', 'PN', drawn.patientName ?? ''],
    ['00100020', 'LO', drawn.patientId ?? ''],
    ['0020000d', 'UI', study],
    ['0020000e', 'UI', series],
    ['00200011', 'IS', String(drawn.seriesNumber ?? 1)],
    ['00200013', 'IS', String(number + 1)],
    ['00280002', 'US', isColour ? 3 : 1],
    ['00280004', 'CS', isColour ? 'RGB' : (drawn.photometric ?? 'MONOCHROME2')],
    ['00280010', 'US', height],
    ['00280011', 'US', width],
    ['00280030', 'DS', `${spacing[1]}\\${spacing[0]}`],
    ['00280100', 'US', isColour ? 8 : 16],
    ['00280101', 'US', isColour ? 8 : 16],
    ['00280102', 'US', isColour ? 7 : 15],
    ['00280103', 'US', isColour ? 0 : 1],
    ['00281052', 'DS', String(drawn.intercept ?? 0)],
    ['00281053', 'DS', String(drawn.slope ?? 1)],
    ['7fe00010', isColour ? 'OB' : 'OW', pixelsOf(drawn)],
  ]
  if (isColour) entries.push(['00280006', 'US', 0])
  if (frames > 1) entries.push(['00280008', 'IS', String(frames)])
  if (isPlaced) {
    entries.push(['00200032', 'DS', `0\\0\\${z}`], ['00200037', 'DS', '1\\0\\0\\0\\1\\0'])
  }
  if (drawn.window) {
    const { center, width: wide } = drawn.window
    entries.push(['00281050', 'DS', String(center)], ['00281051', 'DS', String(wide)])
  }
  return Buffer.concat(dicomBytes(EXPLICIT, entries))
}

function pixelsOf({
  size = [32, 32],
  at = (x, y) => x * 8 + y,
  frames = 1,
  isColour = false,
}: Drawn): Buffer {
  const [width, height] = size
  const values = Array.from({ length: width * height }, (_, index) =>
    at(index % width, Math.floor(index / width)),
  )
  const one = isColour
    ? Buffer.from(values.flatMap((value) => [value & 255, (value >> 1) & 255, 40]))
    : Buffer.from(Int16Array.from(values).buffer)
  return Buffer.concat(Array.from({ length: frames }, () => one))
}

/** A report: DICOM without a picture. */
export const drawReport = (patientId = ''): Buffer =>
  Buffer.concat(
    dicomBytes(EXPLICIT, [
      ['00080016', 'UI', '1.2.840.10008.5.1.4.1.1.88.11'],
      ['00080018', 'UI', '2.25.991'],
      ['00080060', 'CS', 'SR'],
      ['00100020', 'LO', patientId],
      ['0020000d', 'UI', '2.25.50'],
      ['0020000e', 'UI', '2.25.992'],
    ]),
  )
