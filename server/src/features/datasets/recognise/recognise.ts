/** Finds out how a folder is laid out, for the task that it is wanted for: names first, then texts. Opens no image. */
import type { Task } from '@neuroloom/contract/task'
import { classLayout } from './class-folders.ts'
import { cocoBoxes } from './coco.ts'
import {
  isImageName,
  isVolumeName,
  maskWords,
  noiseWords,
  type PairWords,
  resolutionWords,
} from './folder-names.ts'
import { listedPairs } from './listed-pairs.ts'
import { pairNames } from './pairs.ts'
import type { ClassFolders, Folder, Layout, NameFailure, NoLayout, Pairs, TableLabels } from './shapes.ts'
import { tableLabels } from './table-labels.ts'
import { vocBoxes } from './voc.ts'
import { yoloBoxes } from './yolo.ts'

type Names = { images: string[]; volumes: string[]; emptyFolders: readonly string[] }

/** `wanted` is the task of the project that asks; null where none does any more. */
export async function recognise(folder: Folder, wanted: Task | null): Promise<Layout | NoLayout> {
  if (folder.paths.length === 0) return none('empty_folder')
  const names: Names = {
    images: folder.paths.filter(isImageName).sort(byName),
    volumes: folder.paths.filter(isVolumeName).sort(byName),
    emptyFolders: folder.emptyFolders,
  }
  if (names.images.length + names.volumes.length === 0) return none('no_images')
  const found = await find(folder, names, wanted ?? guess(names))
  // Where something was found that does not match, the right thing was meant.
  if (found.layout !== null || wanted === null || found.failure === 'nothing_matches') return found
  return isOfOther(names, wanted) ? { ...found, failure: 'task_differs' } : found
}

function find(folder: Folder, names: Names, task: Task): Promise<Layout | NoLayout> | Layout | NoLayout {
  const { images, volumes } = names
  switch (task) {
    case 'classification':
      return findClasses(folder, names)
    case 'multilabel':
      return findLabels(folder, names)
    case 'segmentation':
      return findPairs(images, { layout: 'images_masks', task }, maskWords)
    case 'volume_segmentation':
      return findVolumes(folder, volumes)
    case 'detection':
      return findBoxes(folder, images)
    case 'super_resolution':
      return findPairs(images, { layout: 'resolution_pairs', task }, resolutionWords)
    case 'denoising':
      return findPairs(images, { layout: 'noise_pairs', task }, noiseWords)
  }
}

/** Folders of masks are no classes. A table that says the same as the folders adds nothing to them. */
async function findClasses(folder: Folder, { images, emptyFolders }: Names): Promise<Layout | NoLayout> {
  if (images.length === 0) return none('no_images')
  const masks = pairNames(images, maskWords)
  if (masks !== null) return none(typeof masks === 'string' ? masks : 'task_differs')
  const classes = classLayout(images, emptyFolders, 'classification')
  const table = await tableLabels(folder, images, 'classification')
  if (table === null) return classes
  if (table.layout !== null && table.task !== 'classification') return none('task_differs')
  if (classes.layout === null) return table
  return table.layout === null || isSame(classes, table) ? classes : table
}

function isSame(folders: ClassFolders, table: TableLabels): boolean {
  const known = new Map(folders.items.map((item) => [item.path, folders.classes[item.class]]))
  return table.items.every(({ path, labels: [label = -1] }) => known.get(path) === table.classes[label])
}

async function findLabels(folder: Folder, { images, emptyFolders }: Names): Promise<Layout | NoLayout> {
  if (images.length === 0) return none('no_images')
  const table = await tableLabels(folder, images, 'multilabel')
  if (table !== null && table.layout !== null) return table
  const classes = classLayout(images, emptyFolders, 'multilabel')
  return classes.layout === null && table !== null ? table : classes
}

async function findBoxes(folder: Folder, images: string[]): Promise<Layout | NoLayout> {
  if (images.length === 0) return none('no_images')
  const voc = await vocBoxes(folder, images)
  if (voc) return voc
  const coco = await cocoBoxes(folder, images)
  if (coco !== null && coco.layout !== null) return coco
  return (await yoloBoxes(folder, images)) ?? coco ?? none('layout_unknown')
}

async function findVolumes(folder: Folder, volumes: string[]): Promise<Layout | NoLayout> {
  const kind = { layout: 'volume_pairs', task: 'volume_segmentation' } as const
  return (await listedPairs(folder, volumes)) ?? findPairs(volumes, kind, maskWords)
}

type PairKind = Pairs extends infer Kind
  ? Kind extends Pairs
    ? Pick<Kind, 'layout' | 'task'>
    : never
  : never

function findPairs(paths: string[], kind: PairKind, words: PairWords): Pairs | NoLayout {
  if (paths.length === 0) return none('no_images')
  const found = pairNames(paths, words)
  if (found === null) return none('layout_unknown')
  return typeof found === 'string' ? none(found) : { ...kind, ...found }
}

/** By names alone, which is enough to say that another task was meant. */
function isOfOther({ images, volumes, emptyFolders }: Names, wanted: Task): boolean {
  const isClassTask = wanted === 'classification' || wanted === 'multilabel'
  const isPairs = (paths: string[], words: PairWords): boolean => {
    const found = pairNames(paths, words)
    return found !== null && typeof found !== 'string'
  }
  if (wanted !== 'volume_segmentation' && isPairs(volumes, maskWords)) return true
  if (wanted !== 'segmentation' && isPairs(images, maskWords)) return true
  if (wanted !== 'super_resolution' && isPairs(images, resolutionWords)) return true
  if (wanted !== 'denoising' && isPairs(images, noiseWords)) return true
  return !isClassTask && classLayout(images, emptyFolders, 'classification').layout !== null
}

/** For a data set that no project has any more: nobody waits for the answer. */
function guess({ images, volumes }: Names): Task {
  if (volumes.length > images.length) return 'volume_segmentation'
  const masks = pairNames(images, maskWords)
  return masks === null ? 'classification' : 'segmentation'
}

const none = (failure: NameFailure | 'task_differs'): NoLayout => ({ layout: null, failure })

const byName = (left: string, right: string): number => {
  if (left === right) return 0
  return left < right ? -1 : 1
}
