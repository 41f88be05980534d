/** Reads PNG files to the level, 16 bits as well, as the engine does: browsers make 8 bits of them and mix in colour profiles. */
import { unzlibSync } from 'fflate'
import { TryFailure } from './failure.ts'
import type { Picture } from './picture.ts'

const GREY = 0
const RGB = 2
const PALETTE = 3
const GREY_ALPHA = 4
const samplesOf: Record<number, number> = { [GREY]: 1, [RGB]: 3, [PALETTE]: 1, [GREY_ALPHA]: 2, 6: 4 }

type Header = { width: number; height: number; bits: number; colour: number; samples: number }
type Chunks = { header: Header; palette: Uint8Array; alpha: Uint8Array | null; data: Uint8Array }

export const isPng = (file: Uint8Array): boolean =>
  [0x89, 0x50, 0x4e, 0x47].every((byte, at) => file[at] === byte)

/** Width and height as the file's head tells them; null where it has none. */
export function pngSize(file: Uint8Array): { width: number; height: number } | null {
  if (file.length < 33) return null
  const view = new DataView(file.buffer, file.byteOffset)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Null for an interlaced one, which the browser reads instead. */
export function readPng(file: Uint8Array): Picture | null {
  const chunks = chunksOf(file)
  if (chunks === null) return null
  const { header } = chunks
  const rowBytes = Math.ceil((header.width * header.samples * header.bits) / 8)
  const rows = unfiltered(inflated(chunks.data, (rowBytes + 1) * header.height), header, rowBytes)
  const samples = header.bits === 16 ? deep(rows) : unpacked(rows, header, rowBytes)
  const { width, height } = header
  if (header.colour === GREY) return { width, height, channels: 1, levels: scaled(samples, header) }
  const [levels, alpha] = colours(samples, chunks)
  return { width, height, channels: 3, levels: overBlack(levels, alpha) }
}

function chunksOf(file: Uint8Array): Chunks | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const parts: Uint8Array[] = []
  let header: Header | null = null
  let palette = new Uint8Array()
  let alpha: Uint8Array | null = null
  for (let place = 8; place + 8 <= file.length; ) {
    const length = view.getUint32(place)
    const name = String.fromCharCode(...file.subarray(place + 4, place + 8))
    const body = file.subarray(place + 8, place + 8 + length)
    if (name === 'IHDR') {
      if (body[12] === 1) return null
      header = headerOf(view)
    }
    if (name === 'PLTE') palette = body.slice()
    if (name === 'tRNS') alpha = body.slice()
    if (name === 'IDAT') parts.push(body)
    if (name === 'IEND') break
    place += 12 + length
  }
  if (!header || parts.length === 0) throw new TryFailure('broken_picture')
  return { header, palette, alpha, data: joined(parts) }
}

function headerOf(view: DataView): Header {
  const [bits, colour] = [view.getUint8(24), view.getUint8(25)]
  const samples = samplesOf[colour]
  if (samples === undefined) throw new TryFailure('broken_picture')
  return { width: view.getUint32(16), height: view.getUint32(20), bits, colour, samples }
}

function joined(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return whole
}

function inflated(data: Uint8Array, size: number): Uint8Array {
  try {
    const rows = unzlibSync(data, { out: new Uint8Array(size) })
    if (rows.length === size) return rows
  } catch (error) {
    throw new TryFailure('broken_picture', { cause: error })
  }
  throw new TryFailure('broken_picture')
}

/** PNG specification, section 9: each row says what of its neighbours it was written without. */
function unfiltered(data: Uint8Array, { height, samples, bits }: Header, rowBytes: number): Uint8Array {
  const step = Math.max(1, (samples * bits) >> 3)
  const rows = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    const filter = data[y * (rowBytes + 1)] ?? 0
    const from = y * (rowBytes + 1) + 1
    const to = y * rowBytes
    for (let x = 0; x < rowBytes; x++) {
      const left = x >= step ? (rows[to + x - step] ?? 0) : 0
      const above = y > 0 ? (rows[to + x - rowBytes] ?? 0) : 0
      const corner = x >= step && y > 0 ? (rows[to + x - rowBytes - step] ?? 0) : 0
      rows[to + x] = (data[from + x] ?? 0) + guess(filter, left, above, corner)
    }
  }
  return rows
}

function guess(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0
    case 1:
      return left
    case 2:
      return above
    case 3:
      return (left + above) >> 1
    case 4: {
      const line = left + above - corner
      const [byLeft, byAbove, byCorner] = [
        Math.abs(line - left),
        Math.abs(line - above),
        Math.abs(line - corner),
      ]
      if (byLeft <= byAbove && byLeft <= byCorner) return left
      return byAbove <= byCorner ? above : corner
    }
    default:
      throw new TryFailure('broken_picture')
  }
}

function deep(rows: Uint8Array): Uint16Array {
  return Uint16Array.from(
    { length: rows.length / 2 },
    (_, at) => ((rows[2 * at] ?? 0) << 8) | (rows[2 * at + 1] ?? 0),
  )
}

/** One byte a sample, whatever its bits. */
function unpacked(rows: Uint8Array, { width, height, samples, bits }: Header, rowBytes: number): Uint8Array {
  if (bits === 8) return rows
  const out = new Uint8Array(width * height * samples)
  const perByte = 8 / bits
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = rows[y * rowBytes + Math.floor(x / perByte)] ?? 0
      out[y * width + x] = (byte >> (8 - bits * ((x % perByte) + 1))) & (2 ** bits - 1)
    }
  }
  return out
}

function scaled(samples: Uint8Array | Uint16Array, { bits }: Header): Uint8Array | Uint16Array {
  if (bits >= 8) return samples
  const gain = 255 / (2 ** bits - 1)
  return samples.map((sample) => sample * gain)
}

/** Red, green, blue, and the opacity of each pixel where the file tells it. */
function colours(
  samples: Uint8Array | Uint16Array,
  { header, palette, alpha }: Chunks,
): [Uint8Array, Uint8Array | null] {
  const pixels = header.width * header.height
  const levels = new Uint8Array(pixels * 3)
  const isOpaque = header.colour === RGB ? alpha === null : header.colour === PALETTE && alpha === null
  const opacity = isOpaque ? null : new Uint8Array(pixels).fill(255)
  // Of deeper colours the engine takes the upper eight bits.
  const level = (at: number): number => (samples[at] ?? 0) >> (header.bits === 16 ? 8 : 0)
  const clear = alpha && header.colour === RGB ? [alpha[1], alpha[3], alpha[5]] : null
  for (let at = 0; at < pixels; at++) {
    const from = at * header.samples
    const index = samples[at] ?? 0
    for (let channel = 0; channel < 3; channel++) {
      if (header.colour === PALETTE) levels[3 * at + channel] = palette[3 * index + channel] ?? 0
      else levels[3 * at + channel] = level(from + (header.colour === GREY_ALPHA ? 0 : channel))
    }
    if (opacity === null) continue
    if (header.colour === PALETTE) opacity[at] = alpha?.[index] ?? 255
    else if (clear) opacity[at] = clear.every((one, channel) => one === levels[3 * at + channel]) ? 0 : 255
    else opacity[at] = level(from + header.samples - 1)
  }
  return [levels, opacity]
}

/** Constant opacity says nothing; varying opacity is laid over black, as by the engine. */
export function overBlack(levels: Uint8Array, alpha: Uint8Array | null): Uint8Array {
  if (alpha === null || alpha.every((one) => one === alpha[0])) return levels
  return levels.map((one, at) => Math.floor((one * (alpha[Math.floor(at / 3)] ?? 255)) / 255))
}
