/** Pairs of files: folders side by side (`images` + `masks`), or `x.png` beside `x_mask.png`. Names only. */
import type { PairWords, Side } from '@neuroloom/contract/reading/pair-words'
import { commonStem, fileSide, folderOf, folderSide, stemOf } from './folder-names.ts'
import type { NameFailure, Pair, PairedNames } from './shapes.ts'

type Sorted = { images: Keyed[]; labels: Keyed[]; stray: string[] }
/** `place` is equal for an image and its label: the folder with the side taken out of its name. */
type Keyed = { path: string; place: string }

/** Null when nothing speaks for pairs. */
export function pairNames(paths: readonly string[], words: PairWords): PairedNames | NameFailure | null {
  const sorted = sortByFolder(paths, words) ?? sortByName(paths, words)
  if (!sorted) return null
  const found = pairUp(sorted, words)
  return found.pairs.length === 0 ? 'nothing_matches' : found
}

/** By folder names, wherever folders of both sides stand side by side. */
function sortByFolder(paths: readonly string[], words: PairWords): Sorted | null {
  const parents = findPairParents(paths, words)
  if (parents.size === 0) return null
  const sorted: Sorted = { images: [], labels: [], stray: [] }
  for (const path of paths) {
    const found = placeOf(path, parents, words)
    if (!found) sorted.stray.push(path)
    else sorted[found.side === 'image' ? 'images' : 'labels'].push({ path, place: found.place })
  }
  return sorted
}

/** Folders that have both an image folder and a label folder of the same remaining name as children. */
function findPairParents(paths: readonly string[], words: PairWords): Set<string> {
  const seen = new Map<string, Set<Side>>()
  const parents = new Set<string>()
  for (const folder of new Set(paths.map(folderOf))) {
    const parts = folder.split('/')
    parts.forEach((part, depth) => {
      const found = folderSide(part, words)
      if (!found) return
      const parent = parts.slice(0, depth).join('/')
      const key = `${parent}\n${found.rest}`
      const sides = (seen.get(key) ?? new Set<Side>()).add(found.side)
      seen.set(key, sides)
      if (sides.size === 2) parents.add(parent)
    })
  }
  return parents
}

/** The outermost fitting folder decides, so that every path has one side. */
function placeOf(path: string, parents: Set<string>, words: PairWords): { side: Side; place: string } | null {
  const parts = path.split('/').slice(0, -1)
  for (let depth = 0; depth < parts.length; depth += 1) {
    const isPaired = parents.has(parts.slice(0, depth).join('/'))
    const found = isPaired ? folderSide(parts[depth] ?? '', words) : null
    if (!found) continue
    const below = parts.slice(depth + 1).filter((part) => !words.making?.test(part.toLowerCase()))
    const place = [...parts.slice(0, depth), `*${found.rest}`, ...below].join('/')
    return { side: found.side, place }
  }
  return null
}

/** By file names in one folder; only where at least half of the unmarked pictures have a partner. */
function sortByName(paths: readonly string[], words: PairWords): Sorted | null {
  const keyed = paths.map((path) => ({ path, place: folderOf(path) }))
  const labels = keyed.filter(({ path }) => fileSide(path, words) === 'label')
  const images = keyed.filter(({ path }) => fileSide(path, words) !== 'label')
  const common = (path: string): string => commonStem(path, words)
  const stems = new Set(labels.map((label) => keyOf(label, common)))
  const partnered = images.filter((image) => stems.has(keyOf(image, common)))
  const enough = partnered.length > 0 && partnered.length * 2 >= images.length
  return enough ? { images, labels, stray: [] } : null
}

function pairUp({ images, labels, stray }: Sorted, words: PairWords): PairedNames {
  const common = (path: string): string => commonStem(path, words)
  const bare = (path: string): string => common(path).replace(words.ending ?? /$^/, '')
  const pairs: Pair[] = []
  let left = { images, labels }
  // Words such as `_mask` are taken out only for what is left, so that they never steal an exact partner.
  for (const stem of [stemOf, common, bare]) {
    const found = match(left.images, left.labels, stem)
    pairs.push(...found.pairs)
    left = found
  }
  return {
    pairs: pairs.sort((one, other) => (one.image < other.image ? -1 : 1)),
    imagesAlone: left.images.map(({ path }) => path),
    labelsAlone: left.labels.map(({ path }) => path),
    stray,
  }
}

/** A name that several files share pairs nothing: a wrong mask would be worse than a missing one. */
function match(images: Keyed[], labels: Keyed[], stem: (path: string) => string) {
  const imagesByKey = groupBy(images, (image) => keyOf(image, stem))
  const labelsByKey = groupBy(labels, (label) => keyOf(label, stem))
  const pairs: Pair[] = []
  const used = new Set<Keyed>()
  for (const [key, [image, ...moreImages]] of imagesByKey) {
    const [label, ...moreLabels] = labelsByKey.get(key) ?? []
    if (!image || !label || moreImages.length > 0 || moreLabels.length > 0) continue
    used.add(image).add(label)
    pairs.push({ image: image.path, label: label.path })
  }
  const unused = (keyed: Keyed): boolean => !used.has(keyed)
  return { pairs, images: images.filter(unused), labels: labels.filter(unused) }
}

function groupBy(list: Keyed[], keyFor: (keyed: Keyed) => string): Map<string, Keyed[]> {
  const groups = new Map<string, Keyed[]>()
  for (const keyed of list) {
    const key = keyFor(keyed)
    const group = groups.get(key)
    if (group) group.push(keyed)
    else groups.set(key, [keyed])
  }
  return groups
}

const keyOf = ({ path, place }: Keyed, stem: (path: string) => string): string => `${place}\n${stem(path)}`
