/** Whether an archive holds DICOM files, by the first bytes of its first entries; nothing of it is unpacked whole. */
import { dataBytesOf } from '@neuroloom/contract/names/tar-names'
import { unpackStart } from '../unpack/unpack-start.ts'
import { isDicom } from './dicom-head.ts'

/** A disc's archive begins with its readers and help pages now and then. */
const lookedAt = 60
const headBytes = 4096
const tailBytes = 66 * 1024
const unpackedBytes = 4 * 1024 * 1024

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
    if (isDicom(method === 8 ? await unpackStart(data, 'deflate-raw', unpackedBytes) : data)) return true
  }
  return false
}

/** One packed file, or a packed tar. */
async function packedHoldsDicom(file: Blob): Promise<boolean> {
  const some = await unpackStart(await bytesOf(file, 0, 256 * 1024), 'gzip', unpackedBytes)
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
    offset += 512 + Math.ceil(dataBytesOf(block) / 512) * 512
  }
  return false
}

const isTar = (head: Uint8Array) => String.fromCharCode(...head.subarray(257, 262)) === 'ustar'

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
