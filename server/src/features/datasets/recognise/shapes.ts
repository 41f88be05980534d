import type { DataFacts, Problem } from '@neuroloom/contract/datasets'
import type { Box, FileFacts, FileReason, ManifestItem } from '@neuroloom/contract/engine'

/** What names alone can fail by. */
export type NameFailure = 'empty_folder' | 'no_images' | 'single_class' | 'nothing_matches' | 'layout_unknown'

/** A folder of which nothing can be made. */
export type NoLayout = {
  layout: null
  failure: NameFailure | 'task_differs'
  /** What stood in the way, as far as single files are to blame. */
  problems?: Problem[]
}

/** What lies below the folder: names, and the way to a text. */
export type Folder = {
  /** Of files, with slashes. */
  paths: readonly string[]
  /** Those with nothing in them. */
  emptyFolders: readonly string[]
  /** The text of a file; null when it is larger than this or no text. */
  read: (path: string, maxBytes: number) => Promise<string | null>
}

export type ClassFolders = {
  layout: 'class_folders'
  task: 'classification' | 'multilabel'
  classes: string[]
  items: { path: string; class: number }[]
  /** Images that lie in no class folder. */
  stray: string[]
  /** Class folders with nothing in them. */
  empty: string[]
}

export type Pair = { image: string; label: string }

export type PairedNames = {
  pairs: Pair[]
  imagesAlone: string[]
  labelsAlone: string[]
  /** Files outside the folders of both sides. */
  stray: string[]
  /** What is wrong in the list that names the pairs, where there is one. */
  problems?: Problem[]
}

export type Pairs = PairedNames &
  (
    | { layout: 'images_masks'; task: 'segmentation' }
    | { layout: 'volume_pairs'; task: 'volume_segmentation' }
    | { layout: 'resolution_pairs'; task: 'super_resolution' }
    | { layout: 'noise_pairs'; task: 'denoising' }
  )

/** What a text says of images. */
type Described = {
  classes: string[]
  /** What is wrong in the text. */
  problems: Problem[]
  /** Images that it says nothing of. */
  unlabelled: string[]
}

export type TableItem = {
  path: string
  /** In order. */
  labels: number[]
  part: ManifestItem['part']
  patient: string | null
}

export type TableLabels = Described & {
  layout: 'csv_labels'
  task: 'classification' | 'multilabel'
  items: TableItem[]
}

/** A box as its text says it; `number` counts from 1 in the text. */
export type ToldBox = Box & { number: number }

export type BoxedItem = {
  path: string
  /** Path of the text. */
  source: string
  part: ManifestItem['part']
  /** What the text takes for the image's size. */
  size: { width: number; height: number } | null
  /** In pixels, or in shares of the image's width and height. */
  unit: 'pixels' | 'shares'
  boxes: ToldBox[]
}

export type Boxed = Described & {
  layout: 'voc' | 'coco' | 'yolo'
  task: 'detection'
  items: BoxedItem[]
}

export type Layout = ClassFolders | Pairs | TableLabels | Boxed

/** What the engine found in a file. */
export type Checked = { facts: FileFacts; reason: null } | { facts: null; reason: FileReason }

/** What is known of a file: `sha256` tells equal bytes. */
export type Look = { sha256: (path: string) => string; check: (path: string) => Checked }

export type Item = {
  /** Path below the folder. */
  name: string
  image: string
  /** Path of the mask, the large image, the clean image. */
  label: string | null
  class: number | null
  labels: number[] | null
  boxes: Box[] | null
  part: ManifestItem['part']
  patient: string | null
  /** Group of near-duplicates that it was taken into. */
  kin: string | null
  /** What the data set gives it to, where that is not done. */
  asidePart: ManifestItem['part']
  fingerprint: string | null
  width: number
  height: number
  depth: number | null
}

/** Two items by their numbers; of `crossing` pairs the first is the test's. */
export type Double = { one: number; other: number; distance: number; kind: 'together' | 'crossing' | 'loose' }

export type Assembled = {
  items: Item[]
  problems: Problem[]
  classes: string[]
  maskValues: Record<string, number>
  channels: 1 | 3
  factor: number | null
  facts: DataFacts | null
  /** Without them until they were searched for. */
  doubles?: Double[]
  failure: NameFailure | null
}

/** An item of which only its image is known so far. */
export const plainItem = (path: string, { width, height, depth, fingerprint }: FileFacts): Item => ({
  ...{ name: path, image: path, label: null, class: null, labels: null, boxes: null },
  ...{ part: null, patient: null, kin: null, asidePart: null, width, height, depth },
  fingerprint: fingerprint ?? null,
})
