/** A DICOM series of a folder, shown as one. */
export type FolderSeries = {
  uid: string
  /** Its middle file. */
  id: string
  files: number
  sizeBytes: number
  description: string
  modifiedAt: Date
  /** By which it is sorted, before its number; all of them text. */
  keys: string[]
}

/** Those of a page, after the one with which the page before ended. */
export function seriesAfter(
  series: readonly FolderSeries[],
  last: readonly string[] | null,
  descending: boolean,
): FolderSeries[] {
  if (last === null) return [...series]
  return series.filter(({ keys }) => (descending ? order(keys, last) < 0 : order(keys, last) > 0))
}

export function order(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((key, index) => key !== other[index])
  if (at < 0) return 0
  return (one[at] ?? '') < (other[at] ?? '') ? -1 : 1
}
