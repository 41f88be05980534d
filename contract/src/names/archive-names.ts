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
  /^(\.DS_Store|\._.*|Thumbs\.db|ehthumbs\.db|desktop\.ini|\.Spotlight-V100|\.Trashes|\.fseventsd)$/i

export const isClutter = (path: string): boolean =>
  /(^|\/)(__MACOSX|\.Spotlight-V100|\.Trashes|\.fseventsd)\//.test(path) ||
  clutter.test(path.slice(path.lastIndexOf('/') + 1))
