/** TIFF files of several pages, drawn here: grey, uncompressed, in two strips a page. */

export type DrawnPage = {
  width: number
  height: number
  pixels: Uint8Array
  /** A small copy of another page. */
  isPreview?: boolean
}

export function tiffStack(pages: readonly DrawnPage[], isLittle = true): Buffer {
  const parts: Buffer[] = [Buffer.alloc(8)]
  let length = 8
  const add = (bytes: Buffer): number => {
    const at = length
    const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
    parts.push(padded)
    length += padded.length
    return at
  }
  const short = (bytes: Buffer, value: number, at: number) =>
    isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const long = (bytes: Buffer, value: number, at: number) =>
    isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  const longs = (values: number[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 4)
    for (const [index, value] of values.entries()) long(bytes, value, index * 4)
    return bytes
  }
  let link = { bytes: parts[0] ?? Buffer.alloc(8), at: 4 }
  for (const { width, height, pixels, isPreview = false } of pages) {
    const half = Math.ceil(height / 2)
    const strips = [pixels.subarray(0, half * width), pixels.subarray(half * width)]
    const places = strips.map((strip) => add(Buffer.from(strip)))
    const offsets = add(longs(places))
    const counts = add(longs(strips.map((strip) => strip.length)))
    const words = add(Buffer.from('page of a drawn stack\0'))
    const fields: [tag: number, type: number, count: number, value: number][] = [
      [254, 4, 1, isPreview ? 1 : 0],
      [256, 3, 1, width],
      [257, 3, 1, height],
      [258, 3, 1, 8],
      [259, 3, 1, 1],
      [262, 3, 1, 1],
      [270, 2, 22, words],
      [273, 4, 2, offsets],
      [277, 3, 1, 1],
      [278, 3, 1, half],
      [279, 4, 2, counts],
    ]
    const list = Buffer.alloc(2 + fields.length * 12 + 4)
    short(list, fields.length, 0)
    for (const [index, [tag, type, count, value]] of fields.entries()) {
      const at = 2 + index * 12
      short(list, tag, at)
      short(list, type, at + 2)
      long(list, count, at + 4)
      if (type === 3) short(list, value, at + 8)
      else long(list, value, at + 8)
    }
    long(link.bytes, add(list), link.at)
    link = { bytes: list, at: list.length - 4 }
  }
  const [head] = parts
  head?.write(isLittle ? 'II*\0' : 'MM\0*', 0, 'latin1')
  return Buffer.concat(parts)
}
