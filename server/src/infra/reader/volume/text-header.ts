/** The image behind a header of text (NRRD, MetaImage): the bytes that follow, or a second file in the same folder. */
import { readFileSync } from 'node:fs'
import type { DataType } from '@neuroloom/contract/viewing'
import { bytesOf, refuse, type Samples, samplesOf } from '../model.ts'
import { bunzip, gunzip, inflate, isGzip, readNumbers, takeData } from '../picture/packed.ts'
import { checkDetachedName } from './detached.ts'

/** Paths of the files that lie beside the header, by name. */
export type Siblings = ReadonlyMap<string, string>

export type Packing = 'raw' | 'gzip' | 'bzip2' | 'text'

export type Body = {
  bytes: Buffer
  /** Of the first data byte; -1 = the data are the last bytes. */
  start: number
  packing: Packing
  type: DataType
  count: number
  isLittle: boolean
}

export function readDetached(name: string, siblings: Siblings): Buffer {
  const path = siblings.get(checkDetachedName(name))
  if (path === undefined) throw refuse('data_file_missing', { name: name.slice(0, 80) })
  return readFileSync(path)
}

export function readBody({ bytes, start, packing, type, count, isLittle }: Body): Samples {
  if (packing === 'text') {
    const numbers = readNumbers(bytes.subarray(start), count)
    const turned = Buffer.alloc(count * bytesOf(type))
    return fill(samplesOf(turned, type, true), numbers)
  }
  const wanted = count * bytesOf(type)
  // A little more may come out than is used.
  const open = (packed: Buffer): Buffer => {
    if (packing === 'raw') return packed
    if (packing === 'bzip2') return bunzip(packed, wanted)
    return isGzip(packed) ? gunzip(packed, wanted + 65_536) : inflate(packed, wanted + 65_536)
  }
  const isLast = start < 0
  const unpacked = open(isLast ? bytes : bytes.subarray(start))
  return samplesOf(
    takeData(unpacked, isLast ? Math.max(unpacked.length - wanted, 0) : 0, wanted),
    type,
    isLittle,
  )
}

function fill(samples: Samples, numbers: Float64Array): Samples {
  samples.set(numbers)
  return samples
}
