/** What the reading program does about burned-in texts: looks for them, shows a frame, writes a copy without them. */
import { join } from 'node:path'
import { burnedIn } from '@neuroloom/contract/limits'
import sharp from 'sharp'
import { namesPatient } from '../dicom/identity.ts'
import type { Source } from '../read.ts'
import { type Blacked, writeBlackened } from './blacken.ts'
import { type Box, meet } from './boxes.ts'
import { type Film, frameOf, openFilm } from './film.ts'
import { findTexts } from './find.ts'
import type { Picture } from './planes.ts'
import { type Region, textsOf } from './scan-film.ts'

export type ReadRegion = Region & {
  /** The text alone, enlarged, dark on light, in `out`; null of what comes after the first few dozens. */
  crop: string | null
}
export type TextsFound = { width: number; height: number; frames: number; regions: ReadRegion[] }

export async function lookForTexts(source: Source): Promise<TextsFound> {
  const film = await openFilm(source)
  const [width, height] = film.scan.size
  const regions: ReadRegion[] = []
  for (const [index, region] of textsOf(film).slice(0, burnedIn.regions).entries()) {
    const crop = index < burnedIn.read ? `crop${index}.png` : null
    if (crop) await writeCrop(frameOf(film, region.first), region, join(source.folder, crop))
    regions.push({ ...region, crop })
  }
  return { width, height, frames: film.frames, regions }
}

/** As tall as Tesseract reads best, some 30 pixels for a capital. */
const CROP_HEIGHT = 52

async function writeCrop(
  { pixels, width, height, channels }: Picture,
  box: Box,
  path: string,
): Promise<void> {
  const raw = { raw: { width, height, channels }, limitInputPixels: false as const }
  const left = Math.max(0, Math.min(width - 1, box.x))
  const top = Math.max(0, Math.min(height - 1, box.y))
  const area = { left, top, width: Math.min(box.w, width - left), height: Math.min(box.h, height - top) }
  const stands = area.height > area.width
  // Turned by itself: the library has an order of its own for steps that are asked for together.
  const { data, info } = await sharp(pixels, raw)
    .extract(area)
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const sorted = Uint8Array.from(data).sort()
  const isDarkOnLight = (sorted[sorted.length >> 1] ?? 0) > 127
  const own = { raw: { width: info.width, height: info.height, channels: 1 as const } }
  const upright = sharp(data, own).negate(!isDarkOnLight).normalise()
  const across = Math.max(
    1,
    Math.round((Math.max(area.width, area.height) * CROP_HEIGHT) / Math.min(area.width, area.height)),
  )
  const sized = await (stands ? upright.rotate(90) : upright).png().toBuffer()
  await sharp(sized)
    .resize(Math.min(across, MOST_ACROSS), CROP_HEIGHT, { fit: 'fill', kernel: 'cubic' })
    .extend({ top: 10, bottom: 10, left: 10, right: 10, background: '#fff' })
    .png({ compressionLevel: 1 })
    .toFile(path)
}

const MOST_ACROSS = 4000

/** One frame as a screen shows it, as WebP in `out`. */
export async function showFrame(
  source: Source,
  { frame, side }: { frame: number; side: number },
): Promise<string> {
  const film = await openFilm(source)
  const { pixels, width, height, channels } = frameOf(film, Math.max(0, Math.min(film.frames - 1, frame)))
  const name = 'frame.webp'
  await sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 88, effort: 2 })
    .toFile(join(source.folder, name))
  return name
}

export type Blackened = {
  made: string
  /** Of the regions, those in which the copy, read again, still shows something like text. */
  left: number
  /** Whether the header still names the patient. */
  namesPatient: boolean
}

export async function blackenCopy(source: Source, regions: readonly Blacked[]): Promise<Blackened> {
  const film = await openFilm(source)
  const made = await writeBlackened(film, regions, source.folder)
  const again = await openFilm({
    ...source,
    files: [{ path: join(source.folder, made), name: made }],
    siblings: new Map(),
  })
  const left = regions.filter((region) => isLeft(again, region)).length
  const { dicom } = again
  return { made, left, namesPatient: dicom !== null && namesPatient(dicom) }
}

/** In the first, the middle and the last frame of it. */
function isLeft(film: Film, region: Blacked): boolean {
  const [first, last] = [Math.max(0, region.first), Math.min(film.frames - 1, region.last)]
  const frames = new Set([first, Math.floor((first + last) / 2), last])
  return [...frames].some((frame) => {
    const picture = frameOf(film, frame)
    return findTexts(picture).some((found) => meet(found, region) && !isPlain(picture, region))
  })
}

/** Nothing but one grey within: what is found beside it only reaches into it. */
function isPlain({ pixels, width, height, channels }: Picture, { x, y, w, h }: Box): boolean {
  const [right, bottom] = [Math.min(width, Math.ceil(x + w) - 2), Math.min(height, Math.ceil(y + h) - 2)]
  let [least, most] = [255, 0]
  for (let row = Math.max(0, Math.floor(y)) + 2; row < bottom; row += 1) {
    for (
      let at = (row * width + Math.max(0, Math.floor(x)) + 2) * channels;
      at < (row * width + right) * channels;
      at += 1
    ) {
      const value = pixels[at] ?? 0
      if (value < least) least = value
      if (value > most) most = value
    }
  }
  return most - least <= PLAIN
}

/** Of 255: JPEG lets a little of what lies beside come in. */
const PLAIN = 24
