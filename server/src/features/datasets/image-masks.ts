/** Images with masks: folders side by side (`images` + `masks`), or `x.png` beside `x_mask.png`. Names only. */
import { commonStem, folderRole, isMarkedMask, type Role, stemOf } from './folder-names.ts'
import type { ImagesMasks, NoLayout } from './shapes.ts'

type Pair = ImagesMasks['pairs'][number]
type Sorted = { images: Keyed[]; masks: Keyed[]; stray: string[] }
/** `place` is equal for an image and its mask: the folder with the role taken out of its name. */
type Keyed = { path: string; place: string }

/** Null when nothing speaks for masks. */
export function maskLayout(paths: readonly string[]): ImagesMasks | NoLayout | null {
  const sorted = sortByFolder(paths) ?? sortByName(paths)
  return sorted ? pairUp(sorted) : null
}

/** By folder names, wherever folders of both roles stand side by side. */
function sortByFolder(paths: readonly string[]): Sorted | null {
  const parents = findPairParents(paths)
  if (parents.size === 0) return null
  const sorted: Sorted = { images: [], masks: [], stray: [] }
  for (const path of paths) {
    const found = placeOf(path, parents)
    if (!found) sorted.stray.push(path)
    else sorted[found.role === 'image' ? 'images' : 'masks'].push({ path, place: found.place })
  }
  return sorted
}

/** Folders that have both an image folder and a mask folder of the same remaining name as children. */
function findPairParents(paths: readonly string[]): Set<string> {
  const seen = new Map<string, Set<Role>>()
  const parents = new Set<string>()
  for (const folder of new Set(paths.map(folderOf))) {
    const parts = folder.split('/')
    parts.forEach((part, depth) => {
      const found = folderRole(part)
      if (!found) return
      const parent = parts.slice(0, depth).join('/')
      const key = `${parent}\n${found.rest}`
      const roles = (seen.get(key) ?? new Set<Role>()).add(found.role)
      seen.set(key, roles)
      if (roles.size === 2) parents.add(parent)
    })
  }
  return parents
}

/** The outermost fitting folder decides, so that every path has one role. */
function placeOf(path: string, parents: Set<string>): { role: Role; place: string } | null {
  const parts = path.split('/').slice(0, -1)
  for (let depth = 0; depth < parts.length; depth += 1) {
    const found = parents.has(parts.slice(0, depth).join('/')) ? folderRole(parts[depth] ?? '') : null
    if (!found) continue
    const place = [...parts.slice(0, depth), `*${found.rest}`, ...parts.slice(depth + 1)].join('/')
    return { role: found.role, place }
  }
  return null
}

/** By file names in one folder; only where at least half of the unmarked pictures have a partner. */
function sortByName(paths: readonly string[]): Sorted | null {
  const keyed = paths.map((path) => ({ path, place: folderOf(path) }))
  const masks = keyed.filter(({ path }) => isMarkedMask(path))
  const images = keyed.filter(({ path }) => !isMarkedMask(path))
  const stems = new Set(masks.map((mask) => keyOf(mask, commonStem)))
  const partnered = images.filter((image) => stems.has(keyOf(image, commonStem)))
  const enough = partnered.length > 0 && partnered.length * 2 >= images.length
  return enough ? { images, masks, stray: [] } : null
}

function pairUp({ images, masks, stray }: Sorted): ImagesMasks | NoLayout {
  const exact = match(images, masks, stemOf)
  // Words such as `_mask` are taken out only for what is left, so that they never steal an exact partner.
  const loose = match(exact.images, exact.masks, commonStem)
  const pairs = [...exact.pairs, ...loose.pairs]
  if (pairs.length === 0) return { layout: null, failure: 'nothing_matches' }
  return {
    layout: 'images_masks',
    pairs: pairs.sort((left, right) => (left.image < right.image ? -1 : 1)),
    imagesAlone: loose.images.map(({ path }) => path),
    masksAlone: loose.masks.map(({ path }) => path),
    stray,
  }
}

/** A name that several files share pairs nothing: a wrong mask would be worse than a missing one. */
function match(images: Keyed[], masks: Keyed[], stem: (path: string) => string) {
  const imagesByKey = groupBy(images, (image) => keyOf(image, stem))
  const masksByKey = groupBy(masks, (mask) => keyOf(mask, stem))
  const pairs: Pair[] = []
  const used = new Set<Keyed>()
  for (const [key, [image, ...moreImages]] of imagesByKey) {
    const [mask, ...moreMasks] = masksByKey.get(key) ?? []
    if (!image || !mask || moreImages.length > 0 || moreMasks.length > 0) continue
    used.add(image).add(mask)
    pairs.push({ image: image.path, mask: mask.path })
  }
  const unused = (keyed: Keyed): boolean => !used.has(keyed)
  return { pairs, images: images.filter(unused), masks: masks.filter(unused) }
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

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))
