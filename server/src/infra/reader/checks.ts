/** Compares an image with what was written of it and read again: what was kept, what changed and why. */
import type { ConversionCheck, ConversionFormat, ConversionOptions } from '@neuroloom/contract/conversions'
import { dot, type Geometry, orientationOf, rangeOf, refuse, type Scan, type Triple } from './model.ts'
import { eightBit, isEightBit, sixteenBit, windowOf } from './values.ts'

type Why = ConversionCheck['why']
type How = { format: ConversionFormat; options: ConversionOptions }

export function compare(before: Scan, after: Scan, how: How): ConversionCheck[] {
  const isPicture = how.format === 'png' || how.format === 'jpeg'
  const [sizeBefore, sizeAfter] = [sizeText(before), sizeText(after)]
  return [
    {
      what: 'size',
      state: sizeBefore === sizeAfter ? 'kept' : 'changed',
      before: sizeBefore,
      after: sizeAfter,
      why: null,
    },
    spacingCheck(before.geometry, after.geometry),
    orientationCheck(before, after),
    positionCheck(before, after),
    typeCheck(before, after),
    isPicture ? pictureCheck(before, after, how) : valuesCheck(before, after),
  ]
}

const sizeText = ({ size: [x, y, z, t] }: Scan): string => [x, y, z, ...(t > 1 ? [t] : [])].join(' × ')

const notStored: Why = { name: 'not_stored', params: {} }
const assumed: Why = { name: 'assumed', params: {} }

function spacingCheck(before: Geometry | null, after: Geometry | null): ConversionCheck {
  const text = (geometry: Geometry | null): string =>
    geometry ? `${geometry.spacing.map(shown).join(' × ')} mm` : '—'
  const texts = { what: 'spacing', before: text(before), after: text(after) } as const
  if (!before)
    return after ? { ...texts, state: 'changed', why: assumed } : { ...texts, state: 'unknown', why: null }
  if (!after) return { ...texts, state: 'changed', why: notStored }
  const isKept = before.spacing.every(
    (step, index) => Math.abs((after.spacing[index] ?? 0) / step - 1) < 1e-5,
  )
  return { ...texts, state: isKept ? 'kept' : 'changed', why: null }
}

/** The third axis may lead the other way when the slices' order was turned with it. */
const isTurned = (before: Geometry | null, after: Geometry | null): boolean =>
  before?.axes && after?.axes ? dot(before.axes[2], after.axes[2]) < -0.99 : false

function orientationCheck(before: Scan, after: Scan): ConversionCheck {
  const texts = {
    what: 'orientation',
    before: orientationOf(before.geometry) ?? '—',
    after: orientationOf(after.geometry) ?? '—',
  } as const
  const [from, to] = [before.geometry?.axes, after.geometry?.axes]
  if (!from)
    return to ? { ...texts, state: 'changed', why: assumed } : { ...texts, state: 'unknown', why: null }
  if (!to) return { ...texts, state: 'changed', why: notStored }
  const turned = isTurned(before.geometry, after.geometry)
  const isKept = from.every((axis, index) => {
    const other = to[index] ?? [0, 0, 0]
    return (turned && index === 2 ? -1 : 1) * dot(axis, other) > 0.99999
  })
  if (isKept && turned) return { ...texts, state: 'kept', why: { name: 'slices_turned', params: {} } }
  return { ...texts, state: isKept ? 'kept' : 'changed', why: null }
}

function positionCheck(source: Scan, result: Scan): ConversionCheck {
  const [before, after] = [source.geometry, result.geometry]
  const text = (origin: Triple | null | undefined): string =>
    origin ? `${origin.map(shown).join(' / ')} mm` : '—'
  const turned = isTurned(before, after)
  const start = before?.origin && turned ? lastSlice(before, source.size[2]) : (before?.origin ?? null)
  const texts = { what: 'position', before: text(before?.origin), after: text(after?.origin) } as const
  if (!start) return { ...texts, state: 'unknown', why: null }
  const end = after?.origin
  if (!end) return { ...texts, state: 'changed', why: notStored }
  const { most, slice } = farthest(source, result, turned)
  if (most > SAME_PLACE)
    return { ...texts, state: 'changed', why: { name: 'slices_moved', params: { most: shown(most), slice } } }
  return { ...texts, state: 'kept', why: turned ? { name: 'slices_turned', params: {} } : null }
}

/** In millimetres; formats of single precision round at a thousandth of it. */
const SAME_PLACE = 0.01

/** How far a corner of a slice lies from where its own header says, and which slice that is, counted from 1. */
function farthest(before: Scan, after: Scan, turned: boolean): { most: number; slice: number } {
  let [most, slice] = [0, 1]
  const count = before.size[2]
  for (let index = 0; index < count; index += 1) {
    const there = cornersOf(after, turned ? count - 1 - index : index)
    for (const [corner, at] of cornersOf(before, index).entries()) {
      const way = distance(at, there[corner] ?? at)
      if (way > most) [most, slice] = [way, index + 1]
    }
  }
  return { most, slice }
}

const distance = (one: Triple, other: Triple): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])

/** Of one slice: first, end of the first row, end of the first column, last. */
function cornersOf({ geometry, slicePlaces, size: [columns, rows] }: Scan, slice: number): Triple[] {
  if (!geometry?.axes) return []
  const [row, column, third] = geometry.axes
  const { spacing } = geometry
  const start = slicePlaces?.[slice] ?? moved(geometry.origin ?? [0, 0, 0], third, spacing[2] * slice)
  const [across, down] = [spacing[0] * (columns - 1), spacing[1] * (rows - 1)]
  return [
    start,
    moved(start, row, across),
    moved(start, column, down),
    moved(moved(start, row, across), column, down),
  ]
}

const moved = ([x, y, z]: Triple, [a, b, c]: Triple, way: number): Triple => [
  x + a * way,
  y + b * way,
  z + c * way,
]

function lastSlice({ origin, axes, spacing }: Geometry, slices: number): Triple {
  const [x, y, z] = axes?.[2] ?? [0, 0, 1]
  const way = spacing[2] * (slices - 1)
  return [(origin?.[0] ?? 0) + x * way, (origin?.[1] ?? 0) + y * way, (origin?.[2] ?? 0) + z * way]
}

function typeCheck(before: Scan, after: Scan): ConversionCheck {
  const text = ({ dataType, channels }: Scan): string => (channels === 3 ? `RGB ${dataType}` : dataType)
  return {
    what: 'type',
    state: text(before) === text(after) ? 'kept' : 'changed',
    before: text(before),
    after: text(after),
    why: null,
  }
}

/** Value by value, with slopes worked in. */
function valuesCheck(before: Scan, after: Scan): ConversionCheck {
  const texts = { what: 'values', before: rangeText(before), after: rangeText(after) } as const
  if (before.samples.length !== after.samples.length) return { ...texts, state: 'changed', why: null }
  const { most, holes, holesAs } = difference(before, after)
  const unit = before.unit ? ` ${before.unit}` : ''
  if (holes > 0) {
    const params = { count: holes, as: holesAs.map(shown).join(' / ') + unit, most: shown(most) + unit }
    return { ...texts, state: 'changed', why: { name: 'no_numbers', params } }
  }
  const range = rangeOf(before)
  const tolerance = Math.max(range ? range.max / 2 - range.min / 2 : 0, 1e-30) * 2e-6
  if (most <= tolerance) return { ...texts, state: 'kept', why: null }
  // Numbers at the very end of doubles: how far off they are is no number any more.
  if (!Number.isFinite(most)) return { ...texts, state: 'changed', why: null }
  return { ...texts, state: 'changed', why: { name: 'rounded', params: { most: shown(most) + unit } } }
}

/** `holes`: places that hold no finite number, and a finite one afterwards; `holesAs`: which, least and greatest. */
type Difference = { most: number; holes: number; holesAs: number[] }

function difference(before: Scan, after: Scan): Difference {
  const [x, y, z] = before.size
  const slice = x * y * before.channels
  const turned = isTurned(before.geometry, after.geometry)
  const isEight =
    before.channels === 3 && before.samples.BYTES_PER_ELEMENT === 2 && after.samples.BYTES_PER_ELEMENT === 1
  let [most, holes] = [0, 0]
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let from = 0; from < before.samples.length; from += slice) {
    const index = from / slice
    const other = turned ? index - (index % z) + (z - 1 - (index % z)) : index
    for (let at = 0; at < slice; at += 1) {
      const stored = before.samples[from + at] ?? 0
      const value = (isEight ? stored / 257 : stored) * before.slope + before.intercept
      const now = (after.samples[other * slice + at] ?? 0) * after.slope + after.intercept
      if (Number.isFinite(value)) most = Math.max(most, Math.abs(value - now))
      else if (Number.isFinite(now)) {
        holes += 1
        least = Math.min(least, now)
        greatest = Math.max(greatest, now)
      }
    }
  }
  return { most, holes, holesAs: least === greatest ? [least] : [least, greatest] }
}

/** A picture holds exactly the greys that were meant; JPEG nearly so. */
function pictureCheck(before: Scan, after: Scan, { format, options }: How): ConversionCheck {
  const texts = { what: 'values', before: rangeText(before), after: rangeText(after) } as const
  if (format === 'png' && options.depth === 'sixteen' && before.channels === 1) {
    const { samples, step, from } = sixteenBit(before)
    if (mostBetween(samples, after.samples) > 0) throw refuse('reader_failed')
    if (step === 1 && from === 0) return { ...texts, state: 'kept', why: null }
    const why: Why =
      step === 1
        ? { name: 'shifted', params: { by: shown(-from) } }
        : { name: 'spread', params: { step: shown(step) } }
    return { ...texts, state: 'changed', why }
  }
  const meant = eightBit(before, options.window)
  const most = mostBetween(meant, after.samples)
  if (format === 'png' && most > 0) throw refuse('reader_failed')
  if (before.channels === 1 && !isEightBit(before, options.window)) {
    const { center, width } = windowOf(before, options.window)
    return {
      ...texts,
      state: 'changed',
      why: { name: 'window', params: { center: shown(center), width: shown(width) } },
    }
  }
  if (before.samples.BYTES_PER_ELEMENT > 1)
    return { ...texts, state: 'changed', why: { name: 'eight_bits', params: {} } }
  if (most > 0) return { ...texts, state: 'changed', why: { name: 'lossy', params: { most } } }
  return { ...texts, state: 'kept', why: null }
}

function mostBetween(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (one.length !== other.length) throw refuse('reader_failed')
  let most = 0
  for (let index = 0; index < one.length; index += 1) {
    most = Math.max(most, Math.abs((one[index] ?? 0) - (other[index] ?? 0)))
  }
  return most
}

function rangeText(scan: Scan): string {
  const range = rangeOf(scan)
  return range ? `${shown(range.min)} … ${shown(range.max)}${scan.unit ? ` ${scan.unit}` : ''}` : '—'
}

const shown = (value: number): string => String(Number(value.toPrecision(6)) + 0)
