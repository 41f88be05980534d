import { assembleClasses } from './assemble-classes.ts'
import { assembleMasks } from './assemble-masks.ts'
import type { Role } from './folder-names.ts'
import type { Assembled, ClassFolders, ImagesMasks, Look } from './shapes.ts'

/** Makes the data set out of a layout and what the engine found in the files: items, problems, classes, facts. */
export const assemble = (layout: ClassFolders | ImagesMasks, look: Look): Assembled =>
  layout.layout === 'class_folders' ? assembleClasses(layout, look) : assembleMasks(layout, look)

/** Every file that the engine must open, with what it is opened as. */
export function filesToCheck(layout: ClassFolders | ImagesMasks): { path: string; role: Role }[] {
  if (layout.layout === 'class_folders') return layout.items.map(({ path }) => ({ path, role: 'image' }))
  return layout.pairs.flatMap(({ image, mask }) => [
    { path: image, role: 'image' as const },
    { path: mask, role: 'mask' as const },
  ])
}
