/** The words by which NRRD names number types and packings. */
import type { DataType } from '@neuroloom/contract/viewing'
import { refuse } from '../model.ts'
import type { Packing } from './text-header.ts'

export function typeNamed(name: string): DataType {
  const types: Record<string, DataType> = {
    'signed char': 'int8',
    int8: 'int8',
    int8_t: 'int8',
    uchar: 'uint8',
    'unsigned char': 'uint8',
    uint8: 'uint8',
    uint8_t: 'uint8',
    short: 'int16',
    'short int': 'int16',
    'signed short': 'int16',
    'signed short int': 'int16',
    int16: 'int16',
    int16_t: 'int16',
    ushort: 'uint16',
    'unsigned short': 'uint16',
    'unsigned short int': 'uint16',
    uint16: 'uint16',
    uint16_t: 'uint16',
    int: 'int32',
    'signed int': 'int32',
    int32: 'int32',
    int32_t: 'int32',
    uint: 'uint32',
    'unsigned int': 'uint32',
    uint32: 'uint32',
    uint32_t: 'uint32',
    longlong: 'int64',
    'long long': 'int64',
    int64: 'int64',
    int64_t: 'int64',
    ulonglong: 'uint64',
    'unsigned long long': 'uint64',
    uint64: 'uint64',
    uint64_t: 'uint64',
    float: 'float32',
    double: 'float64',
  }
  const type = types[name.toLowerCase()]
  if (!type) throw refuse('compression_unknown', { kind: `NRRD ${name.slice(0, 40)}` })
  return type
}

export function packingNamed(encoding: string): Packing {
  const packings: Record<string, Packing> = {
    raw: 'raw',
    gzip: 'gzip',
    gz: 'gzip',
    bzip2: 'bzip2',
    bz2: 'bzip2',
    ascii: 'text',
    text: 'text',
    txt: 'text',
  }
  const packing = packings[encoding.toLowerCase()]
  if (!packing) throw refuse('compression_unknown', { kind: `NRRD ${encoding.slice(0, 40)}` })
  return packing
}
