/** The values of an image in other numbers: slope and intercept worked in, or as the grey of a window. */
import { makeSamples, rangeOf, type Samples, type Scan, typeOf } from './model.ts'
import { type Range, usualRange } from './usual-range.ts'

/** The same image with slope 1 and intercept 0, in whole numbers where they stay whole. */
export function plainValues(scan: Scan): Scan {
  const { samples, slope, intercept } = scan
  if (slope === 1 && intercept === 0) return scan
  const range = rangeOf(scan)
  const isWhole =
    Number.isInteger(slope) && Number.isInteger(intercept) && !typeOf(samples).startsWith('float')
  const type = isWhole && range ? wholeType(range.min, range.max) : wideType(samples)
  const values = makeSamples(type, samples.length)
  for (let index = 0; index < samples.length; index += 1)
    values[index] = (samples[index] ?? 0) * slope + intercept
  return {
    ...scan,
    samples: values,
    slope: 1,
    intercept: 0,
    dataType: type,
    bits: values.BYTES_PER_ELEMENT * 8,
  }
}

/** MONOCHROME1 shows its least value white: the same picture with white as the greatest, of whole numbers. */
export function asSeen(scan: Scan): Scan {
  const { photometric, samples, bits, slope, intercept } = scan
  if (photometric !== 'MONOCHROME1' || typeOf(samples).startsWith('float')) return scan
  // Over the range of its bits, so that pictures of one device stay comparable.
  const ends = typeOf(samples).startsWith('uint') ? 2 ** bits - 1 : -1
  return { ...scan, slope: -slope, intercept: intercept + slope * ends }
}

function wholeType(min: number, max: number) {
  if (min >= 0 && max <= 255) return 'uint8'
  if (min >= -32_768 && max <= 32_767) return 'int16'
  if (min >= 0 && max <= 65_535) return 'uint16'
  return 'int32'
}

/** Single precision holds 16-bit numbers exactly, wider ones not. */
const wideType = (samples: Samples) =>
  samples.BYTES_PER_ELEMENT <= 2 || samples instanceof Float32Array ? 'float32' : 'float64'

export type Window = { center: number; width: number }

/** The window asked for, else the file's own, else one that holds all values but single outliers. */
export function windowOf(scan: Scan, asked: Window | null): Window {
  if (asked) return asked
  const [own] = scan.windows
  if (own) return { center: own.center, width: own.width }
  return windowAround(usualRange(scan) ?? { min: 0, max: 1 })
}

export const windowAround = ({ min, max }: Range): Window => ({
  center: min / 2 + max / 2,
  width: Math.max(max - min, 1e-9),
})

/** Whether the values are pictures' own already: then no window changes them. */
export const isEightBit = (scan: Scan, asked: Window | null): boolean =>
  scan.channels === 3 ? true : asked === null && scan.windows.length === 0 && isPlainBytes(scan)

const isPlainBytes = ({ samples, slope, intercept, dataType, photometric }: Scan): boolean =>
  samples instanceof Uint8Array &&
  slope === 1 &&
  intercept === 0 &&
  dataType !== 'bit' &&
  photometric !== 'MONOCHROME1'

/** 0–255 as on a screen; colours of 16 bits lose their lower half. */
export function eightBit(scan: Scan, asked: Window | null): Uint8Array {
  const { samples, channels, slope, intercept, photometric } = scan
  if (channels === 3 || isEightBit(scan, asked)) return colourBytes(samples)
  const { center, width } = windowOf(scan, asked)
  const low = center - width / 2
  const isTurned = photometric === 'MONOCHROME1'
  const grey = new Uint8Array(samples.length)
  for (let index = 0; index < samples.length; index += 1) {
    const part = ((samples[index] ?? 0) * slope + intercept - low) / width
    const shade = Math.round(Math.max(0, Math.min(1, Number.isNaN(part) ? 0 : part)) * 255)
    grey[index] = isTurned ? 255 - shade : shade
  }
  return grey
}

function colourBytes(samples: Samples): Uint8Array {
  if (samples instanceof Uint8Array) return samples
  // Only 16-bit colours are read beside those of 8 bits.
  return Uint8Array.from(samples, (value) => value >> 8)
}

export type Deep = { samples: Uint16Array; step: number; from: number }

/** Up to 65,536 greys: whole numbers are moved to begin at 0 at most, others spread. */
export function sixteenBit(scan: Scan): Deep {
  const { min = 0, max = 1 } = rangeOf(scan) ?? {}
  const whole = plainValues(scan)
  const isWhole = !typeOf(whole.samples).startsWith('float') && max - Math.min(min, 0) <= 65_535
  const from = isWhole ? Math.min(min, 0) : min
  const step = isWhole ? 1 : Math.max((max - min) / 65_535, Number.MIN_VALUE)
  const samples = new Uint16Array(whole.samples.length)
  for (let index = 0; index < samples.length; index += 1) {
    const value = whole.samples[index] ?? 0
    const part = Math.round((value - from) / step)
    samples[index] = Number.isNaN(part) ? 0 : Math.max(0, Math.min(65_535, part))
  }
  return { samples, step, from }
}
