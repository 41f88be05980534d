/** Makes the data set out of a layout and what the engine found in the files: items, problems, classes, facts. */
import type { DataFacts, Problem } from '@neuroloom/contract/datasets'
import type { FileFacts, FileReason } from '@neuroloom/contract/engine'
import { assembleClasses } from './assemble-classes.ts'
import { assembleMasks } from './assemble-masks.ts'
import type { ClassLayout } from './class-folders.ts'
import type { Role } from './folder-names.ts'
import type { MaskLayout } from './image-masks.ts'
import type { NameFailure } from './recognise.ts'

export type Known = Exclude<ClassLayout | MaskLayout, { layout: null }>

export type Checked = { facts: FileFacts; reason: null } | { facts: null; reason: FileReason }

export type Item = {
  /** Path below the folder. */
  name: string
  image: string
  /** Mask's path (segmentation). */
  label: string | null
  class: number | null
  width: number
  height: number
}

export type Assembled = {
  items: Item[]
  problems: Problem[]
  classes: string[]
  maskValues: Record<string, number>
  channels: 1 | 3
  facts: DataFacts | null
  failure: NameFailure | null
}

/** What is known of a file: `sha256` tells equal bytes, `check` what the engine found. */
export type Look = { sha256: (path: string) => string; check: (path: string) => Checked }

export const assemble = (layout: Known, look: Look): Assembled =>
  layout.layout === 'class_folders' ? assembleClasses(layout, look) : assembleMasks(layout, look)

/** Every file that the engine must open, with what it is opened as. */
export function filesToCheck(layout: Known): { path: string; role: Role }[] {
  if (layout.layout === 'class_folders') return layout.items.map(({ path }) => ({ path, role: 'image' }))
  return layout.pairs.flatMap(({ image, mask }) => [
    { path: image, role: 'image' as const },
    { path: mask, role: 'mask' as const },
  ])
}
