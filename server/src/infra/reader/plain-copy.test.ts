import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { bitmap, dicomSlice, hugePng, niftiVolume } from '../../../test/images.ts'
import { makePlainCopy } from './plain-copy.ts'

const out = mkdtempSync(join(tmpdir(), 'neuroloom-copy-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))

function copy(bytes: Uint8Array) {
  const path = join(out, 'sent')
  writeFileSync(path, bytes)
  return makePlainCopy({ path, out, side: 200, previewSide: 50 })
}
const picture = (side = 40) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#336699' } })

describe('a plain copy', () => {
  it.each([
    ['a drawing with a script', 'kind', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['a page', 'kind', '<!doctype html><script>alert(1)</script>'],
    ['an archive', 'kind', 'PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['a WebP', 'kind', () => picture().webp().toBuffer()],
    ['a TIFF', 'kind', () => picture().tiff().toBuffer()],
    ['a volume', 'kind', niftiVolume({ size: [4, 4, 4] })],
    ['a DICOM file', 'patient', dicomSlice()],
    ['a PNG that is a DICOM file as well', 'patient', withDicom],
    ['a JPG that ends early', 'damaged', async () => (await picture(400).jpeg().toBuffer()).subarray(0, 400)],
    ['a head without an image', 'damaged', 'GIF89a'],
    ['a PNG of 3.6 billion pixels', 'too_large', async () => hugePng(await picture().png().toBuffer())],
    ['a GIF of too many pixels in all its frames', 'too_large', manyFrames],
  ])('of %s is refused', async (_what, refused, given) => {
    const bytes = typeof given === 'function' ? await given() : Buffer.from(given)
    expect(await copy(bytes)).toEqual({ refused })
  })

  it('of a photograph stands upright, without what the file says of it', async () => {
    const exif = { IFD0: { Artist: 'Doctor Ode' } }
    const photograph = sharp({ create: { width: 300, height: 100, channels: 3, background: '#804020' } })
    const bytes = await photograph.withMetadata({ orientation: 6 }).withExifMerge(exif).jpeg().toBuffer()
    expect(await copy(bytes)).toMatchObject({ width: 67, height: 200 })
    for (const name of ['copy.webp', 'preview.webp']) {
      const made = readFileSync(join(out, name))
      expect(made.includes('Ode')).toBe(false)
      expect((await sharp(made).metadata()).exif).toBeUndefined()
    }
    expect(await sharp(join(out, 'preview.webp')).metadata()).toMatchObject({ width: 17, height: 50 })
  })

  it('of sixteen bits shows the range that they use', async () => {
    const values = Uint16Array.from({ length: 1600 }, (_, index) => index)
    const deep = sharp(values, { raw: { width: 40, height: 40, channels: 1 } })
    const bytes = await deep.toColourspace('grey16').png().toBuffer()
    expect(await copy(bytes)).toMatchObject({ width: 40, height: 40 })
    const { channels } = await sharp(join(out, 'copy.webp')).stats()
    expect((channels[0]?.max ?? 0) - (channels[0]?.min ?? 0)).toBeGreaterThan(200)
  })

  it('of a bitmap is one', async () =>
    expect(await copy(bitmap(4, 3))).toMatchObject({ width: 4, height: 3 }))
})

async function withDicom(): Promise<Buffer> {
  const png = await picture(100).png({ compressionLevel: 0 }).toBuffer()
  png.write('DICM', 128, 'latin1')
  return png
}

/** Each frame as large as may be, and of one colour: a few kilobytes. */
async function manyFrames(): Promise<Buffer> {
  const gif = await sharp({ create: { width: 2000, height: 2000, channels: 3, background: '#000' } })
    .gif()
    .toBuffer()
  const head = gif.subarray(0, 13 + 3 * 2 ** (((gif[10] ?? 0) % 8) + 1))
  const frame = gif.subarray(head.length, -1)
  return Buffer.concat([head, ...Array.from({ length: 17 }, () => frame), Buffer.from([0x3b])])
}
