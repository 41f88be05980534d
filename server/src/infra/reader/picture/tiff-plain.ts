/** Unpacks TIFF pages of numbers that libvips would bend: signed 16 bit and double precision. One value a place. */

import type { DataType } from '@neuroloom/contract/viewing'
import { bytesOf, refuse, type Samples, samplesOf } from '../model.ts'
import { inflate, short } from './packed.ts'
import type { TiffPage } from './tiff-pages.ts'

export const isPlainPage = ({ channels }: TiffPage, type: DataType): boolean =>
  channels === 1 && (type === 'int16' || type === 'float64')

type File = { bytes: Buffer; isLittle: boolean; type: DataType }

export function readPlainPage(page: TiffPage, { bytes, isLittle, type }: File): Samples {
  const { width, height, blocks, predictor } = page
  const each = bytesOf(type)
  const whole = Buffer.alloc(width * height * each)
  const across = Math.ceil(width / blocks.width)
  for (const [index, offset] of blocks.offsets.entries()) {
    const top = Math.floor(index / across) * blocks.height
    const left = (index % across) * blocks.width
    // The last strip ends with the page; tiles are always whole.
    const rows = blocks.isTiled ? blocks.height : Math.min(blocks.height, height - top)
    const rowBytes = blocks.width * each
    const packed = bytes.subarray(offset, offset + (blocks.counts[index] ?? 0))
    const block = unpack(packed, page.compression, rows * rowBytes)
    if (predictor === 2) addUp(block, { rowBytes, each, isLittle })
    else if (predictor !== 1) throw refuse('compression_unknown', { kind: 'TIFF (predictor)' })
    const used = Math.min(blocks.width, width - left) * each
    for (let row = 0; row < rows && top + row < height; row += 1) {
      block.copy(whole, ((top + row) * width + left) * each, row * rowBytes, row * rowBytes + used)
    }
  }
  return samplesOf(whole, type, isLittle)
}

function unpack(packed: Buffer, compression: number, wanted: number): Buffer {
  const open = (): Buffer => {
    if (compression === 1) return Buffer.from(packed)
    if (compression === 8 || compression === 32_946) return inflate(packed, wanted + 1024)
    if (compression === 32_773) return unpackBits(packed, wanted)
    throw refuse('compression_unknown', { kind: `TIFF (${compression})` })
  }
  const block = open()
  if (block.length < wanted) throw short(block.length, wanted)
  return block
}

/** A count and as many plain bytes, or one byte as many times. */
function unpackBits(packed: Buffer, wanted: number): Buffer {
  const out = Buffer.alloc(wanted)
  let to = 0
  for (let at = 0; at < packed.length - 1 && to < wanted; ) {
    const control = packed.readInt8(at)
    at += 1
    if (control >= 0) {
      to += packed.copy(out, to, at, Math.min(at + control + 1, packed.length))
      at += control + 1
    } else if (control > -128) {
      out.fill(packed[at] ?? 0, to, Math.min(to + 1 - control, wanted))
      to += 1 - control
      at += 1
    }
  }
  return out.subarray(0, Math.min(to, wanted))
}

/** Each number was stored as its distance from the one before it in the row. */
function addUp(
  block: Buffer,
  { rowBytes, each, isLittle }: { rowBytes: number; each: number; isLittle: boolean },
): void {
  if (each !== 2) throw refuse('compression_unknown', { kind: 'TIFF (predictor)' })
  for (let start = 0; start + rowBytes <= block.length; start += rowBytes) {
    let sum = 0
    for (let at = start; at < start + rowBytes; at += 2) {
      sum = (sum + (isLittle ? block.readUInt16LE(at) : block.readUInt16BE(at))) & 0xffff
      if (isLittle) block.writeUInt16LE(sum, at)
      else block.writeUInt16BE(sum, at)
    }
  }
}
