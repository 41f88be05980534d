/** Bytes as they lie in a file, unpacked no further than they may: what a header claims is never believed. */
import { readFileSync } from 'node:fs'
import { gunzipSync, inflateSync } from 'node:zlib'
import bzip from 'seek-bzip'
import { refuse } from '../model.ts'

export const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** The file, unpacked if it is gzip; `limitBytes` is what may come out. */
export function readUnpacked(path: string, limitBytes: number): Buffer {
  const bytes = readFileSync(path)
  return isGzip(bytes) ? gunzip(bytes, limitBytes) : bytes
}

/** A file whose end is missing gives what is there: the reader then says how much of it. */
export function gunzip(bytes: Buffer, limitBytes: number): Buffer {
  return unpack(() => gunzipSync(bytes, { maxOutputLength: limitBytes, finishFlush: 2 /* Z_SYNC_FLUSH */ }))
}

export function inflate(bytes: Buffer, limitBytes: number): Buffer {
  return unpack(() => inflateSync(bytes, { maxOutputLength: limitBytes, finishFlush: 2 }))
}

/** `expectedBytes` bounds what is unpacked: the rest would not be used. */
export function bunzip(bytes: Buffer, expectedBytes: number): Buffer {
  const out = Buffer.alloc(expectedBytes)
  let length = 0
  const sink = {
    writeByte(byte: number) {
      if (length >= expectedBytes) throw refuse('header_contradicts')
      out[length] = byte
      length += 1
    },
  }
  unpack(() => bzip.decode(bytes, sink))
  return out.subarray(0, length)
}

function unpack<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'reason' in error) throw error
    if (isCode(error, 'ERR_BUFFER_TOO_LARGE')) throw refuse('too_large', { limit: 1024 })
    throw refuse('data_damaged')
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Numbers as text, separated by blanks, commas or lines. */
export function readNumbers(bytes: Buffer, count: number): Float64Array {
  const words = bytes.toString('latin1').match(/[^\s,]+/g) ?? []
  const numbers = Float64Array.from(words.slice(0, count), Number)
  if (numbers.some((value) => Number.isNaN(value))) throw refuse('data_damaged')
  if (numbers.length < count) throw short(numbers.length, count)
  return numbers
}

/** Refuses data that ends before its time. */
export const short = (found: number, expected: number) =>
  refuse('data_short', { percent: Math.floor((100 * found) / Math.max(expected, 1)) })

/** Exactly the bytes of the image, which may lie before others. */
export function takeData(bytes: Buffer, start: number, count: number): Buffer {
  if (bytes.length < start + count) throw short(Math.max(bytes.length - start, 0), count)
  return bytes.subarray(start, start + count)
}
