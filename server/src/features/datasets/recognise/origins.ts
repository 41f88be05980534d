/** Who items come from and what they are for, where folders, lists or names say it and no table did. */

import type { ManifestItem } from '@neuroloom/contract/engine'
import { datasets as limits } from '@neuroloom/contract/limits'
import { maskWords } from '@neuroloom/contract/reading/pair-words'
import { asFound, type Reading } from '@neuroloom/contract/reading/reading'
import { originsOf } from '../data-facts.ts'
import { imageFinder } from './find-image.ts'
import {
  baseOf,
  folderOf,
  folderSide,
  isSplitName,
  isTextName,
  noiseWords,
  partOf,
  resolutionWords,
  splitInName,
} from './folder-names.ts'
import { withPeople } from './people.ts'
import type { Assembled, Folder, Item } from './shapes.ts'
import { tellPatients } from './tell-patients.ts'

type Part = ManifestItem['part']

/** What was found, with a part and a patient for each item that has one. */
export async function withOrigins(
  found: Assembled,
  folder: Folder,
  reading: Reading = asFound,
): Promise<Assembled> {
  const parts = found.items.some(({ part }) => part !== null) ? null : await partsOf(found.items, folder)
  const parted = found.items.map(
    (item): Item => ({ ...item, part: parts ? (parts.get(item.image) ?? null) : item.part }),
  )
  const { patients, problems, origin } = await tellPatients(folder, {
    ...{ items: parted, classes: found.classes, rule: reading.patients },
  })
  const owned = parted.map((item, index): Item => ({ ...item, patient: patients[index] ?? null }))
  const { about, people } = await withPeople(folder, { items: owned, chosen: reading.people })
  const items = owned.map((item, index): Item => ({ ...item, about: about[index] ?? null }))
  const facts = found.facts && { ...found.facts, ...originsOf(items), origin, ...(people ? { people } : {}) }
  return { ...found, items, problems: [...found.problems, ...problems], facts }
}

/** Lists before folders: they are made for nothing else. A part alone, or parts without training, say nothing. */
async function partsOf(items: readonly Item[], folder: Folder): Promise<Map<string, Part>> {
  const images = items.map(({ image }) => image)
  const listed = await partsInLists(images, folder)
  if (isParting(listed)) return listed
  const placed = new Map(images.map((path) => [path, partInFolders(path)]))
  if (isParting(placed)) return placed
  // One folder that is called so may be called after anything.
  const told = new Map(images.map((path) => [path, partInNames(path)]))
  return isParting(told) && ![...told.values()].includes(null) ? told : new Map()
}

function isParting(parts: Map<string, Part>): boolean {
  const kinds = new Set([...parts.values()].filter((part) => part !== null))
  return kinds.has('train') && kinds.size > 1
}

const listFolders = new Set(['', 'splits', 'split', 'main', 'imagesets', 'lists'])

/** `splits/train.txt`, `ImageSets/Main/val.txt`: an image a line. */
async function partsInLists(images: readonly string[], folder: Folder): Promise<Map<string, Part>> {
  const parts = new Map<string, Part>()
  const find = imageFinder(images)
  // `trainval` last: it says nothing of what another list names.
  const lists = folder.paths.filter(isList).sort((one, other) => rankOf(one) - rankOf(other))
  for (const path of lists) {
    const part = partOf(listName(path)) ?? 'train'
    const text = await folder.read(path, limits.listBytes)
    for (const line of text?.split('\n') ?? []) {
      const image = line.trim() === '' ? null : (find(line) ?? find(line.trim().split(/\s+/)[0] ?? ''))
      if (image !== null && !parts.has(image)) parts.set(image, part)
    }
  }
  return parts
}

const listName = (path: string): string => baseOf(path).slice(0, -'.txt'.length).toLowerCase()

const rankOf = (path: string): number => (listName(path) === 'trainval' ? 1 : 0)

const isList = (path: string): boolean =>
  isTextName(path, ['txt']) &&
  (isSplitName(listName(path)) || listName(path) === 'trainval') &&
  listFolders.has(baseOf(folderOf(path)).toLowerCase())

/** `train/…`, `val_images/…`, `imagesTs/…` */
function partInFolders(path: string): Part {
  for (const folder of folderOf(path).split('/')) {
    if (isSplitName(folder)) return partOf(folder)
    for (const words of [maskWords, resolutionWords, noiseWords]) {
      const part = partOf(folderSide(folder, words)?.rest ?? '')
      if (part !== null) return part
    }
  }
  return null
}

/** `train_benign/…` */
const partInNames = (path: string): Part =>
  folderOf(path)
    .split('/')
    .map((folder) => splitInName(folder)?.part ?? null)
    .find((part) => part !== null) ?? null
