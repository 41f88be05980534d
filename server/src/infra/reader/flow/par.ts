/** Philips' PAR/REC, versions 4.x: a header of text with a line an image, told by the names of its columns; the numbers lie beside it. */
import { flowReading } from '@neuroloom/contract/limits'
import { checkSize, cross, dot, refuse, type Triple, triple } from '../model.ts'
import type { FlowImage, Told, Traits } from './images.ts'

/** Of one PAR file. `rec` is the number of the file with its numbers. */
export function parImages(header: string, rec: number): Told[] {
  const at = columnsOf(header)
  const lines = header.split(/\r?\n/).filter((line) => /^\s*\d+\s+\d+\s/.test(line))
  const general = generalOf(header)
  return lines.flatMap((line) => {
    const words = line.trim().split(/\s+/).map(Number)
    const numbers = (name: string): number[] => {
      const column = at.get(name)
      return column ? words.slice(column.from, column.from + column.count) : []
    }
    const told = toldOf(numbers, general, rec)
    return told ? [told] : []
  })
}

type Columns = Map<string, { from: number; count: number }>

/** `#  recon resolution (x,y)   (2*integer)`: the name as far as its first bracket, then how many numbers it takes. */
function columnsOf(header: string): Columns {
  const columns: Columns = new Map()
  const [, part = ''] = header.split(/IMAGE INFORMATION DEFINITION/)
  let from = 0
  for (const line of part.split(/\r?\n/)) {
    if (/=== IMAGE INFORMATION =/.test(line)) break
    const found = /^#\s+(.+?)\s*\((?:(\d)\s*\*\s*)?(integer|float|string)\)\s*$/.exec(line)
    if (!found) continue
    const name = (found[1] ?? '')
      .replace(/[(<].*$/, '')
      .trim()
      .toLowerCase()
    const count = Number(found[2] ?? 1)
    columns.set(name, { from, count })
    from += count
  }
  return columns
}

type General = { name: string; patient: string; encoded: number[] }

function generalOf(header: string): General {
  const value = (name: string): string =>
    new RegExp(`^\\.\\s*${name}[^:\\n]*:[ \\t]*(.*)$`, 'mi').exec(header)?.[1]?.trim() ?? ''
  return {
    name: value('Protocol name').slice(0, 200),
    patient: `${value('Patient name')} ${value('Examination date/time')}`.slice(0, 200),
    encoded: value('Phase encoding velocity').split(/\s+/).map(Number).filter(Number.isFinite),
  }
}

/** Null of a line that is no image. */
function toldOf(numbers: (name: string) => number[], general: General, rec: number): Told | null {
  const number = (name: string): number => numbers(name)[0] ?? Number.NaN
  const [columns = 0, rows = 0] = numbers('recon resolution')
  const index = number('index in rec file')
  const slope = number('rescale slope')
  const intercept = number('rescale intercept')
  const kind = number('image_type_mr')
  const bits = number('image pixel size')
  if (![index, slope, intercept, kind].every(Number.isFinite) || index < 0) return null
  if (bits !== 8 && bits !== 16) throw refuse('number_type_unknown', { kind: `${bits} bit` })
  // Sizes are bounded before anything is made of them.
  checkSize([columns, rows], bits / 8, flowReading.headBytes)
  const place = placeOf(numbers, [columns, rows])
  const milliseconds = number('trigger_time')
  const [x, y] = numbers('pixel spacing')
  const traits: Traits = {
    source: 'par_rec',
    ...{ study: general.patient, patient: general.patient, frameOfReference: '', maker: 'Philips' },
    // Series of one file differ by kind; reading adds the file itself.
    series: `${kind} ${number('scanning sequence')} ${number('echo number')}`,
    imageType: ['M', 'R', 'I', 'P', 'VELOCITY'][kind] ?? `KIND ${kind}`,
    ...{ component: '', description: '', protocol: general.name, sequence: '', label: '' },
    ...{ columns, rows, directions: place?.directions ?? null, vector: null, venc: null },
    spacing: x !== undefined && y !== undefined && x > 0 && y > 0 ? [x, y] : null,
    thickness: number('slice thickness') + number('slice gap') || null,
    encoded: general.encoded.some((one) => one !== 0) ? encodedOf(general.encoded) : null,
    ...{ isPhaseAlongRow: null, rescaleType: '', isSigned: false, bits, slope },
    ...{ intercept, period: periodOf(number('cardiac frequency')), gating: 'unknown' },
  }
  const image: FlowImage = {
    ...{ file: rec, frame: index, position: place?.position ?? null, slope, intercept },
    place: place ? dot(place.position, cross(...place.directions)) : number('slice number'),
    time: Number.isFinite(milliseconds) ? milliseconds / 1000 : null,
    turn: number('cardiac phase number') || 0,
    number: index,
    plane: { count: columns * rows, bits },
  }
  return { traits, image, uid: '' }
}

const periodOf = (beatsAMinute: number): number | null =>
  beatsAMinute >= 15 && beatsAMinute <= 300 ? 60 / beatsAMinute : null

/** To the left, the back and the head; headers with these numbers show that they stand in this order: RL, AP, FH. */
const encodedOf = ([rl = 0, ap = 0, fh = 0]: number[]): Triple => [rl, ap, fh]

/**
 * Philips' axes are (AP, FH, RL), which grow to the back, the head and the left. How columns, rows and slices of the three
 * orientations lie in them, and the order of the turns (RL, then AP, then FH applied first) follow nibabel's `parrec`, which
 * found both on images of a phantom. Off-centres of slices in headers of patients agree with it.
 */
const acquired: Record<number, [Triple, Triple, Triple]> = {
  // Transverse: to the left, the back, the head.
  1: [
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
  ],
  // Sagittal: to the back, the feet, the right.
  2: [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
  ],
  // Coronal: to the left, the feet, the back.
  3: [
    [0, 0, 1],
    [0, -1, 0],
    [1, 0, 0],
  ],
}

type Place = { position: Triple; directions: [Triple, Triple] }

/** Off-centres are those of a slice's middle: the first pixel lies half the picture before it. */
function placeOf(numbers: (name: string) => number[], [columns, rows]: [number, number]): Place | null {
  const axes = acquired[numbers('slice orientation')[0] ?? 0]
  const angles = numbers('image angulation')
  const middle = numbers('image offcentre')
  const [x = Number.NaN, y = Number.NaN] = numbers('pixel spacing')
  const isTold = [...angles, ...middle, x, y].every(Number.isFinite) && angles.length === 3
  if (!axes || !isTold || middle.length !== 3) return null
  const [row, column] = [turned(axes[0], angles), turned(axes[1], angles)]
  const start = triple(
    middle.map((at, axis) => at - half(row, axis, columns, x) - half(column, axis, rows, y)),
  )
  return { position: inLps(start), directions: [inLps(row), inLps(column)] }
}

const half = (axis: Triple, part: number, count: number, step: number): number =>
  ((axis[part] ?? 0) * step * (count - 1)) / 2

/** (AP, FH, RL) to DICOM's (left, back, head). */
const inLps = ([ap, fh, rl]: Triple): Triple => [rl, ap, fh]

function turned([x, y, z]: Triple, [ap = 0, fh = 0, rl = 0]: number[]): Triple {
  const radians = (degrees: number): [number, number] => [
    Math.cos((degrees * Math.PI) / 180),
    Math.sin((degrees * Math.PI) / 180),
  ]
  const [cosFh, sinFh] = radians(fh)
  const [x1, z1] = [cosFh * x + sinFh * z, cosFh * z - sinFh * x]
  const [cosAp, sinAp] = radians(ap)
  const [y2, z2] = [cosAp * y - sinAp * z1, sinAp * y + cosAp * z1]
  const [cosRl, sinRl] = radians(rl)
  return [cosRl * x1 - sinRl * y2, sinRl * x1 + cosRl * y2, z2]
}
