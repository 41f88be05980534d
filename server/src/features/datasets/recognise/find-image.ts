/** Finds the image that a table, a list or a text means: by its path, its name, or its name without extension. */
import { folderOf, stemOf } from './folder-names.ts'

export type FindImage = {
  /** Null where there is none, or where several could be meant. */
  (name: string): string | null
  fitsSeveral: (name: string) => boolean
  /**
   * Of a list that names all of these: where it calls a folder of an image by its name, another folder's name beside the
   * same file means an image that is not there.
   */
  among: (names: Iterable<string>) => FindImage
}

/** Why a name leads to no image. */
export const lackOf = (
  name: string,
  { fitsSeveral }: Pick<FindImage, 'fitsSeveral'>,
): 'image_ambiguous' | 'image_missing' => (fitsSeveral(name) ? 'image_ambiguous' : 'image_missing')

/**
 * The longest end of the given path that one image alone has, with its extension or without: what stands in front of it
 * is often the folder of another computer. A folder that is here, and that the image does not lie in, means another image.
 */
export function imageFinder(images: readonly string[]): FindImage {
  const ends = endsIn(images)
  const numbers = numbersOf(images)
  const finder = (told: ReadonlySet<string>): FindImage => {
    const search = (name: string): string | typeof SEVERAL | null => {
      const decoded = decodedName(name)
      const found = searchEnds(name, ends, told)
      if (typeof found === 'string') return found
      const other = decoded === name ? null : searchEnds(decoded, ends, told)
      return typeof other === 'string' ? other : (numbers.get(numberOf(name)) ?? found ?? other)
    }
    const find = (name: string): string | null => {
      const found = search(name)
      return typeof found === 'string' ? found : null
    }
    return Object.assign(find, {
      fitsSeveral: (name: string) => search(name) === SEVERAL,
      among: (names: Iterable<string>) => finder(foldersTold(names)),
    })
  }
  return finder(new Set())
}

const SEVERAL = Symbol('several')

type Ends = {
  /** Of whole names, and of names without extension; null stands for several images. */
  wholes: Map<string, string | null>
  bares: Map<string, string | null>
  /** Names of all folders. */
  folders: Set<string>
}

function endsIn(images: readonly string[]): Ends {
  const [wholes, bares] = [new Map<string, string | null>(), new Map<string, string | null>()]
  const folders = new Set<string>()
  for (const path of images) {
    const parts = keyOf(path).split('/')
    for (const folder of parts.slice(0, -1)) folders.add(folder)
    for (const end of endsOf(parts)) note(wholes, end, path)
    for (const end of endsOf(bareOf(parts))) note(bares, end, path)
    const decoded = keyOf(decodedName(path)).split('/')
    if (decoded.join('/') === parts.join('/')) continue
    for (const end of endsOf(decoded)) note(wholes, end, path)
    for (const end of endsOf(bareOf(decoded))) note(bares, end, path)
  }
  return { wholes, bares, folders }
}

function searchEnds(
  name: string,
  { wholes, bares, folders }: Ends,
  told: ReadonlySet<string>,
): string | typeof SEVERAL | null {
  const parts = keyOf(cleaned(name)).split('/')
  const bare = bareOf(parts)
  for (let start = 0; start < parts.length; start += 1) {
    const whole = wholes.get(parts.slice(start).join('/'))
    const stem = bares.get(bare.slice(start).join('/'))
    const found = typeof whole === 'string' ? whole : stem
    if (typeof found === 'string') return isElsewhere(found, { parts, start, folders, told }) ? null : found
    // Several end like that, and none of them like more of what was given.
    if (whole === null || stem === null) return SEVERAL
  }
  return null
}

type Match = { parts: readonly string[]; start: number; folders: Ends['folders']; told: ReadonlySet<string> }

/** What stood in front of the end that was found says that another image is meant. */
function isElsewhere(found: string, { parts, start, folders, told }: Match): boolean {
  if (start === 0) return false
  const own = keyOf(found).split('/')
  const height = parts.length - start
  const above = own[own.length - height - 1]
  return (
    parts.slice(0, start).some((folder) => folders.has(folder) && !own.includes(folder)) ||
    (above !== undefined && above !== parts[start - 1] && told.has(`${height} ${above}`))
  )
}

/** Folders that names give, with how far each lies above the file. */
function foldersTold(names: Iterable<string>): Set<string> {
  const told = new Set<string>()
  for (const name of names) {
    const parts = keyOf(cleaned(name)).split('/')
    for (const [at, folder] of parts.slice(0, -1).entries()) told.add(`${parts.length - 1 - at} ${folder}`)
  }
  return told
}

/** Spreadsheets make `7` of `007`: images that are called by numbers alone, where each of these is of one image. */
function numbersOf(images: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const stems = images.map((path) => stemOf(path.slice(path.lastIndexOf('/') + 1)))
  const padded = images.filter((_, index) => /^0\d+$/.test(stems[index] ?? ''))
  if (padded.length === 0) return found
  for (const [index, path] of images.entries()) {
    const number = numberOf(stems[index] ?? '')
    if (number === '') continue
    // Two images of one number: nothing tells which of them is meant anywhere.
    if (found.has(number)) return new Map()
    found.set(number, path)
  }
  return found
}

/** `007`, `7` and `7.0` are one number; '' for what is none. */
const numberOf = (name: string): string => {
  const [, digits] = name.includes('/') ? [] : (/^0*(\d+?)(?:\.0+)?$/.exec(stemOf(name.trim())) ?? [])
  return digits ?? ''
}

/** As addresses write it: `cell%20%281%29.png`. What is no such writing stays as it is. */
function decodedName(name: string): string {
  if (!/%[\da-f]{2}/i.test(name)) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** All images below the one folder whose path ends like that; none where several folders do. */
export function folderFinder(images: readonly string[]): (name: string) => readonly string[] {
  const folders = new Map<string, { path: string; images: string[] } | null>()
  const within = new Map<string, string[]>()
  for (const path of images) {
    const parts = path.split('/').slice(0, -1)
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/')
      const known = within.get(folder)
      if (known) known.push(path)
      else within.set(folder, [path])
    }
  }
  for (const [path, inside] of within) {
    for (const end of endsOf(keyOf(path).split('/'))) {
      folders.set(end, folders.has(end) ? null : { path, images: inside })
    }
  }
  return (name) => {
    const parts = keyOf(cleaned(name).replace(/\/+$/, '')).split('/')
    for (let start = 0; start < parts.length; start += 1) {
      const found = folders.get(parts.slice(start).join('/'))
      if (found !== undefined) return found?.images ?? []
    }
    return []
  }
}

export type Finders = { image: FindImage; folder: (name: string) => readonly string[] }

/** For the table at this path: one that lies in a folder of images among others means the images of its own. */
export function findersFor(images: readonly string[]): (path: string) => Finders {
  const known = new Map<string, Finders>()
  return (path) => {
    const at = folderOf(path)
    const own = at === '' ? images : images.filter((image) => image.startsWith(`${at}/`))
    const isApart = own.length > 0 && own.length < images.length
    const key = isApart ? at : ''
    const meant = isApart ? own : images
    const finders = known.get(key) ?? { image: imageFinder(meant), folder: folderFinder(meant) }
    known.set(key, finders)
    return finders
  }
}

/** Null stands for several. */
function note(ends: Map<string, string | null>, end: string, path: string): void {
  const known = ends.get(end)
  if (known === undefined) ends.set(end, path)
  else if (known !== path) ends.set(end, null)
}

const endsOf = (parts: readonly string[]): string[] => parts.map((_, start) => parts.slice(start).join('/'))

const bareOf = (parts: readonly string[]): string[] => [...parts.slice(0, -1), stemOf(parts.at(-1) ?? '')]

const cleaned = (name: string): string =>
  name
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)+/, '')

/** Systems write the same letters in different ways, and Windows does not tell large ones from small ones. */
const keyOf = (text: string): string => text.normalize('NFC').toLowerCase()
