/** Finds out how a folder is laid out, for the task that it is wanted for: names first, then texts. Opens no image. */
import { isHiddenPath } from '@neuroloom/contract/names/archive-names'
import { maskWords, type PairWords } from '@neuroloom/contract/reading/pair-words'
import { asFound, type Reading } from '@neuroloom/contract/reading/reading'
import type { Task } from '@neuroloom/contract/task'
import { cocoBoxes } from './boxes/coco.ts'
import { csvBoxes } from './boxes/csv-boxes.ts'
import { cvatBoxes } from './boxes/cvat.ts'
import { labelmeBoxes } from './boxes/labelme.ts'
import { inTheirUnit } from './boxes/units.ts'
import { vocBoxes } from './boxes/voc.ts'
import { yoloBoxes } from './boxes/yolo.ts'
import { classLayout } from './class-folders.ts'
import { findLabels } from './find-labels.ts'
import {
  isImageName,
  isMaskName,
  isVolumeArrayName,
  isVolumeName,
  noiseWords,
  resolutionWords,
} from './folder-names.ts'
import { listedPairs } from './listed-pairs.ts'
import { outlinePairs } from './masks/outlines.ts'
import { maskPairs } from './masks/pairs.ts'
import { withTablePairs } from './masks/table-pairs.ts'
import { pairNames } from './pairs.ts'
import type { Folder, Layout, NameFailure, NoLayout, Pairs } from './shapes.ts'

type Names = { images: string[]; volumes: string[]; emptyFolders: readonly string[] }

/** `wanted` is the task of the project that asks; null where none does any more. */
export async function recognise(
  folder: Folder,
  wanted: Task | null,
  reading: Reading = asFound,
): Promise<Layout | NoLayout> {
  if (folder.paths.length === 0) return none('empty_folder')
  const names: Names = {
    images: folder.paths.filter(isImageName).sort(byName),
    volumes: folder.paths.filter(wanted === 'volume_segmentation' ? isVolume : isVolumeName).sort(byName),
    emptyFolders: folder.emptyFolders.filter((path) => !isHiddenPath(path)),
  }
  if (names.images.length + names.volumes.length === 0) return none('no_images')
  const found = await find(folder, names, { task: wanted ?? guess(names), reading })
  // Where something was found that does not match, the right thing was meant.
  if (found.layout !== null || wanted === null || found.failure === 'nothing_matches') return found
  if (isOfOther(names, wanted)) return { ...found, failure: 'task_differs' }
  const areVolumesAlone = found.failure === 'no_images' && wanted !== 'volume_segmentation'
  return areVolumesAlone && names.volumes.length > 0 ? volumesAlone(names) : found
}

/** Volumes are there, and pictures are wanted. */
const volumesAlone = ({ volumes }: Names): NoLayout => ({
  layout: null,
  failure: 'task_differs',
  problems: [{ path: volumes[0] ?? '', reason: 'volumes_not_pictures', params: { count: volumes.length } }],
})

const isVolume = (path: string): boolean => isVolumeName(path) || isVolumeArrayName(path)

type Asked = { task: Task; reading: Reading }

function find(
  folder: Folder,
  names: Names,
  { task, reading }: Asked,
): Promise<Layout | NoLayout> | Layout | NoLayout {
  const { images, volumes } = names
  switch (task) {
    case 'classification':
      return findClasses(folder, names, reading)
    case 'multilabel':
      return images.length === 0 ? none('no_images') : findLabels(folder, { ...names, task, reading })
    case 'segmentation':
      return findPictureMasks(folder, names, reading)
    case 'volume_segmentation':
      return findVolumes(folder, volumes, reading)
    case 'detection':
      return findBoxes(folder, images)
    case 'super_resolution':
      return findPairs(images, { layout: 'resolution_pairs', task }, resolutionWords)
    case 'denoising':
      return findPairs(images, { layout: 'noise_pairs', task }, noiseWords)
  }
}

/** Folders of masks are no classes; masks beside pictures would give the class away, so pictures are taken alone. */
async function findClasses(folder: Folder, names: Names, reading: Reading): Promise<Layout | NoLayout> {
  const { images, emptyFolders } = names
  if (images.length === 0) return none('no_images')
  const task = 'classification'
  const masks = pairNames(images, maskWords)
  if (masks === null) return findLabels(folder, { images, emptyFolders, task, reading })
  if (typeof masks === 'string') return none(masks)
  const pictures = [...masks.pairs.map(({ image }) => image), ...masks.imagesAlone].sort(byName)
  const found = await findLabels(folder, { images: pictures, emptyFolders, task, reading })
  if (found.layout === null) return none('task_differs')
  const left = new Set(pictures)
  return { ...found, masks: images.filter((path) => !left.has(path)) }
}

async function findBoxes(folder: Folder, images: string[]): Promise<Layout | NoLayout> {
  if (images.length === 0) return none('no_images')
  const voc = await vocBoxes(folder, images)
  if (voc) return inTheirUnit(voc)
  let broken: NoLayout | null = null
  for (const boxesIn of [cocoBoxes, labelmeBoxes, cvatBoxes, yoloBoxes, csvBoxes]) {
    const found = await boxesIn(folder, images)
    if (found !== null && found.layout !== null) return inTheirUnit(found)
    broken ??= found
  }
  return broken ?? none('layout_unknown')
}

/** Masks in files first; where there are none, masks are made of outlines. */
async function findPictureMasks(
  folder: Folder,
  { images }: Names,
  reading: Reading,
): Promise<Pairs | NoLayout> {
  const withArrays = images.length === 0 ? [] : folder.paths.filter(isMaskName).sort(byName)
  const found = findMasks(withArrays, { layout: 'images_masks', task: 'segmentation' }, reading)
  if (found.layout !== null) return withTablePairs(found, folder)
  if (images.length === 0) return found
  return (await outlinePairs(folder, images)) ?? found
}

/** Pairs on a list, or by names; where there are none, by what segmentations say of the series that they mark. */
async function findVolumes(folder: Folder, volumes: string[], reading: Reading): Promise<Layout | NoLayout> {
  const kind = { layout: 'volume_pairs', task: 'volume_segmentation' } as const
  const listed = await listedPairs(folder, volumes)
  if (listed) return listed
  const named = findMasks(volumes, kind, reading)
  const found = named.layout === null ? named : await withTablePairs(named, folder)
  const { masks } = folder
  if (!masks || (found.layout !== null && found.pairs.length > 0)) return found
  const masked = new Set(masks.pairs.map(({ image }) => image))
  const imagesAlone = volumes.filter((path) => !masked.has(path))
  return { ...kind, ...masks, imagesAlone, labelsAlone: [], stray: [] }
}

/** By what names have in common; where that tells nothing, by words alone, which also say what does not match. */
function findMasks(paths: string[], kind: PairKind, reading: Reading): Pairs | NoLayout {
  const found = maskPairs(paths, reading)
  return found === null || found.pairs.length === 0
    ? findPairs(paths, kind, maskWords)
    : { ...kind, ...found }
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
