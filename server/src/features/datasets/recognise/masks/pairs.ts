/** Pictures with their masks, as names tell them: whose masks count, what shows only where there is something to see, what is joined. */
import type { Reading } from '@neuroloom/contract/reading/reading'
import { extensionIn } from '../folder-names.ts'
import type { Mix, Pair, PairedNames, Reader } from '../shapes.ts'
import { describe, type MaskFile } from './files.ts'
import { type Matched, match } from './match.ts'
import { isBareMask, isField, isHalf, isPainted, isPerson, ownWords, withoutHalf } from './words.ts'

/** Masks of one kind: those of a folder, those with an ending, one reader's. */
type Role = { name: string; files: MaskFile[]; matched: Matched }

/** Null where names do not tell pictures from masks. */
export function maskPairs(
  paths: readonly string[],
  reading: Pick<Reading, 'labels' | 'images'>,
): PairedNames | null {
  const files = describe(paths)
  const sorted = sortByWords(files) ?? sortByEndings(files)
  if (sorted === null) return null
  const kinds = kindsOf(sorted.images, sorted.labels)
  const kind = kinds.find(({ name }) => name === reading.images) ?? kinds[0]
  if (!kind) return null
  const roles = rolesOf(kind.files, sorted.labels)
  if (roles.length === 0) return null
  const found = decide(roles, reading.labels)
  return {
    pairs: found.pairs.sort((one, other) => (one.image < other.image ? -1 : 1)),
    imagesAlone: alone(kind.files, new Set(found.pairs.map(({ image }) => image))),
    labelsAlone: alone(
      found.counted.flatMap((role) => role.files),
      new Set(found.counted.flatMap(({ matched }) => [...matched.values()].flat())),
    ),
    stray: sorted.stray,
    ...(found.readers.length > 1
      ? { readers: found.readers, counts: found.counts, mayVote: found.mayVote }
      : {}),
    ...(kinds.length > 1 ? { channels: kinds.map(readerOf), channel: kind.name } : {}),
    ...(found.kindNames ? { kindNames: found.kindNames } : {}),
  }
}

type Sorted = { images: MaskFile[]; labels: MaskFile[]; stray: string[] }

/** By words for masks; whatever says nothing is a picture, except beside folders that say so. */
function sortByWords(files: readonly MaskFile[]): Sorted | null {
  const labels = files.filter(({ side }) => side === 'label')
  if (labels.length === 0) return null
  const told = files.filter(({ side }) => side === 'image')
  const silent = files.filter(({ side }) => side === null)
  if (told.length === 0) return { images: silent, labels, stray: [] }
  return { images: told, labels, stray: silent.map(({ path }) => path) }
}

/** Without such words: what stands beside the plain name (`im0001` and `im0001.ah`), or is no JPEG beside one. */
function sortByEndings(files: readonly MaskFile[]): Sorted | null {
  const endings = files.filter(({ role }) => role !== '')
  const plain = new Set(
    files.filter(({ role }) => role === '').map(({ place, keys }) => `${place}\n${keys[1]}`),
  )
  const beside = endings.filter(({ place, keys }) => plain.has(`${place}\n${keys[1]}`))
  if (beside.length > 0) {
    const labels = new Set(beside)
    return { images: files.filter((file) => !labels.has(file)), labels: beside, stray: [] }
  }
  return sortByExtension(files)
}

/** `001.bmp` beside `001.png`: the mask is what never loses values. */
function sortByExtension(files: readonly MaskFile[]): Sorted | null {
  const ranked = ['jpg', 'jpeg', 'bmp', 'tif', 'tiff', 'ppm', 'png', 'gif', 'pgm', 'npy']
  const kinds = [...new Set(files.map(({ path }) => extensionIn(path)))]
  if (kinds.length !== 2) return null
  const [first = '', second = ''] = kinds.sort((one, other) => ranked.indexOf(one) - ranked.indexOf(other))
  const of = (kind: string): MaskFile[] => files.filter(({ path }) => extensionIn(path) === kind)
  const [images, labels] = [of(first), of(second)]
  const names = new Set(images.map(({ place, keys }) => `${place}\n${keys[0]}`))
  const paired = labels.filter(({ place, keys }) => names.has(`${place}\n${keys[0]}`))
  return paired.length > 0 && paired.length === labels.length ? { images, labels, stray: [] } : null
}

type Kind = { name: string; files: MaskFile[]; items: number }

/** Several pictures of one case (channels) are told apart by their endings; one of them is learned from. */
function kindsOf(images: readonly MaskFile[], labels: readonly MaskFile[]): Kind[] {
  const byRole = new Map<string, MaskFile[]>()
  for (const image of images) addTo(byRole, image.role, image)
  if (byRole.size < 2 || byRole.size > MOST_ROLES)
    return [{ name: '', files: [...images], items: images.length }]
  const kinds = [...byRole].map(([name, files]) => ({ name, files, items: match(files, labels).size }))
  const most = Math.max(...kinds.map(({ items }) => items))
  const real = kinds.filter(({ items }) => items > 0 && items * 2 >= most)
  // Endings that only part the pictures, each with masks of its own, are no channels.
  const whole = { name: '', files: [...images], items: match(images, labels).size }
  if (real.length < 2 || whole.items > most) return [whole.items > most ? whole : (real[0] ?? whole)]
  return real.sort((one, other) => other.items - one.items || (one.name < other.name ? -1 : 1))
}

function rolesOf(images: readonly MaskFile[], labels: readonly MaskFile[]): Role[] {
  const names = new Set(labels.map(({ role }) => role))
  const byRole = new Map<string, MaskFile[]>()
  for (const label of labels) {
    const plain = label.role.replace(/[\s_.-]?\d+$/, '')
    const isPart = (names.has(plain) && plain !== '') || /^masks?[\s_.-]\d+$/.test(label.role)
    addTo(byRole, isPart ? plain : label.role, label)
  }
  // One kind under many names, such as masks called after their cases: all of it together.
  if (byRole.size > MOST_ROLES) return wholeOf(images, labels)
  const roles = [...byRole].map(([name, files]) => ({ name, files, matched: match(images, files) }))
  const paired = roles.filter(({ matched }) => matched.size > 0)
  return paired.length === 0 ? wholeOf(images, labels) : paired
}

const MOST_ROLES = 24

function addTo<T>(groups: Map<string, T[]>, key: string, ...more: T[]): void {
  const group = groups.get(key)
  if (group) group.push(...more)
  else groups.set(key, more)
}

function wholeOf(images: readonly MaskFile[], labels: readonly MaskFile[]): Role[] {
  const matched = match(images, labels)
  return matched.size === 0 ? [] : [{ name: '', files: [...labels], matched }]
}

type Decided = {
  pairs: Pair[]
  counted: Role[]
  readers: Reader[]
  counts: string
  mayVote: boolean
  kindNames: string[] | null
}

function decide(all: readonly Role[], wanted: string | null): Decided {
  const { fields, roles } = apartFromFields(all)
  const regionOf = (image: string): string | undefined =>
    fields.flatMap(({ matched }) => matched.get(image) ?? [])[0]
  const kinds = kindNamesOf(roles)
  const made = kinds ? joinKinds(roles, kinds) : choose(roles, wanted)
  const pairs = made.pairs.map((pair) => {
    const region = regionOf(pair.image)
    return region === undefined ? pair : { ...pair, region }
  })
  return { ...made, pairs }
}

/** A field of view is no label where anything else says what is marked. */
function apartFromFields(roles: readonly Role[]): { fields: Role[]; roles: Role[] } {
  const fields = roles.filter(({ name }) => isField(name))
  const bare = fields.length > 0 ? fields : roles.filter(({ name }) => isBareMask(name))
  const others = roles.filter((role) => !bare.includes(role))
  const areBetter = others.some(({ name, matched }) => !isPainted(name) && matched.size > 0)
  return areBetter ? { fields: bare, roles: others } : { fields: [], roles: [...roles] }
}

/** Folders beside each other that are called after what they hold: `masks/heart`, `masks/left lung`. Null where they are not. */
function kindNamesOf(roles: readonly Role[]): string[] | null {
  if (roles.length < 2) return null
  const words = roles.map(({ name }) => ownWords(withoutHalf(name.split('/').at(-1) ?? '')).join(' '))
  const areHalves = roles.every(({ name }) => isHalf(name))
  if (areHalves && new Set(words).size === 1) return ['foreground']
  const parents = new Set(roles.map(({ name }) => name.split('/').slice(0, -1).join('/')))
  const areTold = words.every((word) => word.length > 2) && parents.size === 1 && !parents.has('')
  const isAnyPainted = roles.some(({ name }) => isPainted(name) || isPerson(name.split('/').at(-1) ?? ''))
  return areTold && !isAnyPainted ? [...new Set(words)].sort() : null
}

function joinKinds(roles: readonly Role[], kindNames: string[]): Decided {
  const masks = new Map<string, { path: string; value: number }[]>()
  for (const { name, matched } of roles) {
    const own = ownWords(withoutHalf(name.split('/').at(-1) ?? '')).join(' ')
    const value = Math.max(1, kindNames.indexOf(own) + 1)
    for (const [image, paths] of matched) addTo(masks, image, ...paths.map((path) => ({ path, value })))
  }
  const pairs = [...masks].map(([image, own]): Pair => {
    const sorted = own.sort((one, other) => one.value - other.value || (one.path < other.path ? -1 : 1))
    const paths = sorted.map(({ path }) => path)
    const mix: Mix =
      kindNames.length === 1
        ? { how: 'any', paths }
        : { how: 'kinds', paths, values: sorted.map(({ value }) => value) }
    return { image, label: paths[0] ?? '', mix }
  })
  const names = kindNames.length > 1 ? kindNames : null
  return { pairs, counted: [...roles], readers: [], counts: '', mayVote: false, kindNames: names }
}

/** Of several that mark the same: the most complete, first in the order of names, unless the owner chose. */
function choose(roles: readonly Role[], wanted: string | null): Decided {
  const sorted = [...roles].sort(
    (one, other) =>
      Number(isPainted(one.name)) - Number(isPainted(other.name)) ||
      other.matched.size - one.matched.size ||
      (one.name < other.name ? -1 : 1),
  )
  const mayVote = sorted.length > 1 && sorted.every(({ name }) => isPerson(name.split('/').at(-1) ?? ''))
  const known = { readers: sorted.map((role) => readerOf({ ...role, items: role.matched.size })), mayVote }
  if (mayVote && (wanted === 'majority' || wanted === 'all')) {
    const how = wanted === 'all' ? 'any' : 'most'
    return { ...known, pairs: together(sorted, how), counted: sorted, counts: wanted, kindNames: null }
  }
  const chosen = sorted.find(({ name }) => name === wanted) ?? sorted[0]
  const pairs = [...(chosen?.matched ?? [])].map(([image, paths]) => pairOf(image, paths, 'any'))
  return { ...known, pairs, counted: chosen ? [chosen] : [], counts: chosen?.name ?? '', kindNames: null }
}

function together(roles: readonly Role[], how: Mix['how']): Pair[] {
  const paths = new Map<string, string[]>()
  for (const { matched } of roles) for (const [image, own] of matched) addTo(paths, image, ...own)
  return [...paths].map(([image, own]) => pairOf(image, own, how))
}

function pairOf(image: string, paths: readonly string[], how: Mix['how']): Pair {
  const sorted = [...paths].sort()
  const pair: Pair = { image, label: sorted[0] ?? '' }
  return sorted.length === 1 ? pair : { ...pair, mix: { how, paths: sorted } }
}

const readerOf = ({ name, items }: { name: string; items: number }): Reader => ({ key: name, name, items })

const alone = (files: readonly MaskFile[], used: ReadonlySet<string>): string[] =>
  files.map(({ path }) => path).filter((path) => !used.has(path))
