/** What DICOM files, classic and enhanced, tell of their images of flow. Reads heads alone. */
import { open } from 'node:fs/promises'
import { flowReading } from '@neuroloom/contract/limits'
import { type DicomFile, type Group, isDicom, openDicom } from '../dicom/file.ts'
import { type Plane, planesOf } from '../dicom/planes.ts'
import { cross, dot, length, refuse, scale, type Triple, triple } from '../model.ts'
import { blocking, FlowRefusal, type Told, type Traits } from './images.ts'

const SHARED = '52009229'
const PER_FRAME = '52009230'

/** Null of what is no image. */
export async function dicomImages(path: string, file: number): Promise<Told[] | null> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    for (let bytes = HEAD_BYTES; ; bytes *= 8) {
      const wanted = Math.min(bytes, size, flowReading.headBytes)
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, 0)
      const start = buffer.subarray(0, bytesRead)
      if (!isDicom(start)) return null
      try {
        return imagesOf(start, file)
      } catch (error) {
        if (error instanceof FlowRefusal || wanted >= Math.min(size, flowReading.headBytes)) throw error
        refuseTooMany(claimsOf(start))
      }
    }
  } finally {
    await handle.close()
  }
}

/** Classic heads are much shorter; others are read again with more. */
const HEAD_BYTES = 64 * 1024

/** What a head that was cut says before it tells of each frame. */
function claimsOf(start: Buffer): Group | null {
  try {
    return openDicom(start, { limitBytes: flowReading.headBytes, until: SHARED })
  } catch {
    // Cut even before that: it is read again with more, and refused then if it is damaged.
    return null
  }
}

function refuseTooMany(file: Group | null): void {
  const count = file?.numbers('00280008')[0] ?? 1
  if (count > flowReading.images)
    throw new FlowRefusal([blocking('too_many_files', { count, most: flowReading.images })])
}

function imagesOf(start: Buffer, index: number): Told[] | null {
  const file = openDicom(start, { limitBytes: flowReading.headBytes, untilPixels: true })
  if (!file.has('00280010') || !/^(MR|OT|)$/.test(file.text('00080060'))) return null
  refuseTooMany(file)
  const frames = file.numbers('00280008')[0] ?? 1
  if (!Number.isInteger(frames) || frames < 1) throw refuse('header_damaged', { kind: 'DICOM' })
  const common = traitsOf(file)
  const planes = planesOf(file, index, frames)
  const perFrame = file.items(PER_FRAME)
  const shared = file.items(SHARED)[0]
  return planes.map((plane) => toldOf(plane, file, { common, groups: [perFrame[plane.frame], shared] }))
}

type Around = { common: Traits; groups: (Group | undefined)[] }

function toldOf(plane: Plane, file: DicomFile, { common, groups }: Around): Told {
  const number = (sequence: string, tag: string): number[] => {
    for (const group of [...groups.map((one) => one?.items(sequence)[0]), file.items(sequence)[0], file]) {
      const found = group?.numbers(tag) ?? []
      if (found.length > 0) return found
    }
    return []
  }
  const kind = groups.map((one) => one?.items('00189226')[0]).find(Boolean)
  const milliseconds = finite(number('00189118', '00209153')[0]) ?? finite(file.numbers('00181060')[0])
  const vector = vectorOf(number('00189197', '00189090'))
  const venc = finite(number('00189197', '00189217')[0])
  const interval = finite(number('00189118', '00209251')[0])
  const normal = plane.directions ? cross(...plane.directions) : null
  return {
    uid: file.text('00080018'),
    traits: {
      ...common,
      imageType: kind?.text('00089007') || common.imageType,
      component: kind?.text('00089208') || common.component,
      directions: plane.directions,
      spacing: plane.spacing,
      thickness: plane.thickness,
      vector,
      venc: venc !== null && Math.abs(venc) > 0 ? Math.abs(venc) / 100 : common.venc,
      period: seconds(interval) ?? common.period,
      slope: plane.slope,
      intercept: plane.intercept,
    },
    image: {
      file: plane.file,
      frame: plane.frame,
      position: plane.position,
      place: plane.position && normal ? dot(plane.position, normal) : finite(file.numbers('00201041')[0]),
      time: milliseconds === null ? null : milliseconds / 1000,
      turn: finite(number('00209111', '00209128')[0]) ?? finite(file.numbers('00200100')[0]) ?? 0,
      number: (finite(file.numbers('00200013')[0]) ?? 0) + plane.frame,
      slope: plane.slope,
      intercept: plane.intercept,
    },
  }
}

/** Of the file as a whole; what enhanced files say of each frame comes on top. */
function traitsOf(file: DicomFile): Traits {
  const text = (tag: string): string => file.text(tag).slice(0, TEXT)
  const ge = privateNumbers(file, '001910cc', 'SS')[0]
  const encoded = privateNumbers(file, '2001101a', 'FL')
  const phase = text('00181312')
  return {
    source: 'dicom',
    ...{ study: text('0020000d'), patient: text('00100020'), series: text('0020000e') },
    ...{ frameOfReference: text('00200052'), maker: text('00080070'), component: text('00089208') },
    imageType: text('00080008'),
    ...{ description: text('0008103e'), protocol: text('00181030') },
    sequence: text('00180024') || text('00189005'),
    // Siemens' words for flow, before and after 2015, and those of United Imaging.
    label: ['00511014', '00211129', '00651012'].map(text).filter(Boolean).join(' '),
    columns: file.numbers('00280011')[0] ?? 0,
    rows: file.numbers('00280010')[0] ?? 0,
    ...{ directions: null, spacing: null, thickness: null, vector: null, slope: 1, intercept: 0 },
    // GE tells it in mm/s.
    venc: ge !== undefined && ge > 0 && isGe(text('00080070')) ? ge / 1000 : null,
    encoded: encoded.length >= 3 && encoded.some((part) => part !== 0) ? triple(encoded) : null,
    isPhaseAlongRow: phase === '' ? null : phase === 'ROW',
    rescaleType: text('00281054'),
    bits: file.numbers('00280101')[0] ?? 16,
    isSigned: file.numbers('00280103')[0] === 1,
    period: periodOf(file),
    gating: gatingOf(file),
  }
}

const TEXT = 200

const isGe = (maker: string): boolean => /^ge\b|general electric/i.test(maker)

/** From one R wave to the next: NominalInterval, else CardiacRRIntervalSpecified, else HeartRate. */
function periodOf(file: Group): number | null {
  const interval =
    seconds(finite(file.numbers('00181062')[0])) ?? seconds(finite(file.numbers('00189070')[0]))
  const rate = finite(file.numbers('00181088')[0])
  return interval ?? (rate !== null && rate > 0 ? seconds(60_000 / rate) : null)
}

/** No heart beats faster than in 0.2 s or slower than in 4 s: other numbers mean something else. */
const seconds = (milliseconds: number | null): number | null =>
  milliseconds !== null && milliseconds >= 200 && milliseconds <= 4000 ? milliseconds / 1000 : null

function gatingOf(file: Group): Traits['gating'] {
  const words = `${file.text('00189037')} ${file.text('00080008')}`
  if (/RETRO/.test(words)) return 'retrospective'
  return /PROSPECTIVE/.test(words) ? 'prospective' : 'unknown'
}

const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null

function vectorOf(values: number[]): Triple | null {
  const vector = triple(values)
  const size = length(vector)
  return values.length >= 3 && Number.isFinite(size) && size > 0.5 ? scale(vector, 1 / size) : null
}

/** Private elements often lose their type on the way: then they are read as their maker writes them. */
function privateNumbers(file: DicomFile, tag: string, type: 'SS' | 'FL'): number[] {
  const told = file.numbers(tag)
  if (told.length > 0 && told.every(Number.isFinite)) return told
  const element = file.element(tag)
  if (!element || element.length <= 0 || element.length > 64) return []
  const bytes = file.bytes.subarray(element.dataOffset, element.dataOffset + element.length)
  const width = type === 'SS' ? 2 : 4
  const count = Math.floor(bytes.length / width)
  const read = (at: number): number => (type === 'SS' ? bytes.readInt16LE(at) : bytes.readFloatLE(at))
  return Array.from({ length: count }, (_, index) => read(index * width)).filter(Number.isFinite)
}
