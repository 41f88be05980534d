/** Where bytes come from: memory, a picked file read piece by piece, or parts of both put together. */
import { Refusal } from './refusal.ts'

export type Source = {
  readonly length: number
  /** The bytes from `start`, exactly `length` of them; valid until the next call. Must lie inside the source. */
  read(start: number, length: number): Uint8Array<ArrayBuffer>
}

export function memorySource(bytes: Uint8Array<ArrayBuffer>): Source {
  return { length: bytes.length, read: (start, length) => bytes.subarray(start, start + length) }
}

/** Part of a written file: new bytes, or a stretch of the source that is copied as it is. */
export type Part = Uint8Array<ArrayBuffer> | Stretch
export type Stretch = { start: number; end: number }

export const sizeOf = (part: Part): number =>
  part instanceof Uint8Array ? part.length : part.end - part.start
export const sizeOfAll = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => sum + sizeOf(part), 0)

const windowBytes = 1024 * 1024
const pieceBytes = 8 * 1024 * 1024

/** Workers have it; the types of pages do not tell. */
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer }

/** Reads through a window of a megabyte; in a worker, where files may be read without waiting. */
export function fileSource(file: Blob): Source {
  const reader = new FileReaderSync()
  let held = { start: 0, bytes: new Uint8Array() }
  return {
    length: file.size,
    read(start, length) {
      const from = start - held.start
      if (from < 0 || from + length > held.bytes.length) {
        const end = Math.min(file.size, start + Math.max(length, windowBytes))
        held = { start, bytes: new Uint8Array(reader.readAsArrayBuffer(file.slice(start, end))) }
        return held.bytes.subarray(0, length)
      }
      return held.bytes.subarray(from, from + length)
    },
  }
}

/** The written file, without putting it together. */
export function partsSource(source: Source, parts: readonly Part[]): Source {
  const starts: number[] = []
  let length = 0
  for (const part of parts) {
    starts.push(length)
    length += sizeOf(part)
  }
  const copy = (target: Uint8Array, start: number) => {
    let index = indexOfPart(starts, start)
    for (let done = 0; done < target.length; index += 1) {
      const [part, partStart] = [parts[index], starts[index]]
      if (part === undefined || partStart === undefined) throw new Refusal('unreadable')
      const offset = start + done - partStart
      const count = Math.max(0, Math.min(target.length - done, sizeOf(part) - offset))
      // Piece by piece: a large stretch is not held twice.
      for (let piece = 0; piece < count; piece += pieceBytes) {
        const size = Math.min(pieceBytes, count - piece)
        target.set(bytesOf(source, part, offset + piece, size), done + piece)
      }
      done += count
    }
  }
  return {
    length,
    read(start, count) {
      const target = new Uint8Array(count)
      copy(target, start)
      return target
    },
  }
}

function bytesOf(source: Source, part: Part, offset: number, count: number): Uint8Array {
  if (part instanceof Uint8Array) return part.subarray(offset, offset + count)
  return source.read(part.start + offset, count)
}

/** The last part that begins at or before the offset. */
function indexOfPart(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
