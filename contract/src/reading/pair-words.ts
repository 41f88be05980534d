/** Words by which names say that something is an image, or what belongs to one. Pure. */

export type Side = 'image' | 'label'

/** Words by which folders and files say on which side of a pair they are. */
export type PairWords = {
  image: ReadonlySet<string>
  label: ReadonlySet<string>
  /** The same in Chinese and Russian, found inside a name because it may carry no separators. */
  foreignImage: RegExp
  foreignLabel: RegExp
  /** What the names of one side may end in besides. */
  ending: RegExp | null
  /** Words and whole folders that only say how one side was made: `LR_bicubic/X2`. */
  making: RegExp | null
}

export const words = (text: string): Set<string> => new Set(text.split(' '))
export const imageWords = 'image images img imgs jpegimages picture pictures scan scans volume volumes'
const labelWords =
  'mask masks label labels annotation annotations ann anno seg segs segmentation segmentations ' +
  'groundtruth gt truth target targets'

const foreignImage = /图像|图片|影像|изображени\p{L}*|сним\p{L}*/giu
const foreignLabel = /掩膜|掩码|标签|标注|分割|маск\p{L}*|разметк\p{L}*|сегментаци\p{L}*/giu

export const maskWords: PairWords = {
  image: words(imageWords),
  label: words(labelWords),
  foreignImage,
  foreignLabel,
  // The number of the channel, as nnU-Net writes it behind an image of one channel.
  ending: /_0000$/,
  making: null,
}

/** Which sides a name announces, and what is left of it: equal for `image_7` and `image_7_mask`. */
export function readWords(name: string, known: PairWords): { marks: Set<Side>; rest: string } {
  const marks = new Set<Side>()
  const kept: string[] = []
  const spaced = name
    .replace(known.foreignLabel, () => mark(marks, 'label'))
    .replace(known.foreignImage, () => mark(marks, 'image'))
    .replace(/SegmentationClass/g, 'segmentation')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/ground[ _.-]truth/g, 'groundtruth')
    .replace(/(low|high)[ _.-]?res(olution)?(?![a-z])/g, '$1res')
    .replace(/(low|full)[ _.-]dose/g, '$1dose')
  for (const word of spaced.split(/[ _.-]+/).filter((part) => part !== '')) {
    if (known.label.has(word)) mark(marks, 'label')
    else if (known.image.has(word)) mark(marks, 'image')
    else if (!known.making?.test(word)) kept.push(word)
  }
  return { marks, rest: kept.join('_') }
}

function mark(marks: Set<Side>, side: Side): string {
  marks.add(side)
  return ' '
}
