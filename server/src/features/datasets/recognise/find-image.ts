/** Finds the image that a table, a list or a text means: by its path, its name, or its name without extension. */
import { stemOf } from './folder-names.ts'

/** Null where there is none, or where several could be meant. */
export type FindImage = (name: string) => string | null

/**
 * The longest end of the given path that one image alone has, with its extension or without: what stands in front of it
 * is often the folder of another computer.
 */
export function imageFinder(images: readonly string[]): FindImage {
  const wholes = new Map<string, string | null>()
  const bares = new Map<string, string | null>()
  for (const path of images) {
    const parts = keyOf(path).split('/')
    for (const end of endsOf(parts)) note(wholes, end, path)
    for (const end of endsOf(bareOf(parts))) note(bares, end, path)
    const decoded = keyOf(decodedName(path)).split('/')
    if (decoded.join('/') === parts.join('/')) continue
    for (const end of endsOf(decoded)) note(wholes, end, path)
    for (const end of endsOf(bareOf(decoded))) note(bares, end, path)
  }
  const find: FindImage = (name) => {
    const parts = keyOf(cleaned(name)).split('/')
    const bare = bareOf(parts)
    for (let start = 0; start < parts.length; start += 1) {
      const whole = wholes.get(parts.slice(start).join('/'))
      if (typeof whole === 'string') return whole
      const stem = bares.get(bare.slice(start).join('/'))
      if (typeof stem === 'string') return stem
      // Several end like that, and none of them like more of what was given.
      if (whole === null || stem === null) return null
    }
    return null
  }
  const numbers = numbersOf(images)
  return (name) => {
    const decoded = decodedName(name)
    return find(name) ?? (decoded === name ? null : find(decoded)) ?? numbers.get(numberOf(name)) ?? null
  }
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
