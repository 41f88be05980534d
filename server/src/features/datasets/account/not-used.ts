/** Accounts for every file and page below the folder: used, named, or counted by its kind as not used. */
import type { DataFacts, Problem } from '@neuroloom/contract/datasets'
import { isHiddenPath } from '@neuroloom/contract/names/archive-names'
import type { Assembled, Look } from '../recognise/shapes.ts'

type Folder = {
  paths: readonly string[]
  /** What was opened as a picture or a volume. */
  checked: readonly string[]
  /** Tables and texts that were looked into. */
  read: ReadonlySet<string>
}
type Kinds = NonNullable<DataFacts['unused']>

/** Pictures, volumes and packed files of kinds that are not read here: whoever put them into the folder meant them. */
const unreadKinds: ReadonlySet<string> = new Set(
  (
    'heic heif avif jxl jp2 j2k jpx jpf jxr psd psb svg svgz xcf tga exr dng cr2 cr3 crw nef arw raf orf rw2 pef srw raw ' +
    'czi svs ndpi mrxs scn bif lif nd2 vsi oib oif lsm mp4 m4v mov avi mkv wmv webm mpg mpeg pdf doc docx ppt pptx ' +
    'nrrd nhdr mha mhd mgh mgz npy npz mat h5 hdf5 mnc par rec img hdr zip rar 7z tar tgz gz bz2 xz'
  ).split(' '),
)

/** The data set with what none of it was made of: names for pictures, sums for the rest. */
export function withAccount(found: Assembled, folder: Folder, look: Look): Assembled {
  const known = new Set([...found.problems.map(({ path }) => path), ...folder.checked, ...folder.read])
  const left = folder.paths.filter((path) => !known.has(path))
  const unread = unreadAmong(left)
  const named = new Set(unread.map(({ path }) => path))
  const kinds = kindsOf(left.filter((path) => !named.has(path)))
  return {
    ...found,
    problems: [...found.problems, ...pagesLeft(found, look), ...unread],
    facts: found.facts && { ...found.facts, ...(kinds.length > 0 ? { unused: kinds } : {}) },
  }
}

/** Of a folder of which nothing could be made: what was seen in it, and files of kinds that are not read. */
export const accountOfFailure = (paths: readonly string[]): Problem[] => {
  const kinds = kindsOf(paths).map(({ kind, files }) => `${files} × ${kind}`)
  const seen: Problem[] =
    kinds.length === 0 ? [] : [{ path: '.', reason: 'folder_holds', params: { kinds: kinds.join(', ') } }]
  return [...seen, ...unreadAmong(paths)]
}

const unreadAmong = (paths: readonly string[]): Problem[] =>
  paths.flatMap((path): Problem[] => {
    const kind = kindOf(path)
    if (isHiddenPath(path) || !unreadKinds.has(kind)) return []
    return [{ path, reason: 'kind_not_read', params: { kind: kind.toUpperCase() } }]
  })

/** A file of several pages, of which the first is learned from. */
function pagesLeft({ items }: Assembled, look: Look): Problem[] {
  const used = new Set(items.flatMap(({ image, label }) => (label === null ? [image] : [image, label])))
  return [...used].flatMap((path): Problem[] => {
    const { facts } = look.check(path)
    const pages = facts?.pages ?? 1
    return pages > 1 ? [{ path, reason: 'pages_not_used', params: { pages: pages - 1 } }] : []
  })
}

/** The most frequent first; what systems leave is one kind. */
function kindsOf(paths: readonly string[]): Kinds {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const kind = isHiddenPath(path) ? SYSTEM : kindOf(path)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts]
    .map(([kind, files]) => ({ kind, files }))
    .sort((one, other) => other.files - one.files || (one.kind < other.kind ? -1 : 1))
}

const SYSTEM = 'system'

/** The ending in small letters; '?' without. */
function kindOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (name.endsWith('.nii.gz')) return 'nii.gz'
  const dot = name.lastIndexOf('.')
  return dot > 0 && dot < name.length - 1 ? name.slice(dot + 1, dot + 1 + MOST_LETTERS) : '?'
}

const MOST_LETTERS = 12
