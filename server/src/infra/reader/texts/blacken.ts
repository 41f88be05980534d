/** Writes a copy of a picture with black in the place of texts: packed anew from its pixels alone, so nothing else goes along. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { rewriteDicom } from '../dicom/rewrite.ts'
import { refuse, type Scan } from '../model.ts'
import { RESULT } from '../names.ts'
import { eightBit } from '../values.ts'
import { writeBmp } from '../write/bmp.ts'
import { writeTiff } from '../write/tiff.ts'
import type { Box } from './boxes.ts'
import type { Film } from './film.ts'

export type Blacked = Box & { first: number; last: number }

/** The name of the file made in `folder`. */
export async function writeBlackened(
  film: Film,
  regions: readonly Blacked[],
  folder: string,
): Promise<string> {
  const { kind, scan, dicom } = film
  const name = `${RESULT}.${endings[kind]}`
  const path = join(folder, name)
  const isLossy = scan.notes.some((note) => note.name === 'lossy')
  for (const region of regions) blacken(film, isLossy ? onBlocks(region) : region)
  switch (kind) {
    case 'dicom':
      if (!dicom) throw refuse('reader_failed')
      await writeFile(path, rewriteDicom(dicom, scan))
      break
    case 'tiff':
      await writeTiff(scan, path)
      break
    case 'bmp':
      await writeBmp(scan, path)
      break
    default:
      await writePacked(scan, kind, path)
  }
  return name
}

const endings = { dicom: 'dcm', tiff: 'tif', bmp: 'bmp', png: 'png', jpeg: 'jpg', webp: 'webp' } as const

/** JPEG smears a letter over its blocks of 8 pixels, those of colours over 16. */
function onBlocks({ x, y, w, h, ...frames }: Blacked): Blacked {
  const [left, top] = [Math.floor(x / BLOCK) * BLOCK, Math.floor(y / BLOCK) * BLOCK]
  const [right, bottom] = [Math.ceil((x + w) / BLOCK) * BLOCK, Math.ceil((y + h) / BLOCK) * BLOCK]
  return { x: left, y: top, w: right - left, h: bottom - top, ...frames }
}

const BLOCK = 8

function blacken({ scan, frames }: Film, { x, y, w, h, first, last }: Blacked): void {
  const { channels, samples } = scan
  const [width, height] = scan.size
  const black = blackOf(scan)
  const [left, right] = [Math.max(0, Math.floor(x)), Math.min(width, Math.ceil(x + w))]
  const bottom = Math.min(height, Math.ceil(y + h))
  for (let frame = Math.max(0, first); frame <= Math.min(frames - 1, last); frame += 1) {
    for (let row = Math.max(0, Math.floor(y)); row < bottom; row += 1) {
      const start = ((frame * height + row) * width + left) * channels
      samples.fill(black, start, start + Math.max(0, right - left) * channels)
    }
  }
}

/** What is shown darkest, in the values that are there. */
function blackOf({ samples, channels, photometric, slope }: Scan): number {
  if (channels === 3) return 0
  const isTurned = (photometric === 'MONOCHROME1') !== slope < 0
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of samples) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return isTurned ? most : Math.min(least, Math.max(0, least))
}

/** Without EXIF, profiles and comments: the library keeps none unless asked. */
async function writePacked(scan: Scan, kind: 'png' | 'jpeg' | 'webp', path: string): Promise<void> {
  const [width, height] = scan.size
  const { channels, samples } = scan
  const isDeep = kind === 'png' && samples instanceof Uint16Array
  const raw = { raw: { width, height, channels }, limitInputPixels: false as const }
  const grey = isDeep ? 'grey16' : 'b-w'
  const colour = isDeep ? 'rgb16' : 'srgb'
  const picture = sharp(isDeep ? samples : eightBit(scan, null), raw).toColourspace(
    channels === 3 ? colour : grey,
  )
  if (kind === 'png') await picture.png({ compressionLevel: 6 }).toFile(path)
  else if (kind === 'webp') await picture.webp({ lossless: true }).toFile(path)
  else await picture.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toFile(path)
}
