/** Writes slices as PNG or JPEG, and masks with their numbers. */
import type { ConversionOptions } from '@neuroloom/contract/conversions'
import sharp from 'sharp'
import { refuse, type Scan } from '../model.ts'
import { eightBit, sixteenBit } from '../values.ts'

/** One file a slice, in their order; `nameOf` says where. */
export async function writePictures(
  scan: Scan,
  {
    format,
    depth,
    window,
    quality,
  }: { format: 'png' | 'jpeg' } & Pick<ConversionOptions, 'depth' | 'window' | 'quality'>,
  pathOf: (index: number) => string,
): Promise<string[]> {
  const { size, channels } = scan
  const [width, height, z, t] = size
  if (Math.max(width, height) > 65_500) throw refuse('too_large', { limit: 65_500 })
  const isDeep = format === 'png' && depth === 'sixteen' && channels === 1
  const samples = isDeep ? sixteenBit(scan).samples : eightBit(scan, window)
  const each = width * height * channels
  const paths: string[] = []
  for (let index = 0; index < z * t; index += 1) {
    // A copy: a view would hand over the whole stack.
    const part = samples.slice(index * each, (index + 1) * each)
    const picture = sharp(part, { raw: { width, height, channels }, limitInputPixels: false })
    const spaced = picture.toColourspace(channels === 3 ? 'srgb' : isDeep ? 'grey16' : 'b-w')
    const path = pathOf(index)
    await (format === 'png'
      ? spaced.png({ compressionLevel: 6 })
      : spaced.jpeg({ quality, chromaSubsampling: '4:4:4' })
    ).toFile(path)
    paths.push(path)
  }
  return paths
}

/** One slice as PNG with the numbers as they are stored, in 8 bits where they fit; colours stay colours. */
export async function writeStored(scan: Scan, path: string): Promise<void> {
  const { size, channels, samples } = scan
  const [width, height] = size
  if (channels === 3) {
    await writePictures(scan, { format: 'png', depth: 'eight', window: null, quality: 92 }, () => path)
    return
  }
  const isDeep = samples.some((value) => value > 255)
  const numbers = isDeep ? Uint16Array.from(samples) : Uint8Array.from(samples)
  await sharp(numbers, { raw: { width, height, channels }, limitInputPixels: false })
    .toColourspace(isDeep ? 'grey16' : 'b-w')
    .png({ compressionLevel: 6 })
    .toFile(path)
}
