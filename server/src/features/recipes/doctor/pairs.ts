/** Which mask belongs to which image, by names alone; the safest way that finds exactly one of each wins. */
import type { Pairing } from '@neuroloom/contract/recipes/pairings'
import { folderOf, nameOf, stemOf } from '../roles.ts'

type Named = { path: string }
export type Pair<File extends Named> = { image: File; mask: File; by: Pairing }
type Paired<File extends Named> = { pairs: Pair<File>[]; images: File[]; masks: File[] }

const MARK =
  /(masks?|segm?|segmentations?|annotations?|annot|labels?|gt|ground.?truth|roi|掩膜|掩码|标注|分割|маска|разметка)/
/** As a word of its own at the beginning or the end. */
const MARKS = new RegExp(`^${MARK.source}[ _.-]+|[ _.-]+${MARK.source}$`, 'giu')
const KINDS =
  /^(images?|imgs?|pictures?|photos?|data|images(tr|ts)|labels(tr|ts)|masks?|segm?|segmentations?|annotations?|labels?|gt|ground.?truth|снимки|изображения|маски|разметка|图像|图片|掩膜|掩码|标注)$/iu
/** nnU-Net numbers the channels of a case. */
const CHANNEL = /_0000$/

export const saysMask = (path: string): boolean =>
  nameOf(stemOf(path)).replace(MARKS, '') !== nameOf(stemOf(path))

/** Of a folder, by its own name. */
export const isMaskFolder = (path: string): boolean =>
  new RegExp(`(^|[^\\p{L}])${MARK.source}([^\\p{L}]|$)|^labels(tr|ts)$`, 'iu').test(nameOf(path))

/** The folders that a pair lies in, without those that only say what the files are. */
export const placeOf = (path: string): string[] => folderOf(path).filter((name) => !KINDS.test(name))

const stem = (path: string): string => nameOf(stemOf(path))
const simple = (path: string): string => stem(path).normalize('NFC').toLowerCase()
const plain = (path: string): string =>
  simple(path).replace(CHANNEL, '').replace(MARKS, '').replace(CHANNEL, '')

/** Null where the way says nothing of the file. */
const ways: readonly (readonly [Pairing, (path: string) => string | null])[] = [
  ['same', stem],
  ['unicode', (path) => stem(path).normalize('NFC')],
  ['case', simple],
  ['mark', plain],
  ['folder', (path) => (placeOf(path).length > 0 ? '' : null)],
  ['number', (path) => /(\d+)\D*$/.exec(plain(path))?.[1]?.replace(/^0+(?=\d)/, '') ?? null],
]

export function pairUp<File extends Named>(images: readonly File[], masks: readonly File[]): Paired<File> {
  let left = { images: [...images], masks: [...masks] }
  const pairs: Pair<File>[] = []
  for (const [by, nameIn] of ways) {
    // First in the same place, where files of one name may lie in many folders; then anywhere, but not alone by lying together.
    for (const isPlaced of by === 'folder' ? [true] : [true, false]) {
      const keyOf = ({ path }: File): string | null => {
        const name = nameIn(path)
        return name === null ? null : isPlaced ? [...placeOf(path), name].join('/') : name
      }
      const found = matched(left.images, left.masks, keyOf)
      pairs.push(...found.map((pair) => ({ ...pair, by })))
      const taken = new Set<File>(found.flatMap(({ image, mask }) => [image, mask]))
      left = {
        images: left.images.filter((file) => !taken.has(file)),
        masks: left.masks.filter((file) => !taken.has(file)),
      }
    }
  }
  pairs.sort((one, other) => natural.compare(one.image.path, other.image.path))
  return { pairs, ...left }
}

const natural = new Intl.Collator('en', { numeric: true })

function matched<File extends Named>(
  images: readonly File[],
  masks: readonly File[],
  keyOf: (file: File) => string | null,
): { image: File; mask: File }[] {
  const byKey = grouped(masks, keyOf)
  return [...grouped(images, keyOf)].flatMap(([key, own]) => {
    const others = byKey.get(key) ?? []
    const [image, mask] = [own[0], others[0]]
    return image && mask && own.length === 1 && others.length === 1 ? [{ image, mask }] : []
  })
}

function grouped<File>(files: readonly File[], keyOf: (file: File) => string | null): Map<string, File[]> {
  const groups = new Map<string, File[]>()
  for (const file of files) {
    const key = keyOf(file)
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), file])
  }
  return groups
}
