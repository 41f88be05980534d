/** Finds the masks of one kind that belong to pictures of one kind, by names alone. A wrong mask would be worse than a missing one. */
import type { MaskFile } from './files.ts'

/** Of each picture that has one, its masks: more than one where each shows a part of what is marked. */
export type Matched = Map<string, string[]>

export function match(images: readonly MaskFile[], labels: readonly MaskFile[]): Matched {
  const found: Matched = new Map()
  let left = { images: [...images], labels: [...labels] }
  const levels = images[0]?.keys.length ?? 0
  const ways: ((file: MaskFile) => string)[] = []
  for (let level = 0; level < levels; level += 1) ways.push((file) => `${file.place}\n${file.keys[level]}`)
  for (let level = 0; level < levels; level += 1) ways.push((file) => `${file.around}\n${file.keys[level]}`)
  // Folders of both may be called so differently that nothing else can be compared.
  for (let level = 0; level < levels; level += 1) ways.push((file) => `${file.parts}\n${file.keys[level]}`)
  for (const keyOf of ways) left = pairUp(left, keyOf, found)
  left = joinMany(images, left, found)
  if (found.size === 0) left = pairByNumbers(left, found)
  if (found.size === 0) joinOnly(left, found)
  if (found.size === 0) pairByStart(left, found)
  return found
}

type Left = { images: MaskFile[]; labels: MaskFile[] }

function pairUp({ images, labels }: Left, keyOf: (file: MaskFile) => string, found: Matched): Left {
  const byKey = { images: groupBy(images, keyOf), labels: groupBy(labels, keyOf) }
  const used = new Set<MaskFile>()
  for (const [key, [image, ...others]] of byKey.images) {
    const [label, ...more] = byKey.labels.get(key) ?? []
    if (!image || !label || others.length > 0 || more.length > 0 || isEmptyKey(key)) continue
    used.add(image).add(label)
    found.set(image.path, [label.path])
  }
  return without({ images, labels }, used)
}

/** `case007` and `case7`, where each of them is one alone: programs write numbers with zeros before them or without. */
function pairByNumbers(left: Left, found: Matched): Left {
  const places = [
    ({ place }: MaskFile) => place,
    ({ around }: MaskFile) => around,
    ({ parts }: MaskFile) => parts,
  ]
  return places.reduce(
    (rest, placeOf) => pairUp(rest, (file) => `${placeOf(file)}\n${unpadded(file.keys[2] ?? '')}`, found),
    left,
  )
}

const unpadded = (key: string): string => key.replace(/(?<!\d)0+(?=\d)/g, '')

const isEmptyKey = (key: string): boolean => key.endsWith('\n')

/** `x_mask_1`, `x_mask_2`: more of the same beside `x`, or beside `x_mask`. */
function joinMany(all: readonly MaskFile[], { images, labels }: Left, found: Matched): Left {
  const byName = groupBy(all, (image) => `${image.place}\n${image.keys[1]}`)
  const used = new Set<MaskFile>()
  for (const label of labels) {
    const [base = '', words = ''] = label.keys.slice(1)
    const candidates = [base, ...[base, words].map((key) => key.replace(/[\s_.-]?\(?\d+\)?$/, ''))]
    const meant = candidates.map((key) => byName.get(`${label.place}\n${key}`) ?? [])
    const [image, ...others] = meant.find((some) => some.length > 0) ?? []
    if (!image || others.length > 0) continue
    used.add(label)
    found.set(image.path, [...(found.get(image.path) ?? []), label.path])
  }
  return without({ images: images.filter(({ path }) => !found.has(path)), labels }, used)
}

/** All masks that lie in one case's folder with one picture alone are of it: a mask a nucleus, or `imaging` beside `segmentation`. */
function joinOnly({ images, labels }: Left, found: Matched): void {
  const placed = groupBy(labels, (file) => file.around)
  for (const [place, [image, ...others]] of groupBy(images, (file) => file.around)) {
    const own = placed.get(place) ?? []
    if (!image || others.length > 0 || own.length === 0) continue
    const isCase =
      /\d[^/]*$/.test(place) || (isUncounted(image) && own.length === 1 && own.every(isUncounted))
    if (!isCase) continue
    found.set(
      image.path,
      own.map(({ path }) => path),
    )
  }
}

/** Called after what it is alone: a number would say which picture it is. */
const isUncounted = ({ side, keys }: MaskFile): boolean => side !== 'image' && !/\d/.test(keys[0] ?? '')

/** `20586908_mask` and `20586908_6c613a_MG_R_CC`: the mask has the first words of the picture's name alone. */
function pairByStart({ images, labels }: Left, found: Matched): void {
  const starts = groupBy(labels, (file) => `${file.parts}\n${file.keys[2]}`)
  const meant = new Map<string, MaskFile[]>()
  for (const image of images) {
    const words = (image.keys[2] ?? '').split('_')
    for (let count = words.length; count > 0; count -= 1) {
      const key = `${image.parts}\n${words.slice(0, count).join('_')}`
      if (!starts.has(key) || !/\d/.test(key)) continue
      const known = meant.get(key)
      if (known) known.push(image)
      else meant.set(key, [image])
      break
    }
  }
  for (const [key, [image, ...others]] of meant) {
    const [label, ...more] = starts.get(key) ?? []
    if (image && label && others.length + more.length === 0) found.set(image.path, [label.path])
  }
}

const without = ({ images, labels }: Left, used: ReadonlySet<MaskFile>): Left => ({
  images: images.filter((file) => !used.has(file)),
  labels: labels.filter((file) => !used.has(file)),
})

function groupBy(files: readonly MaskFile[], keyOf: (file: MaskFile) => string): Map<string, MaskFile[]> {
  const groups = new Map<string, MaskFile[]>()
  for (const file of files) {
    const key = keyOf(file)
    const group = groups.get(key)
    if (group) group.push(file)
    else groups.set(key, [file])
  }
  return groups
}
