/** Which extensions make a picture, a volume, a video … : one list for what the server filters and what pages draw. */
import type { FileFilter } from './files.ts'

export type FileKind = Exclude<FileFilter, 'all' | 'folder'>

/** Lower case, without dot. */
export const kindExtensions: Readonly<Record<FileKind, readonly string[]>> = {
  image: [
    'png',
    'jpg',
    'jpeg',
    'jfif',
    'gif',
    'webp',
    'bmp',
    'tif',
    'tiff',
    'svg',
    'heic',
    'avif',
    ...['jp2', 'j2k', 'psd', 'psb', 'ppm', 'pgm', 'pbm', 'pnm'],
  ],
  volume: [
    'dcm',
    'dicom',
    'ima',
    'nii',
    'hdr',
    'img',
    'nrrd',
    'nhdr',
    'mha',
    'mhd',
    'mgh',
    'mgz',
    'mnc',
    'par',
    'rec',
    'npy',
  ],
  video: ['mp4', 'm4v', 'mov', 'avi', 'mkv', 'webm', 'mpg', 'mpeg', 'wmv', 'ogv'],
  document: [
    ...['pdf', 'doc', 'docx', 'odt', 'rtf', 'txt', 'md', 'log', 'html', 'htm', 'xml'],
    ...['xls', 'xlsx', 'ods', 'csv', 'tsv', 'json', 'yaml', 'yml', 'ppt', 'pptx', 'odp'],
  ],
  archive: ['zip', 'tar', 'tgz', 'gz', 'bz2', 'xz', '7z', 'rar', 'zst'],
}

/** Two endings that are one: what is packed here is an image. */
export const packedVolume = { type: 'gz', ending: '.nii.gz' } as const

const kinds = new Map<string, FileKind>()
for (const kind of ['image', 'volume', 'video', 'document', 'archive'] as const) {
  for (const extension of kindExtensions[kind]) kinds.set(extension, kind)
}

/** Null for extensions of no kind. */
export function kindOf({ name, type }: { name: string; type: string }): FileKind | null {
  if (name.toLowerCase().endsWith(packedVolume.ending)) return 'volume'
  return kinds.get(type) ?? null
}
