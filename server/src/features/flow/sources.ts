/** Which files a study is made of, now: those chosen, and those below folders that were chosen. */
import { createHash } from 'node:crypto'
import { flowLimits as limits } from '@neuroloom/contract/limits'
import type { Context } from '../../infra/context.ts'
import { requireEntries } from '../files/access.ts'
import { walk } from '../files/service.ts'
import type { FlowRow } from './tables.ts'

export type Source = {
  /** With the folders below what was chosen. */
  name: string
  sha256: string
  sizeBytes: number
}

/** In the order of their names. Fails as `missing` when something that was chosen is gone or not to be seen any more. */
export async function sourcesOf(ctx: Context, { ownerId, sourceIds }: FlowRow): Promise<Source[]> {
  const member = { id: ownerId }
  const entries = await requireEntries(ctx.db, member, sourceIds, 'view')
  const found = new Map<string, Source>()
  for (const { id, kind, name, sha256, sizeBytes } of entries) {
    if (kind === 'file' && sha256 !== null) found.set(id, { name, sha256, sizeBytes })
    if (kind === 'file') continue
    // Two folders may hold files of the same names.
    const above = entries.length > 1 ? `${name}/` : ''
    for (const file of (await walk(ctx.db, member, id)).files)
      if (!found.has(file.id)) found.set(file.id, { ...file, name: above + file.path })
  }
  return [...found.values()].sort(byName).map(({ name, sha256, sizeBytes }) => ({ name, sha256, sizeBytes }))
}

const byName = (a: Source, b: Source): number => (textOf(a) < textOf(b) ? -1 : 1)
const textOf = ({ name, sha256 }: Source): string => `${name}\n${sha256}\n`

/** Of two choices that hold the same files the same. */
export function digestOf(sources: readonly Source[]): string {
  const hash = createHash('sha256')
  for (const one of sources) hash.update(textOf(one))
  return hash.digest('hex')
}

export const isTooMuch = (sources: readonly Source[]): boolean =>
  sources.length > limits.files ||
  sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > limits.sourceBytes
