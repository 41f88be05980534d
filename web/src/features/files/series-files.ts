import type { Entry } from '@neuroloom/contract/files'
import { call } from '../../lib/api.ts'

/** What an entry is called: a series by its own name, where it has one. */
export const nameOf = ({ name, series }: Pick<Entry, 'name' | 'series'>): string =>
  series?.description || name

/** The files that entries stand for: of a series all of them. What is refused is told by the call. */
export async function filesOf(entries: readonly Entry[]): Promise<Entry[]> {
  const parts = entries.map(async (entry) =>
    entry.series ? (await call('files/seriesFiles', { id: entry.id })).entries : [entry],
  )
  return (await Promise.all(parts)).flat()
}

/** Does something with them, at once where nothing has to be asked for. */
export function withFiles(entries: readonly Entry[], then: (files: Entry[]) => void): void {
  if (!entries.some(({ series }) => series)) then([...entries])
  else filesOf(entries).then(then, () => undefined)
}

/** How many files they are: of a folder those in it. */
export const countFiles = (entries: readonly Entry[]): number =>
  entries.reduce(
    (sum, { kind, fileCount, series }) => sum + (series?.files ?? (kind === 'file' ? 1 : fileCount)),
    0,
  )

const singlesKey = 'singleFiles'

/** Whether series are shown as their files, in this browser. */
export const storedSingles = (): boolean => localStorage.getItem(singlesKey) === 'yes'
export function storeSingles(areSingle: boolean): void {
  if (areSingle) localStorage.setItem(singlesKey, 'yes')
  else localStorage.removeItem(singlesKey)
}
