/** Reads Philips' PAR/REC (version 4): a header of text with a line an image, and the numbers in a second file. */
import { checkSize, plainScan, refuse, type Scan } from '../model.ts'
import { short } from '../picture/packed.ts'

const HEADER_BYTES = 16 * 1024 * 1024
/** Columns of an image's line. */
const column = {
  ...{ slice: 0, echo: 1, time: 2, phase: 3, kind: 4, sequence: 5, index: 6, bits: 7, width: 9, height: 10 },
  ...{ intercept: 11, slope: 12, thickness: 22, gap: 23, spacingX: 28, spacingY: 29 },
} as const
type Line = number[]

export const isPhilips = (bytes: Buffer): boolean =>
  /^#\s*===\s*DATA DESCRIPTION FILE/m.test(bytes.subarray(0, 400).toString('latin1'))

export function readPhilips(header: Buffer, data: Buffer, limitBytes: number): Scan {
  const lines = header
    .subarray(0, HEADER_BYTES)
    .toString('latin1')
    .split(/\r?\n/)
    .filter((line) => /^\s*\d+\s+\d+\s/.test(line))
    .map((line) => line.trim().split(/\s+/).map(Number))
  const [first] = lines
  if (!first) throw refuse('header_damaged', { kind: 'PAR/REC' })
  const at = (line: Line, name: keyof typeof column): number => line[column[name]] ?? Number.NaN
  const [width, height, bits] = [at(first, 'width'), at(first, 'height'), at(first, 'bits')]
  const isAlike = lines.every(
    (line) => at(line, 'width') === width && at(line, 'height') === height && at(line, 'bits') === bits,
  )
  if (!isAlike || (bits !== 8 && bits !== 16)) throw refuse('header_contradicts')
  const slices = [...new Set(lines.map((line) => at(line, 'slice')))].sort((a, b) => a - b)
  // Whatever else tells images of one slice apart runs on as time does.
  const keyOf = (line: Line): string =>
    [at(line, 'kind'), at(line, 'sequence'), at(line, 'echo'), at(line, 'time'), at(line, 'phase')]
      .map((part) => String(part).padStart(8))
      .join()
  const times = [...new Set(lines.map(keyOf))].sort()
  const size: Scan['size'] = [width, height, slices.length, times.length]
  checkSize(size, 4, limitBytes)
  if (lines.length !== slices.length * times.length)
    throw refuse('frames_missing', { expected: slices.length * times.length, found: lines.length })
  const each = width * height
  const samples = new Float32Array(each * lines.length)
  for (const line of lines) {
    const from = at(line, 'index') * each * (bits / 8)
    if (!Number.isInteger(from) || from < 0) throw refuse('header_damaged', { kind: 'PAR/REC' })
    if (from + each * (bits / 8) > data.length) throw short(data.length, from + each * (bits / 8))
    const to = (times.indexOf(keyOf(line)) * slices.length + slices.indexOf(at(line, 'slice'))) * each
    const [slope, intercept] = [at(line, 'slope'), at(line, 'intercept')]
    for (let index = 0; index < each; index += 1) {
      const stored = bits === 8 ? (data[from + index] ?? 0) : data.readUInt16LE(from + index * 2)
      samples[to + index] = stored * slope + intercept
    }
  }
  const spacing: [number, number, number] = [
    at(first, 'spacingX'),
    at(first, 'spacingY'),
    at(first, 'thickness') + at(first, 'gap'),
  ]
  const isKnown = spacing.every((step) => Number.isFinite(step) && step > 0)
  return {
    ...plainScan,
    format: 'par/rec',
    size,
    layout: slices.length === 1 ? 'slice' : 'volume',
    samples,
    dataType: bits === 8 ? 'uint8' : 'uint16',
    bits,
    geometry: isKnown ? { spacing, origin: null, axes: null } : null,
    modality: 'MR',
    windows: [],
    notes: isKnown ? [] : [{ name: 'spacing_unknown', params: {} }],
  }
}
