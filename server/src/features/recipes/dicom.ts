/** DICOM in recipes: which pictures or volumes its files make, by what they say of themselves, and what is made of these. */
import { dicomMaskReasons, dicomReasons } from '@neuroloom/contract/dicom-data'
import type { PrepareReason } from '@neuroloom/contract/recipes/recipe'
import type { Context } from '../../infra/context.ts'
import { type DicomPlan, deriveAll, dicomHeads, planDicom } from '../files/service.ts'
import type { Found } from './folders.ts'
import type { ItemRow } from './tables.ts'

export type DicomItem = Pick<ItemRow, 'path' | 'role' | 'reason' | 'dicom'> & {
  files: Found[]
  /** Null of what is set aside. */
  head: { width: number; height: number; channels: number; isVolume: boolean } | null
}

type Asked = {
  /** Files that may be DICOM by their names. */
  candidates: readonly Found[]
  /** All other files: new names are none of theirs. */
  others: readonly Found[]
  as: 'pictures' | 'volumes'
  isMask: (path: string) => boolean
}

/** What is no DICOM is nothing to a recipe. */
export async function dicomItems(
  ctx: Context,
  { candidates, others, as, isMask }: Asked,
): Promise<DicomItem[]> {
  if (candidates.length === 0) return []
  const heads = await dicomHeads(ctx, candidates)
  const ids = new Map(candidates.map((file) => [file.path, file]))
  const itemsOf = ({ items, problems }: DicomPlan, dicom: 'values' | 'mask' | 'volume'): DicomItem[] => {
    const role = dicom === 'mask' ? ('mask' as const) : ('image' as const)
    const filesOf = (paths: string[]): Found[] => paths.flatMap((path) => ids.get(path) ?? [])
    const good = items.map(({ path, files, head: { columns, rows, isColour } }) => ({
      ...{ path, role, dicom, reason: null },
      files: filesOf(files.map((file) => file.path)),
      head: { width: columns, height: rows, channels: isColour ? 3 : 1, isVolume: dicom === 'volume' },
    }))
    const bad = problems.flatMap(({ path, reason: name, params }): DicomItem[] => {
      const reason = asReason(name, params)
      return reason ? [{ path, role, dicom, reason, files: filesOf([path]), head: null }] : []
    })
    return [...good, ...bad]
  }
  const all = (wanted: readonly Found[]) => [...others, ...wanted]
  const masks = candidates.filter(({ path }) => isMask(path))
  const images = candidates.filter(({ path }) => !isMask(path))
  return [
    ...(as === 'volumes'
      ? itemsOf(planDicom(all(images), heads, { kind: 'volume' }), 'volume')
      : itemsOf(planDicom(all(images), heads, { kind: 'picture' }), 'values')),
    ...itemsOf(planDicom(all(masks), heads, { kind: 'picture' }), 'mask'),
  ]
}

type Bytes = { name: string; sha256: string; sizeBytes: number }
export type MadeOfDicom = { sha256: string } | { reason: PrepareReason }

/** By the product's own reader, in a process of its own; made before, it is there. */
export async function madeOfDicom(
  ctx: Context,
  wanted: readonly { dicom: NonNullable<ItemRow['dicom']>; files: Bytes[] }[],
  options: { mayWait?: number } = {},
): Promise<MadeOfDicom[]> {
  const asked = wanted.map(({ dicom, files }) => ({ kind: dicom, window: null, files }))
  const derived = await deriveAll(ctx, asked, options)
  return derived.map((one) =>
    'sha256' in one ? one : { reason: asReason(one.unfit.reason, one.unfit.params) ?? unreadable },
  )
}

const unreadable: PrepareReason = { name: 'dicom_unreadable', params: {} }

function asReason(name: string, params: PrepareReason['params']): PrepareReason | null {
  const known = [...dicomReasons, ...dicomMaskReasons].find((one) => one === name)
  return known ? { name: known, params } : null
}
