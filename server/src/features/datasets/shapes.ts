import type { DataFacts, Problem } from '@neuroloom/contract/datasets'
import type { FileFacts, FileReason } from '@neuroloom/contract/engine'

/** What names alone can fail by. */
export type NameFailure = 'empty_folder' | 'no_images' | 'single_class' | 'nothing_matches' | 'layout_unknown'

/** A folder of which nothing can be made. */
export type NoLayout = { layout: null; failure: NameFailure }

export type ClassFolders = {
  layout: 'class_folders'
  classes: string[]
  items: { path: string; class: number }[]
  /** Images that lie in no class folder. */
  stray: string[]
  /** Class folders with nothing in them. */
  empty: string[]
}

export type ImagesMasks = {
  layout: 'images_masks'
  pairs: { image: string; mask: string }[]
  imagesAlone: string[]
  masksAlone: string[]
  /** Pictures outside the image and mask folders. */
  stray: string[]
}

/** What the engine found in a file. */
export type Checked = { facts: FileFacts; reason: null } | { facts: null; reason: FileReason }

/** What is known of a file: `sha256` tells equal bytes. */
export type Look = { sha256: (path: string) => string; check: (path: string) => Checked }

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
