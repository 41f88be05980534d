/** Writes Windows bitmaps of 24 bits, the first row at the bottom. */
import { writeFile } from 'node:fs/promises'
import type { Scan } from '../model.ts'
import { eightBit } from '../values.ts'

const HEAD = 54

export async function writeBmp(scan: Scan, path: string): Promise<void> {
  const [width, height] = scan.size
  const { channels } = scan
  const pixels = eightBit(scan, null)
  const stride = Math.ceil((width * 3) / 4) * 4
  const bytes = Buffer.alloc(HEAD + stride * height)
  bytes.write('BM', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(HEAD, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  bytes.writeUInt32LE(stride * height, 34)
  for (let y = 0; y < height; y += 1) {
    const row = HEAD + (height - 1 - y) * stride
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * channels
      // Blue, green, red.
      for (let colour = 0; colour < 3; colour += 1)
        bytes[row + x * 3 + colour] = pixels[from + (channels === 3 ? 2 - colour : 0)] ?? 0
    }
  }
  await writeFile(path, bytes)
}
