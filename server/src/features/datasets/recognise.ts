/** Finds out from names alone how a folder is laid out: a folder a class, or images with masks. */
import { classLayout } from './class-folders.ts'
import { isImageName } from './folder-names.ts'
import { maskLayout } from './image-masks.ts'
import type { ClassFolders, ImagesMasks, NoLayout } from './shapes.ts'

export type Layout = ClassFolders | ImagesMasks | NoLayout

/** Paths of files below the folder, with slashes; `emptyFolders` are those with nothing in them. */
export function recognise(paths: readonly string[], emptyFolders: readonly string[] = []): Layout {
  if (paths.length === 0) return { layout: null, failure: 'empty_folder' }
  const images = paths.filter(isImageName).sort(byName)
  if (images.length === 0) return { layout: null, failure: 'no_images' }
  return maskLayout(images) ?? classLayout(images, emptyFolders)
}

const byName = (left: string, right: string): number => {
  if (left === right) return 0
  return left < right ? -1 : 1
}
