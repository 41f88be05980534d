/** Pairs of volumes as the `dataset.json` of the Medical Segmentation Decathlon lists them, whatever their names say. */
import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import * as z from 'zod'
import { baseOf, folderOf } from './folder-names.ts'
import type { Folder, Pair, Pairs } from './shapes.ts'

const listed = z.object({ training: z.array(z.object({ image: z.string(), label: z.string() })) })

/** Null where there is no such list, or nothing on it is there: then names decide. */
export async function listedPairs(folder: Folder, volumes: readonly string[]): Promise<Pairs | null> {
  const path = listOf(folder)
  if (path === null) return null
  const { data } = listed.safeParse(parsed(await folder.read(path, limits.tableBytes)))
  if (!data) return null
  const there = new Set(volumes)
  const pairs: Pair[] = []
  const problems: Problem[] = []
  const named = new Set<string>()
  for (const entry of data.training) {
    const pair = { image: pathIn(path, entry.image), label: pathIn(path, entry.label) }
    // An image stands on the list once; the first time counts.
    if (named.has(pair.image)) continue
    const missing = [pair.image, pair.label].filter((one) => !there.has(one))
    for (const one of [pair.image, pair.label]) named.add(one)
    if (missing.length === 0) pairs.push(pair)
    for (const name of missing) problems.push({ path, reason: 'image_missing', params: { name, line: 0 } })
  }
  if (pairs.length === 0) return null
  return {
    ...{ layout: 'volume_pairs', task: 'volume_segmentation' },
    ...{ pairs, imagesAlone: [], labelsAlone: [], stray: volumes.filter((one) => !named.has(one)), problems },
  }
}

/** The outermost one. */
export function listOf({ paths }: Folder): string | null {
  const [path = null] = paths
    .filter((name) => baseOf(name) === 'dataset.json')
    .sort((one, other) => folderOf(one).length - folderOf(other).length)
  return path
}

/** Names on the list begin at its own folder: `./imagesTr/a.nii.gz`. */
function pathIn(list: string, name: string): string {
  const below = name.split(/[/\\]/).filter((part) => part !== '' && part !== '.')
  return [...(folderOf(list) === '' ? [] : [folderOf(list)]), ...below].join('/')
}

export function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
