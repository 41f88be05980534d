/** Pictures too large for a browser, in tiles of each of their sizes: drawn as far as they are in view. Knows no members. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { ImageFacts } from '@neuroloom/contract/viewing'
import sharp, { type Sharp } from 'sharp'
import { factsOf } from './facts.ts'
import { imageKindOf } from './kinds.ts'
import { checkSize, plainScan, type Scan, samplesOf } from './model.ts'
import { failureOf } from './pictures.ts'
import { readImage, type Source } from './read.ts'
import { usualRange } from './usual-range.ts'
import { eightBit } from './values.ts'

/** `levels`: folders `0` (one tile) … in `made`, each twice as large as the one before, with `<column>_<row>.<ending>`. */
export type Tiled = { made: string; levels: number; ending: string; facts: ImageFacts }

type Asked = { source: Source; side: number; mostPixels: number }

/** Whatever the picture's size, PNG, JPEG and WebP are read row by row. */
export async function makeTiles({ source, side, mostPixels }: Asked): Promise<Tiled> {
  const [file] = source.files
  const kind = file ? imageKindOf(headOf(file.path), file.name) : null
  const isRead = kind === 'png' || kind === 'jpeg' || kind === 'webp'
  const { picture, facts } =
    file && isRead ? await streamed(file.path, kind, mostPixels) : await scanned(source, mostPixels)
  // What was stored with loss loses nothing that is seen; all else stays as it is.
  const packed = kind === 'jpeg' ? picture.jpeg({ quality: 92 }) : picture.png({ compressionLevel: 3 })
  await packed
    .tile({ size: side, overlap: 0, layout: 'dz', depth: 'onetile', skipBlanks: -1 })
    .toFile(join(source.folder, 'tiles.dz'))
    .catch((error: unknown) => {
      throw failureOf(error, (kind ?? '').toUpperCase())
    })
  const made = 'tiles_files'
  const levels = readdirSync(join(source.folder, made)).filter((name) => /^\d+$/.test(name)).length
  const [tile = ''] = readdirSync(join(source.folder, made, '0'))
  return { made, levels, ending: tile.slice(tile.lastIndexOf('.') + 1), facts }
}

const HEAD_BYTES = 4096

function headOf(path: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  const file = openSync(path, 'r')
  const length = readSync(file, head)
  closeSync(file)
  return head.subarray(0, length)
}

type Pictured = { picture: Sharp; facts: ImageFacts }

async function streamed(path: string, format: string, mostPixels: number): Promise<Pictured> {
  const open = () => sharp(path, { failOn: 'error', limitInputPixels: mostPixels, sequentialRead: true })
  const metadata = await open()
    .metadata()
    .catch((error: unknown) => {
      throw failureOf(error, format.toUpperCase())
    })
  const { width, height, orientation = 1, space, depth } = metadata
  checkSize([width, height], 1, mostPixels)
  const isGrey = space === 'b-w' || space === 'grey16'
  const isDeep = depth === 'ushort'
  const size: Scan['size'] = orientation > 4 ? [height, width, 1, 1] : [width, height, 1, 1]
  const dataType = isDeep ? ('uint16' as const) : ('uint8' as const)
  const usual = isGrey && isDeep ? await usualOf(open()) : null
  const upright = open().autoOrient().removeAlpha()
  // The greys that there are, spread over those of a screen.
  const by = usual ? 65_535 / Math.max(1, usual.max - usual.min) : 1
  const spread = usual ? upright.linear(by, -usual.min * by) : upright
  const nothing = { windows: [], notes: [], format, layout: 'slice' as const, samples: new Uint8Array() }
  const facts = factsOf({
    ...{ ...plainScan, ...nothing, size, dataType },
    channels: isGrey ? 1 : 3,
    bits: metadata.bitsPerSample ?? (isDeep ? 16 : 8),
    compression: format,
  })
  return { picture: spread.toColourspace(isGrey ? 'b-w' : 'srgb'), facts: { ...facts, usual } }
}

/** Of a small one in its place. */
async function usualOf(picture: Sharp): Promise<ImageFacts['usual']> {
  const { data, info } = await picture
    .resize(SMALL, SMALL, { fit: 'inside', kernel: 'nearest' })
    .removeAlpha()
    .toColourspace('grey16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  return usualRange({
    ...{ ...plainScan, format: '', windows: [], notes: [] },
    size: [info.width, info.height, 1, 1],
    samples: samplesOf(data, 'uint16', true),
    dataType: 'uint16',
    bits: 16,
  })
}

const SMALL = 1024

async function scanned(source: Source, mostPixels: number): Promise<Pictured> {
  const { scan } = await readImage(source)
  const [width, height] = scan.size
  checkSize([width, height], 1, mostPixels)
  const raw = { width, height, channels: scan.channels }
  const picture = sharp(eightBit(scan, null), { raw, limitInputPixels: false })
  return {
    picture: picture.toColourspace(scan.channels === 1 ? 'b-w' : 'srgb'),
    facts: factsOf(scan),
  }
}
