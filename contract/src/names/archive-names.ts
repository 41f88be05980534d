/** What the name of a file says about archives and clutter; small enough for every page. */

const archiveEndings = ['.zip', '.tar', '.tar.gz', '.tgz'] as const

/** The kind of archive that the server unpacks, by its name; null for any other file. */
export function archiveKind(name: string): 'zip' | 'tar' | 'tar.gz' | null {
  const ending = archiveEndings.find((one) => name.toLowerCase().endsWith(one))
  if (ending === undefined || name.length <= ending.length) return null
  if (ending === '.zip') return 'zip'
  return ending === '.tar' ? 'tar' : 'tar.gz'
}

/** Without the archive's ending: what its folder is called. */
export function archiveStem(name: string): string {
  const ending = archiveEndings.find((one) => name.toLowerCase().endsWith(one))
  return ending ? name.slice(0, -ending.length) : name
}

/** Files that operating systems leave in every folder and nobody means to keep. */
const clutter =
  /^(\.DS_Store|\._.*|Thumbs\.db|ehthumbs(_vista)?\.db|desktop\.ini|Icon\r|SYNOFILE_THUMB_.*|\.localized|\.VolumeIcon\.icns|\.apdisk)$/i

/** Folders that systems, network storages and notebooks keep for themselves: previews, bins, indexes, copies. */
const systemFolders: ReadonlySet<string> = new Set([
  ...['__macosx', '.spotlight-v100', '.trashes', '.trash', '.fseventsd', '.temporaryitems', '.appledouble'],
  ...['.documentrevisions-v100', '$recycle.bin', 'recycler', 'recycled', 'system volume information'],
  ...['found.000', 'lost+found', '@eadir', '#recycle', '#snapshot', '@recycle', '@recently-snapshot'],
  ...['.@__thumb', '.ipynb_checkpoints', '__pycache__', '.thumbnails', '.sync'],
])

const isSystemFolder = (name: string): boolean =>
  systemFolders.has(name.toLowerCase()) || /^\.trash-\d+$/i.test(name)

/** One list for all ways in: uploads, archives, data sets, predictions and recipes. */
export function isClutter(path: string): boolean {
  const parts = path.split('/')
  return parts.some(isSystemFolder) || clutter.test(parts.at(-1) ?? '')
}

/** Nobody's data: what systems leave, and whatever is hidden by a dot before its name. */
export const isHiddenPath = (path: string): boolean =>
  isClutter(path) || path.split('/').some((part) => part.startsWith('.'))
