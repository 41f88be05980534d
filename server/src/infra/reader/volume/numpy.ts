/** Reads one array of numbers as NumPy saves it (`.npy`); the header is looked at, never run, and objects are refused. */
import type { DataType } from '@neuroloom/contract/viewing'
import {
  bytesOf,
  checkSize,
  makeSamples,
  plainScan,
  refuse,
  type Samples,
  type Scan,
  samplesOf,
} from '../model.ts'
import { takeData } from '../picture/packed.ts'

const types: Record<string, DataType> = {
  ...{ b1: 'uint8', u1: 'uint8', i1: 'int8', u2: 'uint16', i2: 'int16', u4: 'uint32', i4: 'int32' },
  ...{ u8: 'uint64', i8: 'int64', f4: 'float32', f8: 'float64' },
}

export const isNumpy = (bytes: Buffer): boolean => bytes.subarray(0, 6).toString('latin1') === '\x93NUMPY'

export function readNumpy(bytes: Buffer, limitBytes: number): Scan {
  const { descr, isFortran, shape, start } = readHeader(bytes)
  const [, order = '', code = ''] = /^([<>|=])([a-zA-Z]\d+)$/.exec(descr) ?? []
  const isComplex = /^c\d/.test(code)
  const type = types[code]
  if (isComplex) throw refuse('complex_values')
  if (!type) throw refuse('number_type_unknown', { kind: `NumPy ${descr.slice(0, 20)}` })
  const { size, channels } = sizeOf(shape, type)
  checkSize(size, bytesOf(type) * channels, limitBytes)
  const count = shape.reduce((product, side) => product * side, 1)
  const stored = samplesOf(takeData(bytes, start, count * bytesOf(type)), type, order !== '>')
  return {
    ...plainScan,
    format: 'npy',
    size,
    layout: size[2] === 1 ? 'slice' : 'volume',
    channels,
    samples: isFortran ? turned(stored, shape, type) : stored,
    dataType: type,
    bits: bytesOf(type) * 8,
    windows: [],
    notes: [{ name: 'spacing_unknown', params: {} }],
  }
}

function readHeader(bytes: Buffer): { descr: string; isFortran: boolean; shape: number[]; start: number } {
  const isFirst = bytes[6] === 1
  const [at, length] = isFirst ? [10, bytes.readUInt16LE(8)] : [12, bytes.readUInt32LE(8)]
  if (length > 65_536) throw refuse('header_damaged', { kind: 'NumPy' })
  const text = bytes.subarray(at, at + length).toString('latin1')
  const descr = /'descr':\s*'([^']{1,40})'/.exec(text)?.[1]
  const order = /'fortran_order':\s*(True|False)/.exec(text)?.[1]
  const sides = /'shape':\s*\(([\d,\s]*)\)/.exec(text)?.[1]
  if (descr === undefined || order === undefined || sides === undefined) {
    // Tables of fields, and objects: these would be Python programs.
    if (/'descr':\s*\[/.test(text)) throw refuse('number_type_unknown', { kind: 'NumPy, records' })
    throw refuse('header_damaged', { kind: 'NumPy' })
  }
  const shape = sides
    .split(',')
    .map((side) => side.trim())
    .filter(Boolean)
    .map(Number)
  return { descr, isFortran: order === 'True', shape, start: at + length }
}

/** The last axis runs along the rows; three at the end of bytes are colours. */
function sizeOf(shape: readonly number[], type: DataType): { size: Scan['size']; channels: 1 | 3 } {
  const isColour = type === 'uint8' && shape.length >= 3 && shape.at(-1) === 3
  const sides = (isColour ? shape.slice(0, -1) : shape).toReversed()
  if (sides.length < 2 || sides.length > 4)
    throw refuse('size_impossible', { size: shape.join(' × ') || '0' })
  const [x = 1, y = 1, z = 1, t = 1] = sides
  return { size: [x, y, z, t], channels: isColour ? 3 : 1 }
}

/** In Fortran's order the first axis runs fastest. */
function turned(stored: Samples, shape: readonly number[], type: DataType): Samples {
  const out = makeSamples(type, stored.length)
  const steps = shape.map((_, axis) => shape.slice(0, axis).reduce((product, side) => product * side, 1))
  const place = shape.map(() => 0)
  let from = 0
  for (let to = 0; to < stored.length; to += 1) {
    out[to] = stored[from] ?? 0
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      const [side = 1, step = 1] = [shape[axis], steps[axis]]
      place[axis] = (place[axis] ?? 0) + 1
      from += step
      if ((place[axis] ?? 0) < side) break
      from -= step * side
      place[axis] = 0
    }
  }
  return out
}
