/** Opens a picture in which texts are looked for: its frames in the order in which the file stores them. */

import type { DicomFile } from '../dicom/file.ts'
import { readStored } from '../dicom/pixels.ts'
import { inColours } from '../dicom/scan.ts'
import { rangeOf, refuse, type Scan } from '../model.ts'
import { readImage, type Source } from '../read.ts'
import { eightBit, isEightBit, windowAround } from '../values.ts'
import type { Picture } from './planes.ts'

export type Film = { kind: FilmKind; scan: Scan; dicom: DicomFile | null; frames: number }
export type FilmKind = (typeof filmKinds)[number]

/** What a copy can be written as. */
const filmKinds = ['png', 'jpeg', 'tiff', 'bmp', 'webp', 'dicom'] as const

export async function openFilm(source: Source): Promise<Film> {
  const { kind, scan, dicom } = await readImage(source)
  const known = filmKinds.find((one) => one === kind)
  if (!known) throw refuse('kind_not_yet', { kind: kind.toUpperCase() })
  const frames = scan.size[2] * scan.size[3]
  if (!dicom || frames === 1) return { kind: known, scan, dicom, frames }
  // A volume is put in the order of places; the copy keeps the file's.
  const stored = await readStored(dicom, source)
  const { samples } = inColours(dicom, stored)
  const inOrder: Scan = { ...scan, samples, size: [scan.size[0], scan.size[1], frames, 1] }
  return { kind: known, scan: inOrder, dicom, frames }
}

/** As a screen shows one frame; with `isWhole`, in the greys of all its values, where the window could hide something. */
export function frameOf({ scan }: Film, index: number, isWhole = false): Picture {
  const [width, height] = scan.size
  const each = width * height * scan.channels
  const samples = scan.samples.slice(index * each, (index + 1) * each)
  const one: Scan = { ...scan, samples, size: [width, height, 1, 1], layout: 'slice' }
  const range = isWhole ? rangeOf(one) : null
  return { pixels: eightBit(one, range ? windowAround(range) : null), width, height, channels: scan.channels }
}

/** Whether a window stands between the values and the screen. */
export const isWindowed = ({ scan }: Film): boolean => !isEightBit(scan, null)
