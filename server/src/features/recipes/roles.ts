/** What files of a folder are to a recipe, by their names alone. */
import { imageExtensions } from '@neuroloom/contract/engine'
import { isHiddenPath } from '@neuroloom/contract/names/archive-names'

const pictures: ReadonlySet<string> = new Set(imageExtensions)
const labels: ReadonlySet<string> = new Set(['txt', 'xml', 'json', 'csv', 'tsv', 'xlsx'])

/** What systems leave by themselves is nothing; of DICOM names tell too little (`dicom.ts`). */
export function roleOf(path: string): 'image' | 'labels' | 'other' {
  if (isHiddenPath(path)) return 'other'
  const name = path.slice(path.lastIndexOf('/') + 1)
  const ending = endingOf(name)
  if (pictures.has(ending) || isVolume(name)) return 'image'
  return labels.has(ending) ? 'labels' : 'other'
}

export const isVolume = (name: string): boolean => /\.(nii(\.gz)?|nrrd)$/i.test(name)
export const isPaged = (name: string): boolean => /^(tiff?|gif|webp|png)$/.test(endingOf(name))
export const isPicture = (name: string): boolean => pictures.has(endingOf(name))
export const isTable = (name: string): boolean => /^(csv|tsv)$/.test(endingOf(name))

/** Pictures and their masks have the same one. */
export const stemOf = (path: string): string => path.replace(/\.nii\.gz$/i, '').replace(/\.[^./]*$/, '')
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const folderOf = (path: string): string[] => path.split('/').slice(0, -1)

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase()

/** Below one of the folders; '' stands for all. */
export const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => folder === '' || path.startsWith(`${folder}/`))
