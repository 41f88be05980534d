/** Writes a volume as a DICOM series: secondary captures that say where each slice lies. New identifiers, no patient. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { dicomBytes, type Entry } from '../dicom/bytes.ts'
import { EXPLICIT } from '../dicom/file.ts'
import { type Geometry, rangeOf, type Samples, type Scan, type Triple } from '../model.ts'
import type { Range } from '../usual-range.ts'
import { commonParts, STEPS } from '../whole-steps.ts'

const SECONDARY_CAPTURE = '1.2.840.10008.5.1.4.1.1.7'

/** A random number under the root that is open to everybody (PS3.5 B.2). */
export const newUid = (): string => `2.25.${BigInt(`0x${randomBytes(16).toString('hex')}`)}`

export async function writeDicomSeries(
  scan: Scan,
  { description, now }: { description: string; now: Date },
  pathOf: (index: number) => string,
): Promise<string[]> {
  const [, , slices, times] = scan.size
  const stored = storedOf(scan)
  const common = commonEntries(scan, { stored, description, now })
  const paths: string[] = []
  for (let index = 0; index < slices * times; index += 1) {
    const entries = [...common, ...sliceEntries(scan, index), pixelEntry(scan, stored, index)]
    const path = pathOf(index)
    await writeFile(path, Buffer.concat(dicomBytes(EXPLICIT, entries)))
    paths.push(path)
  }
  return paths
}

export type Stored = { samples: Uint8Array | Int16Array | Uint16Array; slope: number; intercept: number }

/** DICOM holds whole numbers of up to 16 bits: others as multiples of a step that keeps them, else spread over 65,536. */
export function storedOf(scan: Scan): Stored {
  const { samples, slope, intercept, channels } = scan
  if (samples instanceof Int16Array || samples instanceof Uint16Array || samples instanceof Uint8Array) {
    if (channels === 1 || samples instanceof Uint8Array) return { samples, slope, intercept }
    return { samples: Uint8Array.from(samples, (value) => value >> 8), slope: 1, intercept: 0 }
  }
  if (samples instanceof Int8Array) return { samples: Int16Array.from(samples), slope, intercept }
  const range = rangeOf({ ...scan, slope: 1, intercept: 0 }) ?? { min: 0, max: 1 }
  const parts = commonParts(samples, range)
  const isShort = range.min >= -32_768 && range.max <= 32_767
  if (parts === 1 && isShort && !hasHoles(samples))
    return { samples: Int16Array.from(samples), slope, intercept }
  if (parts === null) return spread(scan, range, { step: stepOver(range), from: range.min })
  const isPositive = parts === 1 && range.min >= 0 && range.max <= STEPS
  const from = isPositive ? 0 : Math.round(range.min * parts) / parts
  return spread(scan, range, { step: 1 / parts, from })
}

const hasHoles = (samples: Samples): boolean => samples.some((value) => !Number.isFinite(value))

/** Halved first: the greatest and the least number may lie further apart than numbers go. */
const stepOver = ({ min, max }: Range): number => (max / 2 - min / 2) / (STEPS / 2) || 1

/** What is no number becomes the least value, what is infinite the least or greatest; the comparison afterwards tells. */
function spread(
  { samples, slope, intercept }: Scan,
  { min, max }: Range,
  { step, from }: { step: number; from: number },
): Stored {
  // Decimal texts of 16 signs are all that DICOM keeps.
  const [short, start] = [Number(decimal(step * slope)), Number(decimal(from * slope + intercept))]
  const partOf = (value: number): number => Math.round((value * slope + intercept - start) / short)
  const within = (part: number): number => Math.max(0, Math.min(STEPS, part))
  const [least, greatest] = [within(partOf(min)), within(partOf(max))]
  const stored = Uint16Array.from(samples, (value) => {
    const part = partOf(value)
    return Number.isNaN(part) ? least : Math.max(least, Math.min(greatest, part))
  })
  return { samples: stored, slope: short, intercept: start }
}

/** At most 16 signs. */
export function decimal(value: number): string {
  if (String(value).length <= 16) return String(value)
  for (let digits = 15; digits > 0; digits -= 1) {
    const text = value.toPrecision(digits)
    if (text.length <= 16) return String(Number(text)).length <= 16 ? String(Number(text)) : text
  }
  return '0'
}

function commonEntries(
  { size, channels, geometry, modality, unit, windows, photometric }: Scan,
  { stored, description, now }: { stored: Stored; description: string; now: Date },
): Entry[] {
  const iso = now.toISOString()
  const date = iso.slice(0, 10).replaceAll('-', '')
  const time = iso.slice(11, 19).replaceAll(':', '')
  const caseNumber = randomBytes(6).toString('hex').toUpperCase()
  const bits = stored.samples.BYTES_PER_ELEMENT * 8
  const isScaled = stored.slope !== 1 || stored.intercept !== 0 || unit === 'HU'
  const [window] = windows
  return [
    ['00080005', 'CS', 'ISO_IR 192'],
    ['00080008', 'CS', 'DERIVED\\SECONDARY'],
    ['00080016', 'UI', SECONDARY_CAPTURE],
    ['00080020', 'DA', date],
    ['00080030', 'TM', time],
    ['00080050', 'SH', ''],
    ['00080060', 'CS', modality || 'OT'],
    ['00080064', 'CS', 'WSD'],
    ['00080070', 'LO', 'Neuroloom'],
    ['00080090', 'PN', ''],
    ['0008103e', 'LO', [...description].slice(0, 64).join('').replaceAll('\\', ' ')],
    ['00100010', 'PN', ''],
    // Archives file images under these numbers: empty ones are refused, and one number for all would join patients.
    ['00100020', 'LO', `ANON-${caseNumber}`],
    ['00100030', 'DA', ''],
    ['00100040', 'CS', ''],
    ['0020000d', 'UI', newUid()],
    ['0020000e', 'UI', newUid()],
    ['00200010', 'SH', caseNumber],
    ['00200011', 'IS', '1'],
    // Present and empty where the side of the body is unknown (General Series, type 2C).
    ['00200060', 'CS', ''],
    ...(geometry ? ([['00200052', 'UI', newUid()]] as const) : []),
    ['00280002', 'US', channels],
    [
      '00280004',
      'CS',
      channels === 3 ? 'RGB' : photometric === 'MONOCHROME1' ? 'MONOCHROME1' : 'MONOCHROME2',
    ],
    ...(channels === 3 ? ([['00280006', 'US', 0]] as const) : []),
    ['00280010', 'US', size[1]],
    ['00280011', 'US', size[0]],
    ...(geometry
      ? ([['00280030', 'DS', `${decimal(geometry.spacing[1])}\\${decimal(geometry.spacing[0])}`]] as const)
      : []),
    ['00280100', 'US', bits],
    ['00280101', 'US', bits],
    ['00280102', 'US', bits - 1],
    ['00280103', 'US', stored.samples instanceof Int16Array ? 1 : 0],
    ...(window
      ? ([
          ['00281050', 'DS', decimal(window.center)],
          ['00281051', 'DS', decimal(window.width)],
        ] as const)
      : []),
    ...(isScaled
      ? ([
          ['00281052', 'DS', decimal(stored.intercept)],
          ['00281053', 'DS', decimal(stored.slope)],
          ['00281054', 'LO', unit || 'US'],
        ] as const)
      : []),
  ]
}

function sliceEntries({ size, geometry, layout }: Scan, index: number): Entry[] {
  const [, , slices, times] = size
  const slice = index % slices
  const time = Math.floor(index / slices)
  return [
    ['00080018', 'UI', newUid()],
    ['00200013', 'IS', String(index + 1)],
    ...(times > 1
      ? ([
          ['00200100', 'IS', String(time + 1)],
          ['00200105', 'IS', String(times)],
        ] as const)
      : []),
    ...(geometry
      ? placeEntries(geometry, { slice, isBody: layout === 'volume' || geometry.axes !== null })
      : [orientationEntry()]),
  ]
}

const straight: [Triple, Triple, Triple] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** A volume that does not say how it lies is taken to lie straight: its slices would have no order else. */
function placeEntries(
  { spacing, origin, axes }: Geometry,
  { slice, isBody }: { slice: number; isBody: boolean },
): Entry[] {
  const thickness: Entry = ['00180050', 'DS', decimal(spacing[2])]
  if (!isBody) return [thickness, orientationEntry()]
  const [i, j, k] = axes ?? straight
  const start = origin ?? [0, 0, 0]
  const at = k.map((part, index) => (start[index] ?? 0) + part * spacing[2] * slice)
  return [
    thickness,
    ['00200032', 'DS', at.map(decimal).join('\\')],
    ['00200037', 'DS', [...i, ...j].map(decimal).join('\\')],
    orientationEntry(i, j),
  ]
}

/** Patient Orientation (General Image, type 2C): where rows and columns lead; empty where that is unknown. */
const orientationEntry = (...directions: Triple[]): Entry => [
  '00200020',
  'CS',
  directions.map(lettersOf).join('\\'),
]

/** Towards left, back and head, or away from them; the greatest part of an oblique direction first. */
const ends = [
  ['L', 'R'],
  ['P', 'A'],
  ['H', 'F'],
] as const

function lettersOf(direction: Triple): string {
  return direction
    .map((part, axis) => ({ size: Math.abs(part), letter: ends[axis]?.[part > 0 ? 0 : 1] ?? '' }))
    .filter(({ size }) => size > SLIGHT)
    .sort((one, other) => other.size - one.size)
    .map(({ letter }) => letter)
    .join('')
}

/** Less is left of a turn by rounding alone. */
const SLIGHT = 1e-3

function pixelEntry({ size, channels }: Scan, { samples }: Stored, index: number): Entry {
  const each = size[0] * size[1] * channels
  const part = samples.subarray(index * each, (index + 1) * each)
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
  return ['7fe00010', samples instanceof Uint8Array ? 'OB' : 'OW', bytes]
}
