import type { FileRole } from '@neuroloom/contract/engine'
import { assembleClasses, assembleTable } from './assemble-classes.ts'
import { assembleRestored } from './assemble-restored.ts'
import { assembleBoxes } from './boxes/assemble.ts'
import { assembleMasks } from './masks/assemble.ts'
import type { Assembled, Layout, Look } from './shapes.ts'

/** Makes the data set out of a layout and what the engine found in the files: items, problems, classes, facts. */
export function assemble(layout: Layout, look: Look): Assembled {
  switch (layout.layout) {
    case 'class_folders':
      return assembleClasses(layout, look)
    case 'csv_labels':
    case 'name_classes':
      return assembleTable(layout, look)
    case 'voc':
    case 'coco':
    case 'yolo':
    case 'labelme':
    case 'cvat':
    case 'csv_boxes':
      return assembleBoxes(layout, look)
    case 'images_masks':
    case 'volume_pairs':
      return assembleMasks(layout, look)
    case 'resolution_pairs':
    case 'noise_pairs':
      return assembleRestored(layout, look)
  }
}

/** Every file that the engine must open, with what it is opened as. */
export function filesToCheck(layout: Layout): { path: string; role: FileRole }[] {
  if (!('pairs' in layout)) return layout.items.map(({ path }) => ({ path, role: 'image' }))
  const [role, labelRole] = rolesOf(layout.layout)
  return layout.pairs.flatMap(({ image, label, mix, region, drawn }) => [
    { path: image, role },
    ...[...(drawn ? [] : (mix?.paths ?? [label])), ...(region === undefined ? [] : [region])].map((path) => ({
      ...{ path, role: labelRole },
    })),
  ])
}

function rolesOf(layout: Extract<Layout, { pairs: unknown }>['layout']): [FileRole, FileRole] {
  switch (layout) {
    case 'images_masks':
      return ['image', 'mask']
    case 'volume_pairs':
      return ['volume', 'volume_mask']
    case 'resolution_pairs':
    case 'noise_pairs':
      return ['image', 'image']
  }
}
