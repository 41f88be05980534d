import type { DataFacts, Problem } from '@neuroloom/contract/datasets'
import type { Box, FileFacts, ManifestItem } from '@neuroloom/contract/engine'
import type { FileReason } from '@neuroloom/contract/file-reasons'
import type { Polygon } from '@neuroloom/contract/labelling/outline'
import type { LabelSource } from '@neuroloom/contract/reading/label-source'

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
  /** In which letters texts that were read are written, where nothing in them says so. */
  guessed?: ReadonlyMap<string, string>
  /** Masks that were made for volumes by what files say, whatever their names are. */
  masks?: GivenMasks | null
  /** The sheets of a workbook, or why they cannot be read. */
  workbook?: (path: string) => Promise<WorkbookRead>
}

export type GivenMasks = Required<Pick<PairedNames, 'pairs' | 'known'>>

export type WorkbookSheet = {
  rows: string[][]
  /** Cells that are one: first row and column from 0 on, then how many of each. */
  merged: [number, number, number, number][]
  isCut: boolean
}
export type WorkbookRead =
  | { sheets: WorkbookSheet[] }
  | { refused: 'workbook_too_large' | 'workbook_unreadable' }

export type ClassFolders = {
  layout: 'class_folders'
  task: 'classification' | 'multilabel'
  classes: string[]
  items: { path: string; class: number }[]
  /** Images that lie in no class folder. */
  stray: string[]
  /** Class folders with nothing in them. */
  empty: string[]
  /** Where something else could have been meant. */
  source?: LabelSource
  /** What is wrong in a table that was not believed. */
  problems?: Problem[]
  /** Masks that lie beside the pictures and are not learned from. */
  masks?: string[]
}

/** One mask of several files: what any of them marks, what most of them mark, or each with a value of its own. */
export type Mix = { how: 'any' | 'most' | 'kinds'; paths: string[]; values?: number[] }

export type Pair = {
  image: string
  /** Where several files are mixed, the first of them. */
  label: string
  mix?: Mix
  /** What the mask that was made of them, or turned along with the picture, is known as. */
  made?: string
  /** A mask of where in the picture there is something to see. */
  region?: string
  /** Outlines that the mask is made of, in place of a file of pixels; `label` is their text. */
  drawn?: Drawn
  /** What it was given for. */
  part?: ManifestItem['part']
}

/** In pixels of the image, whose size the text may say, or in shares of it; later outlines lie over earlier ones. */
export type Drawn = {
  size: { width: number; height: number } | null
  unit: BoxedItem['unit']
  outlines: (Outline & { value: number })[]
}

/** One thing as a text draws it: by its borders, or by runs of pixels, the first of which are background. */
export type Outline = { polygons: Polygon[] } | { runs: Runs }
export type Runs = {
  counts: readonly number[] | Uint32Array
  along: 'columns' | 'rows'
  /** The part of the image that the runs go through. */
  left: number
  top: number
  width: number
  height: number
}

/** One of several sets of masks, or of pictures, of the same cases. */
export type Reader = { key: string; name: string; items: number }

export type PairedNames = {
  pairs: Pair[]
  imagesAlone: string[]
  labelsAlone: string[]
  /** Files outside the folders of both sides. */
  stray: string[]
  /** What is wrong in the list that names the pairs, where there is one. */
  problems?: Problem[]
  /** Several sets of masks of the same pictures, the one that counts, and whether they may be mixed by majority. */
  readers?: Reader[]
  counts?: string
  mayVote?: boolean
  /** Several kinds of pictures of the same cases, and the one that is learned from. */
  channels?: Reader[]
  channel?: string
  /** What the values of mixed masks stand for, from 1. */
  kindNames?: string[]
  /** What masks that were drawn here hold: nothing has to be guessed. */
  known?: { classes: string[]; maskValues: Record<string, number> }
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
  layout: 'csv_labels' | 'name_classes'
  task: 'classification' | 'multilabel'
  items: TableItem[]
  source: LabelSource
  /** Masks that lie beside the pictures and are not learned from. */
  masks?: string[]
}

/** The same where labels were given here: there is no table. */
export type GivenTags = Omit<TableLabels, 'source'> & { source?: LabelSource }

/** A box as its text says it; `number` counts from 1 in the text. `outline`: of what it is the box, where masks are wanted. */
export type ToldBox = Box & { number: number; outline?: Outline }

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
  layout: 'voc' | 'coco' | 'yolo' | 'labelme' | 'cvat' | 'csv_boxes'
  task: 'detection'
  items: BoxedItem[]
}

export type Layout = ClassFolders | Pairs | GivenTags | Boxed

/** What the engine found in a file. */
export type Checked = { facts: FileFacts; reason: null } | { facts: null; reason: FileReason | OutlineReason }

/** Why no mask could be made of outlines. */
export type OutlineReason = 'outline_outside' | 'outline_covered'

/** What is known of a file: `sha256` tells equal bytes. */
export type Look = { sha256: (path: string) => string; check: (path: string) => Checked }

export type Item = {
  /** Path below the folder. */
  name: string
  image: string
  /** Path of the file of which it is one of several pages. */
  stack?: string
  /** Path of the mask, the large image, the clean image. */
  label: string | null
  /** Path of the mask of what counts. */
  region?: string | null
  class: number | null
  labels: number[] | null
  boxes: Box[] | null
  part: ManifestItem['part']
  patient: string | null
  /** What tables say of the person, by the name of the column. */
  about?: Record<string, string> | null
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
