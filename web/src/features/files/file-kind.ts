import type { Entry } from '@neuroloom/contract/files'

const imageTypes = new Set('png jpg jpeg jfif bmp gif webp tif tiff'.split(' '))
/** Picture formats that no browser draws by itself. */
const undrawable = new Set(['tif', 'tiff'])

export const isImage = ({ kind, type }: Pick<Entry, 'kind' | 'type'>): boolean =>
  kind === 'file' && imageTypes.has(type)

export const isDrawable = ({ type }: Pick<Entry, 'type'>): boolean => !undrawable.has(type)
