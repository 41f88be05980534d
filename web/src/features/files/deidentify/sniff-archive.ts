/** Whether an archive holds DICOM files, by the first bytes of its first entries; nothing of it is unpacked whole. */
import { isDicom } from './dicom-head.ts'

/** A disc's archive begins with its readers and help pages now and then. */
const lookedAt = 60
const headBytes = 4096
const tailBytes = 66 * 1024

export async function holdsDicom(file: Blob, head: Uint8Array<ArrayBuffer>): Promise<boolean> {
  try {
    if (head[0] === 0x50 && head[1] === 0x4b) return await zipHoldsDicom(file)
    if (head[0] === 0x1f && head[1] === 0x8b) return await packedHoldsDicom(file)
    return isTar(head) && (await tarHoldsDicom((start, end) => bytesOf(file, start, end)))
  } catch {
    // Broken archives are the server's matter; there is nothing to be seen in them.
    return false
  }
}

async function zipHoldsDicom(file: Blob): Promise<boolean> {
  const tail = await bytesOf(file, Math.max(0, file.size - tailBytes), file.size)
  const at = lastIndexOf(tail, [0x50, 0x4b, 0x05, 0x06])
  if (at < 0) return false
  const end = viewOf(tail)
  const start = end.getUint32(at + 16, true)
  const list = await bytesOf(file, start, start + Math.min(end.getUint32(at + 12, true), 4 * 1024 * 1024))
  const view = viewOf(list)
  let offset = 0
  for (let count = 0; count < lookedAt && offset + 46 <= list.length; ) {
    const size = view.getUint32(offset + 20, true)
    const place = view.getUint32(offset + 42, true)
    const method = view.getUint16(offset + 10, true)
    offset +=
      46 +
      view.getUint16(offset + 28, true) +
      view.getUint16(offset + 30, true) +
      view.getUint16(offset + 32, true)
    if (size === 0) continue
    count += 1
    const local = await bytesOf(file, place, place + 30)
    const dataStart = place + 30 + viewOf(local).getUint16(26, true) + viewOf(local).getUint16(28, true)
    const data = await bytesOf(file, dataStart, dataStart + Math.min(size, headBytes))
    if (isDicom(method === 8 ? await unpackSome(data, 'deflate-raw') : data)) return true
  }
  return false
}

/** One packed file, or a packed tar. */
async function packedHoldsDicom(file: Blob): Promise<boolean> {
  const some = await unpackSome(await bytesOf(file, 0, 256 * 1024), 'gzip')
  if (isDicom(some.subarray(0, headBytes))) return true
  return isTar(some) && (await tarHoldsDicom(async (start, end) => some.slice(start, end)))
}

async function tarHoldsDicom(
  read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<boolean> {
  let offset = 0
  for (let count = 0; count < lookedAt; count += 1) {
    const block = await read(offset, offset + 512 + headBytes)
    if (block.length < 512 || !isTar(block)) return false
    if (isDicom(block.subarray(512))) return true
    const size = Number.parseInt(
      String.fromCharCode(...block.subarray(124, 136))
        .replace(/\0.*$/, '')
        .trim() || '0',
      8,
    )
    offset += 512 + Math.ceil(size / 512) * 512
  }
  return false
}

const isTar = (head: Uint8Array) => String.fromCharCode(...head.subarray(257, 262)) === 'ustar'

/** What comes out of the beginning; that the end is missing is no matter. */
async function unpackSome(
  bytes: Uint8Array<ArrayBuffer>,
  format: CompressionFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new DecompressionStream(format)
  const writer = stream.writable.getWriter()
  writer.write(bytes).catch(() => {})
  writer.close().catch(() => {})
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of chunksOf(stream.readable)) {
      pieces.push(piece)
      if (pieces.length * 65_536 > 4 * 1024 * 1024) break
    }
  } catch {
    // The cut end.
  }
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const piece of pieces) {
    all.set(piece, offset)
    offset += piece.length
  }
  return all
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

async function bytesOf(file: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(start, end).arrayBuffer())
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function lastIndexOf(bytes: Uint8Array, wanted: readonly number[]): number {
  for (let at = bytes.length - 22; at >= 0; at -= 1) {
    if (wanted.every((value, index) => bytes[at + index] === value)) return at
  }
  return -1
}
