/** Names of what is marked in volumes, from the `dataset.json` of the Medical Segmentation Decathlon and of nnU-Net. */
import { datasets as limits } from '@neuroloom/contract/limits'
import * as z from 'zod'
import { listOf, parsed } from './listed-pairs.ts'
import type { Assembled, Folder } from './shapes.ts'

/** Decathlon: `{"1": "Anterior"}`; nnU-Net: `{"Anterior": 1}`. Regions of several values are no classes of their own. */
const described = z.object({ labels: z.record(z.string(), z.union([z.string().max(100), z.int()])) })

/** The classes by their names; as they were where there is no such file, or where it does not name all of them. */
export async function withLabelNames(found: Assembled, folder: Folder): Promise<Assembled> {
  const path = listOf(folder)
  if (path === null) return found
  const names = namesIn(await folder.read(path, limits.tableBytes))
  const values = Object.entries(found.maskValues)
  const classes = found.classes.map((_, index) =>
    values.flatMap(([value, of]) => (of === index ? (names.get(value) ?? []) : [])).at(0),
  )
  const named = classes.flatMap((name, index) => (index === 0 ? ['background'] : (name ?? [])))
  const isWhole = named.length === found.classes.length && new Set(named).size === named.length
  return isWhole ? { ...found, classes: named } : found
}

/** By the value in the mask, as text. */
function namesIn(text: string | null): Map<string, string> {
  const { data } = described.safeParse(parsed(text))
  return new Map(
    Object.entries(data?.labels ?? {}).map(([key, value]) =>
      typeof value === 'number' ? [String(value), key.trim()] : [key, value.trim()],
    ),
  )
}
