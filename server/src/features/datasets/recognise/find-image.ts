/** Finds the image that a table, a list or a text means: by its path, its name, or its name without extension. */
import { baseOf, folderOf, stemOf } from './folder-names.ts'

/** Null where there is none, or where several could be meant. */
export type FindImage = (name: string) => string | null

export function imageFinder(images: readonly string[]): FindImage {
  const byStem = new Map<string, string[]>()
  for (const path of images) {
    const key = keyOf(stemOf(path))
    const known = byStem.get(key)
    if (known) known.push(path)
    else byStem.set(key, [path])
  }
  return (name) => {
    const meant = name
      .trim()
      .replaceAll('\\', '/')
      .replace(/^\.?\//, '')
    const candidates = byStem.get(keyOf(stemOf(meant))) ?? []
    const [only, ...others] = candidates
    if (only === undefined || others.length === 0) return only ?? null
    return narrowed(candidates, meant)
  }
}

/** The same stem in several folders or with several extensions: as much of the path as was given has to fit. */
function narrowed(candidates: string[], meant: string): string | null {
  const wholes = candidates.filter((path) => endsIn(keyOf(path), keyOf(meant)))
  if (wholes.length === 1) return wholes[0] ?? null
  const bare = keyOf(withoutExtension(meant))
  const stems = candidates.filter((path) => endsIn(keyOf(withoutExtension(path)), bare))
  return stems.length === 1 ? (stems[0] ?? null) : null
}

const endsIn = (path: string, end: string): boolean => path === end || path.endsWith(`/${end}`)

function withoutExtension(path: string): string {
  const folder = folderOf(path)
  return folder === '' ? stemOf(baseOf(path)) : `${folder}/${stemOf(path)}`
}

/** Systems write the same letters in different ways, and Windows does not tell large ones from small ones. */
const keyOf = (text: string): string => text.normalize('NFC').toLowerCase()
