/** Reads NRRD (`.nrrd`, and `.nhdr` with its data beside it): raw, gzip, bzip2 and text. */

import type { ViewNote } from '@neuroloom/contract/viewing'
import { decimalNotes, numberOf } from '../decimals.ts'
import {
  bytesOf,
  checkSize,
  type Geometry,
  length,
  makeSamples,
  plainScan,
  refuse,
  type Samples,
  type Scan,
  scale,
  type Triple,
  triple,
} from '../model.ts'
import { HEADER_BYTES } from './detached.ts'
import { packingNamed, typeNamed } from './nrrd-words.ts'
import { readBody, readDetached, type Siblings } from './text-header.ts'

type Fields = ReadonlyMap<string, string>
type Axis = { size: number; isSpace: boolean; isColour: boolean; direction: number[] | null; spacing: number }

export function readNrrd(
  bytes: Buffer,
  { siblings, limitBytes }: { siblings: Siblings; limitBytes: number },
): Scan {
  const { fields, end } = readFields(bytes)
  const type = typeNamed(fields.get('type') ?? '')
  const axes = readAxes(fields)
  checkSize(
    axes.map(({ size }) => size),
    bytesOf(type),
    limitBytes,
  )
  const name = fields.get('data file') ?? fields.get('datafile')
  const body = name === undefined ? bytes : readDetached(name, siblings)
  const stored = readBody({
    bytes: body,
    start: startOf(fields, body, name === undefined ? end : 0),
    packing: packingNamed(fields.get('encoding') ?? 'raw'),
    type,
    count: axes.reduce((product, { size }) => product * size, 1),
    isLittle: (fields.get('endian') ?? 'little') !== 'big',
  })
  const order = arrange(axes)
  const geometry = geometryOf(fields, order.space)
  return {
    ...plainScan,
    format: 'nrrd',
    size: order.size,
    layout: order.size[2] === 1 ? 'slice' : 'volume',
    channels: order.channels === 1 ? 1 : 3,
    samples: reorder(stored, order),
    dataType: type,
    bits: bytesOf(type) * 8,
    geometry,
    windows: [],
    compression: (fields.get('encoding') ?? '').toLowerCase(),
    notes: [
      ...(geometry === null ? [{ name: 'spacing_unknown' as const, params: {} }] : []),
      ...(order.channels === 4 ? [{ name: 'transparency_dropped' as const, params: {} }] : []),
      ...placeNotes(fields),
    ],
  }
}

/** `nan` and `none` say that an axis has no such thing. */
const placeNotes = (fields: Fields): ViewNote[] =>
  decimalNotes(
    [
      ['spacings', /\s+/] as const,
      ['space origin', /[(),\s]+/] as const,
      ['space directions', /[(),\s]+/] as const,
    ].map(([name, between]) => [
      name,
      (fields.get(name) ?? '').split(between).filter((text) => !/^(nan|none|)$/i.test(text)),
    ]),
  )

/** `field: value` lines up to the first empty one; `key:=value` lines and comments do not matter. */
function readFields(bytes: Buffer): { fields: Fields; end: number } {
  const text = bytes.subarray(0, HEADER_BYTES).toString('latin1')
  if (!/^NRRD000\d/.test(text)) throw refuse('not_this_kind', { kind: 'NRRD' })
  const gap = /\r?\n\r?\n/.exec(text)
  const end = gap ? gap.index + gap[0].length : text.length
  const fields = new Map<string, string>()
  for (const line of text
    .slice(0, gap?.index ?? text.length)
    .split(/\r?\n/)
    .slice(1)) {
    const match = /^([^:#]+): ?(.*)$/.exec(line)
    if (match?.[1] && !line.includes(':=')) {
      fields.set(
        match[1].trim().toLowerCase(),
        Buffer.from(match[2] ?? '', 'latin1')
          .toString('utf8')
          .trim(),
      )
    }
  }
  return { fields, end }
}

/** `key:=value` lines: what programs say besides. */
export function nrrdPairs(bytes: Buffer): ReadonlyMap<string, string> {
  const [head = ''] = bytes
    .subarray(0, HEADER_BYTES)
    .toString('utf8')
    .split(/\r?\n\r?\n/, 1)
  const pairs = head.split(/\r?\n/).flatMap((line): [string, string][] => {
    const at = line.indexOf(':=')
    return at > 0 ? [[line.slice(0, at), line.slice(at + 2)]] : []
  })
  return new Map(pairs)
}

function readAxes(fields: Fields): Axis[] {
  const sizes = (fields.get('sizes') ?? '').split(/\s+/).map(Number)
  if (sizes.length > 8 || sizes.length !== Number(fields.get('dimension')))
    throw refuse('header_damaged', { kind: 'NRRD' })
  const kinds = (fields.get('kinds') ?? '').toLowerCase().split(/\s+/)
  const directions = fields.get('space directions')?.match(/none|\([^)]*\)/gi)
  const spacings = (fields.get('spacings') ?? '').split(/\s+/).map(numberOf)
  return sizes.map((size, index): Axis => {
    const said = directions?.[index]
    const direction = said?.startsWith('(') ? said.slice(1, -1).split(',').map(Number) : null
    const kind = kinds[index] ?? ''
    const isColour =
      index === 0 &&
      (/^rgba?-color$|^[34]-(color|vector)$|^vector$/.test(kind) ||
        (directions?.[0] === 'none' && kind === ''))
    const isSpace = directions ? direction !== null : !isColour && !/^(list|vector|time)$/.test(kind)
    return {
      size,
      isSpace,
      isColour: isColour && (size === 3 || size === 4),
      direction,
      spacing: spacings[index] ?? Number.NaN,
    }
  })
}

type Order = {
  size: Scan['size']
  channels: 1 | 3 | 4
  space: Axis[]
  steps: { size: number; stride: number }[]
}

/** Which axis runs where: colours first, then the three of space, all others as points in time. */
function arrange(axes: Axis[]): Order {
  let stride = 1
  const placed = axes.map((axis) => {
    const own = { ...axis, stride }
    stride *= axis.size
    return own
  })
  const colour = placed.find(({ isColour }) => isColour)
  const rest = placed.filter((axis) => axis !== colour)
  const space = rest.filter(({ isSpace }) => isSpace).slice(0, 3)
  const others = rest.filter((axis) => !space.includes(axis))
  const side = (index: number) => space[index]?.size ?? 1
  const times = others.reduce((product, { size }) => product * size, 1)
  return {
    size: [side(0), side(1), side(2), times],
    channels: colour?.size === 4 ? 4 : colour ? 3 : 1,
    space,
    steps: [...(colour ? [colour] : []), ...space, ...others],
  }
}

/** As stored where that is our order already. */
function reorder(stored: Samples, { steps, channels }: Order): Samples {
  const isInOrder = steps.every(({ stride }, index) => stride >= (steps[index - 1]?.stride ?? 0))
  if (isInOrder && channels !== 4) return stored
  const kept = steps.map((step, index) => ({
    ...step,
    size: index === 0 && channels === 4 ? 3 : step.size,
    at: 0,
  }))
  const target = makeSamplesLike(
    stored,
    kept.reduce((product, { size }) => product * size, 1),
  )
  let from = 0
  for (let index = 0; index < target.length; index += 1) {
    target[index] = stored[from] ?? 0
    for (const step of kept) {
      step.at += 1
      from += step.stride
      if (step.at < step.size) break
      from -= step.at * step.stride
      step.at = 0
    }
  }
  return target
}

const makeSamplesLike = (samples: Samples, count: number): Samples =>
  samples instanceof Float64Array ? makeSamples('float64', count) : new (constructorOf(samples))(count)

/** Of one of our arrays, which all are made by their length. */
const constructorOf = (samples: Samples) => samples.constructor as new (count: number) => Samples

function startOf(fields: Fields, body: Buffer, start: number): number {
  let at = start
  for (let lines = Number(fields.get('line skip') ?? 0); lines > 0; lines -= 1) {
    const next = body.indexOf(10, at)
    if (next < 0) throw refuse('header_contradicts')
    at = next + 1
  }
  const skip = Number(fields.get('byte skip') ?? 0)
  return skip === -1 ? -1 : at + Math.max(skip, 0)
}

function geometryOf(fields: Fields, space: Axis[]): Geometry | null {
  const signs = signsOf(fields.get('space') ?? '')
  const vectors = space.map(({ direction }) => direction)
  if (vectors.length === 3 && vectors.every((vector) => vector?.length === 3)) {
    const world = vectors.map((vector) => flip(triple(vector ?? []), signs ?? [1, 1, 1]))
    const spacing = triple(world.map(length))
    if (!isSpacing(spacing)) return null
    const origin = (fields.get('space origin') ?? '')
      .replace(/[()\s]/g, '')
      .split(',')
      .map(Number)
    const [i = [1, 0, 0], j = [0, 1, 0], k = [0, 0, 1]] = world
    return {
      spacing,
      origin: signs && origin.length === 3 && !origin.some(Number.isNaN) ? flip(triple(origin), signs) : null,
      axes: signs
        ? [
            scale(triple(i), 1 / spacing[0]),
            scale(triple(j), 1 / spacing[1]),
            scale(triple(k), 1 / spacing[2]),
          ]
        : null,
    }
  }
  const steps = space.map(({ spacing }) => Math.abs(spacing))
  const [x = Number.NaN, y = Number.NaN, z = 1] = steps
  const spacing: Triple = [x, y, z]
  return isSpacing(spacing) ? { spacing, origin: null, axes: null } : null
}

const isSpacing = (spacing: Triple): boolean => spacing.every((step) => Number.isFinite(step) && step > 0)

const flip = ([x, y, z]: Triple, [a, b, c]: Triple): Triple => [x * a, y * b, z * c]

/** To DICOM's directions; null for a space that is not a patient's. */
function signsOf(space: string): Triple | null {
  const name = space.toLowerCase().replace(/-time$/, '')
  const signs: Record<string, Triple> = {
    'left-posterior-superior': [1, 1, 1],
    lps: [1, 1, 1],
    'right-anterior-superior': [-1, -1, 1],
    ras: [-1, -1, 1],
    'left-anterior-superior': [1, -1, 1],
    las: [1, -1, 1],
  }
  return signs[name] ?? null
}
