/** What the names of folders and files say about their role in a data set. Looks at names only, never at bytes. */

import { imageExtensions } from '@neuroloom/contract/engine'

export type Role = 'image' | 'mask'

const extensions: ReadonlySet<string> = new Set(imageExtensions)
const imageWords = new Set('image images img imgs jpegimages picture pictures scan scans'.split(' '))
const maskWords = new Set(
  (
    'mask masks label labels annotation annotations ann anno seg segs segmentation segmentations ' +
    'groundtruth gt truth target targets'
  ).split(' '),
)
const splitWords = new Set('train training test testing val valid validation dev holdout'.split(' '))

/** The same words in Chinese and Russian, found inside a name because it may carry no separators. */
const foreignImage = /图像|图片|影像|изображени\p{L}*|сним\p{L}*/giu
const foreignMask = /掩膜|掩码|标签|标注|分割|маск\p{L}*|разметк\p{L}*|сегментаци\p{L}*/giu

export const isImageName = (path: string): boolean =>
  !isHidden(path) && extensions.has(extensionOf(path.slice(path.lastIndexOf('/') + 1)))

export const isSplitName = (folder: string): boolean => splitWords.has(folder.toLowerCase())

/** The role a folder's name announces, with what is left of the name (`train_images` → image, `train`). */
export function folderRole(folder: string): { role: Role; rest: string } | null {
  const { marks, rest } = readWords(folder)
  // `image_masks` holds masks: there the image word only says of what.
  if (marks.has('mask')) return { role: 'mask', rest }
  return marks.has('image') ? { role: 'image', rest } : null
}

/** Whether a file's own name says that it is a mask (`x_mask.png`). */
export const isMarkedMask = (path: string): boolean => readWords(stemOf(path)).marks.has('mask')

/** The name without folder, extension and role words: equal for `image_7.jpg` and `image_7_mask.png`. */
export function commonStem(path: string): string {
  const { rest } = readWords(stemOf(path))
  return rest === '' ? stemOf(path).toLowerCase() : rest
}

/** Without folder and image extension (also twice, as in `scan.jpg.png`). */
export function stemOf(path: string): string {
  let name = path.slice(path.lastIndexOf('/') + 1)
  while (extensions.has(extensionOf(name))) name = name.slice(0, name.lastIndexOf('.'))
  return name
}

function readWords(name: string): { marks: Set<Role>; rest: string } {
  const marks = new Set<Role>()
  const kept: string[] = []
  const spaced = name
    .replace(foreignMask, () => mark(marks, 'mask'))
    .replace(foreignImage, () => mark(marks, 'image'))
    .replace(/SegmentationClass/g, 'segmentation')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/ground[ _.-]truth/g, 'groundtruth')
  for (const word of spaced.split(/[ _.-]+/).filter((part) => part !== '')) {
    if (maskWords.has(word)) mark(marks, 'mask')
    else if (imageWords.has(word)) mark(marks, 'image')
    else kept.push(word)
  }
  return { marks, rest: kept.join('_') }
}

function mark(marks: Set<Role>, role: Role): string {
  marks.add(role)
  return ' '
}

const extensionOf = (name: string): string => {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
}

/** What systems leave behind (`.DS_Store`, `__MACOSX/._x.png`) is nobody's data. */
const isHidden = (path: string): boolean =>
  path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')
