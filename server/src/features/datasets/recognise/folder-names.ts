/** What the names of folders and files say about their role in a data set. Looks at names only, never at bytes. */

import { imageExtensions } from '@neuroloom/contract/engine'
import { isHiddenPath } from '@neuroloom/contract/names/archive-names'
import {
  imageWords,
  type PairWords,
  readWords,
  type Side,
  words,
} from '@neuroloom/contract/reading/pair-words'

/** Small and large images. */
export const resolutionWords: PairWords = {
  image: words(`${imageWords} low lr lowres small input inputs`),
  label: words(`high hr highres large target targets label labels gt groundtruth truth`),
  foreignImage: /低分辨率?|小图|图像|图片|影像|низк\p{L}*|мал\p{L}*|изображени\p{L}*|сним\p{L}*/giu,
  foreignLabel: /高分辨率?|大图|标签|высок\p{L}*|больш\p{L}*|разметк\p{L}*/giu,
  ending: /_?x[2-8]$/,
  making: /^(bicubic|unknown|mild|wild|difficult|x[2-8])$/,
}

/** The same images with noise and without. */
export const noiseWords: PairWords = {
  image: words(`${imageWords} noisy noise noised lowdose input inputs`),
  label: words('clean denoised fulldose label labels target targets gt groundtruth truth'),
  foreignImage: /含?噪声?|图像|图片|影像|шум\p{L}*|зашумл\p{L}*|изображени\p{L}*|сним\p{L}*/giu,
  foreignLabel: /干净|清晰|无噪声?|去噪|标签|чист\p{L}*|разметк\p{L}*/giu,
  ending: null,
  making: null,
}

const extensions: ReadonlySet<string> = new Set(imageExtensions)
/** Tables and lists name the files that pictures were made of. */
const dicomEndings: ReadonlySet<string> = new Set(['dcm', 'dicom', 'ima'])
/** NumPy. */
const ARRAY = 'npy'

const parts = new Map<string, 'train' | 'validation' | 'test'>([
  ...['train', 'training', 'trn', 'tr'].map((word) => [word, 'train'] as const),
  ...['val', 'valid', 'validation', 'dev'].map((word) => [word, 'validation'] as const),
  ...['test', 'testing', 'holdout', 'ts'].map((word) => [word, 'test'] as const),
])
/** Too short to say by themselves that a folder is a part and no class. */
const shortParts = words('trn tr ts')

export const isImageName = (path: string): boolean =>
  !isHidden(path) && extensions.has(extensionOf(baseOf(path)))

/** Masks may be arrays of numbers. */
export const isMaskName = (path: string): boolean =>
  isImageName(path) || (!isHidden(path) && extensionIn(path) === ARRAY)

/** NIfTI, packed or not. */
export const isVolumeName = (path: string): boolean => !isHidden(path) && /[^/]\.nii(\.gz)?$/i.test(path)

/** Volumes may be arrays of numbers, where nothing but volumes is wanted. */
export const isVolumeArrayName = (path: string): boolean => !isHidden(path) && extensionIn(path) === ARRAY

export const isTextName = (path: string, endings: readonly string[]): boolean =>
  !isHidden(path) && endings.includes(extensionOf(baseOf(path)))

export const isSplitName = (folder: string): boolean =>
  parts.has(folder.toLowerCase()) && !shortParts.has(folder.toLowerCase())

/** `train_benign`, `malignant (test)`: a part and what else the name says; null of other names. */
export function splitInName(folder: string): { part: 'train' | 'validation' | 'test'; rest: string } | null {
  const [, first = '', after = ''] = /^(\p{L}+)[\s_.-]+(.+)$/u.exec(folder) ?? []
  const [, before = '', last = ''] = /^(.+?)[\s_.-]+\(?(\p{L}+)\)?$/u.exec(folder) ?? []
  const [word, rest] = isSplitName(first) ? [first, after] : [last, before]
  const part = isSplitName(word) ? partOf(word) : null
  return part === null || rest.trim() === '' ? null : { part, rest: rest.trim() }
}

/** The part that a word stands for: `Training`, `val`. */
export const partOf = (word: string) => parts.get(word.toLowerCase()) ?? null

/** The side a folder's name announces, with what is left of the name (`train_images` → image, `train`). */
export function folderSide(folder: string, known: PairWords): { side: Side; rest: string } | null {
  const { marks, rest } = readWords(folder, known)
  // `image_masks` holds masks: there the image word only says of what.
  if (marks.has('label')) return { side: 'label', rest }
  return marks.has('image') ? { side: 'image', rest } : null
}

/** The side that a file's own name announces (`x_mask.png`). */
export function fileSide(path: string, known: PairWords): Side | null {
  const { marks } = readWords(stemOf(path), known)
  if (marks.has('label')) return 'label'
  return marks.has('image') ? 'image' : null
}

/** The name without folder, extension and words of a side: equal for `image_7.jpg` and `image_7_mask.png`. */
export function commonStem(path: string, known: PairWords): string {
  const { rest } = readWords(stemOf(path), known)
  return rest === '' ? stemOf(path).toLowerCase() : rest
}

/** Without folder and extension of an image or volume (also twice, as in `scan.jpg.png`). */
export function stemOf(path: string): string {
  let name = baseOf(path)
  if (isVolumeName(name)) return name.replace(/\.nii(\.gz)?$/i, '')
  while (
    [extensions, dicomEndings].some((endings) => endings.has(extensionOf(name))) ||
    extensionOf(name) === ARRAY
  )
    name = name.slice(0, name.lastIndexOf('.'))
  return name
}

export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Path of the folder; '' at the top. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

/** What systems leave behind (`.DS_Store`, `__MACOSX/._x.png`) is nobody's data. */
export const isHidden = isHiddenPath

/** Of a file, in small letters; '' without. */
export const extensionIn = (path: string): string => extensionOf(baseOf(path))

const extensionOf = (name: string): string => {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
}
