/** What each file of a folder is by its name: picture or mask, of which role, and what has to be equal for two to belong together. */
import { folderOf, stemOf } from '../folder-names.ts'
import { isImageToken, isLabelToken, partsIn, tokensOf } from './words.ts'

export type MaskFile = {
  path: string
  side: 'image' | 'label' | null
  /** What the masks of one kind are called: `1st_manual`, `_lesion`, `masks/heart`. Of pictures what tells several of one case apart. */
  role: string
  /** The folder with the role taken out. */
  place: string
  /** The same without what else the folder of the role says. */
  around: string
  /** Parts (train, test) that its folders are named after. */
  parts: string
  /** What its partner may share with it, from the whole name to what is left after everything common is taken off. */
  keys: string[]
}

type Named = { path: string; segments: string[]; stem: string }
type Cut = { base: string; suffix: string }

export function describe(paths: readonly string[]): MaskFile[] {
  const named = paths.map(nameOf)
  const shared = sharedSegments(named)
  const inside = named.map((one) => withReferences({ ...one, segments: one.segments.slice(shared) }))
  const cuts = cutsOf(inside)
  const imageFolders = new Set(
    inside.flatMap((one) => (roleFolder(one.segments)?.side === 'label' ? [] : one.segments)),
  )
  const raw = inside.map((one, index) =>
    fileOf(one, cuts[index] ?? { base: one.stem, suffix: '' }, imageFolders),
  )
  return withStripped(raw)
}

const nameOf = (path: string): Named => ({
  path,
  segments: folderOf(path) === '' ? [] : folderOf(path).split('/'),
  stem: stemOf(path),
})

/** Folders around everything say nothing of a single file. */
function sharedSegments(named: readonly Named[]): number {
  const [first] = named
  if (!first) return 0
  let count = 0
  while (count < first.segments.length && named.every((one) => one.segments[count] === first.segments[count]))
    count += 1
  return count
}

/** `IMD003/IMD003_lesion/IMD003_lesion` → `IMD003/@_lesion/@_lesion`: a case's own name is no part of a role. */
function withReferences({ path, segments, stem }: Named): Named {
  const cases: string[] = []
  const refer = (name: string): string => {
    let text = name
    for (const one of cases) {
      const at = text.toLowerCase().indexOf(one.toLowerCase())
      if (at >= 0 && !/\d/.test(text[at + one.length] ?? ''))
        text = `${text.slice(0, at)}@${text.slice(at + one.length)}`
    }
    return text
  }
  const referred = segments.map((segment) => {
    const text = refer(segment)
    const isRole = tokensOf(segment).some((token) => isLabelToken(token) || isImageToken(token))
    if (segment.length > 2 && /\d/.test(segment) && !text.includes('@') && !isRole) cases.unshift(segment)
    return text
  })
  return { path, segments: referred, stem: refer(stem) }
}

/** Where names of one folder are cut into what several share and what tells them apart: `im0001` + `.ah`. */
function cutsOf(named: readonly Named[]): Cut[] {
  const suffixes = new Map<string, Set<string>>()
  const keyOf = (segments: readonly string[], base: string): string =>
    `${segments.join('/')}\n${base.toLowerCase()}`
  for (const { segments, stem } of named) {
    for (const { base, suffix } of waysToCut(stem)) {
      const key = keyOf(segments, base)
      suffixes.set(key, (suffixes.get(key) ?? new Set()).add(suffix))
    }
  }
  const bases = new Map<string, number>()
  for (const own of suffixes.values())
    if (own.size > 1) for (const suffix of own) bases.set(suffix, (bases.get(suffix) ?? 0) + 1)
  return named.map(({ segments, stem }) => {
    let best: Cut & { count: number } = { base: stem, suffix: '', count: 0 }
    for (const way of waysToCut(stem)) {
      const beside = suffixes.get(keyOf(segments, way.base))
      const count = (beside?.size ?? 0) > 1 ? (bases.get(way.suffix) ?? 0) : 0
      const isMask = beside?.has('') && tokensOf(way.suffix).some(isLabelToken)
      const isClear = count > 1 || (count === 1 && isMask)
      if (isClear && count > best.count) best = { ...way, count }
    }
    return { base: best.base, suffix: best.suffix }
  })
}

/** Longest base first. What only counts (`_1`, ` (2)`) tells nothing apart, but channels do (`_0000`). */
function waysToCut(stem: string): Cut[] {
  const places = [...stem.matchAll(/(?<=[^\s_.-])[\s_.-]+(?=[^\s_.-])/g)].map(({ index }) => index).reverse()
  const cuts = [stem.length, ...places].map((at) => ({
    base: stem.slice(0, at),
    suffix: stem.slice(at).toLowerCase(),
  }))
  return cuts.filter(({ suffix }) => suffix === '' || /\p{L}/u.test(suffix) || /^_000\d$/.test(suffix))
}

/** The innermost folder that says masks, else the innermost that says pictures. */
function roleFolder(segments: readonly string[]): { side: 'image' | 'label'; at: number } | null {
  const label = segments.findLastIndex((segment) => tokensOf(segment).some(isLabelToken))
  if (label >= 0) return { side: 'label', at: label }
  const image = segments.findLastIndex((segment) => tokensOf(segment).some(isImageToken))
  return image >= 0 ? { side: 'image', at: image } : null
}

function fileOf(named: Named, cut: Cut, imageFolders: ReadonlySet<string>): MaskFile {
  const { path, segments, stem } = named
  const folder = roleFolder(segments)
  const says = (name: string): boolean => tokensOf(name).some(isLabelToken)
  // In a folder of pictures a name alone makes no mask: only beside the picture that it is of.
  const isMarked = says(cut.suffix) || (folder === null && says(stem))
  const side = isMarked ? 'label' : (folder?.side ?? null)
  const kept = segments.filter((segment, at) => at > (folder?.at ?? -1) && isCase(segment, imageFolders))
  const kinds =
    folder === null ? [] : segments.slice(folder.at).filter((segment) => !isCase(segment, imageFolders))
  const inName = cut.suffix === '' && folder === null ? markOf(stem) : cut.suffix.replace(/^[\s_.-]+/, '')
  const before = folder === null ? segments : segments.slice(0, folder.at)
  return {
    path,
    side,
    role: roleOf([...(side === 'label' ? kinds : []), inName]),
    place: [...before, restOf(segments[folder?.at ?? -1] ?? ''), ...kept].join('/').toLowerCase(),
    around: [...before, ...kept].join('/').toLowerCase(),
    parts: partsIn(segments),
    keys: keysOf(stem, cut.base),
  }
}

/** Each thing once: `IMD003_lesion/IMD003_lesion` is `lesion`. */
function roleOf(parts: readonly string[]): string {
  const names = parts.map((part) => part.replaceAll('@', '').replace(/^[\s_.-]+|[\s_.-]+$/g, ''))
  const isTold = (name: string, at: number): boolean => {
    const told = names.slice(0, at).flatMap(tokensOf)
    return tokensOf(name).every((token) => told.includes(token) || told.includes(`${token}s`))
  }
  return names.filter((name, at) => !isTold(name, at)).join('/')
}

/** Below folders of masks: what stands below folders of pictures too, or counts, is a case or a part and no kind of mask. */
const isCase = (segment: string, imageFolders: ReadonlySet<string>): boolean =>
  !tokensOf(segment).some(isLabelToken) &&
  (imageFolders.has(segment) || partsIn([segment]) !== '' || /^[^\s.]*\d[^\s]*$/.test(segment))

/** `train_images` → `train`. */
const restOf = (segment: string): string =>
  tokensOf(segment)
    .filter((token) => !isLabelToken(token) && !isImageToken(token))
    .join('_')

const markOf = (stem: string): string => tokensOf(stem).filter(isLabelToken).join('_')

function keysOf(stem: string, base: string): string[] {
  const words = wordsOf(stem)
  return [stem.toLowerCase(), base.toLowerCase(), wordsOf(base), words, words.replace(/_0000$/, '')]
}

/** Without those that say a side, unless nothing else is there. */
function wordsOf(name: string): string {
  const words = tokensOf(name).filter((token) => !isLabelToken(token) && !isImageToken(token))
  return words.length === 0 ? name.toLowerCase() : words.join('_')
}

/** Adds what is left of each name when what all names of its folder begin and end with is taken off. */
function withStripped(files: MaskFile[]): MaskFile[] {
  const groups = new Map<string, MaskFile[]>()
  for (const file of files) {
    const group = `${file.side} ${file.role} ${file.place.replace(/\d+/g, '#')}`
    const known = groups.get(group)
    if (known) known.push(file)
    else groups.set(group, [file])
  }
  const stripped = new Map<string, string>()
  for (const group of groups.values()) {
    const names = group.map(({ keys }) => tokensOf(keys[2] ?? ''))
    const start = sharedStart(names)
    const end = sharedStart(names.map((name) => name.slice(start).toReversed()))
    group.forEach(({ path }, index) => {
      const name = names[index] ?? []
      stripped.set(path, name.slice(start, name.length - end).join('_'))
    })
  }
  return files.map((file) => ({ ...file, keys: [...file.keys, stripped.get(file.path) ?? ''] }))
}

/** At least one token of each is left. */
function sharedStart(names: readonly (readonly string[])[]): number {
  const [first] = names
  if (!first || names.length < 2) return 0
  const most = Math.min(...names.map((name) => name.length)) - 1
  let count = 0
  while (count < most && names.every((name) => name[count] === first[count])) count += 1
  return count
}
