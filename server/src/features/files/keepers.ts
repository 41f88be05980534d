import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import type { FileRow } from './tables.ts'

/** What still needs things, or what lies in them, by the things' ids: names that their owner knows. */
export type KeepsFiles = (db: Db, entries: readonly FileRow[]) => Promise<Map<string, string[]>>
declare module '../../infra/feature.ts' {
  interface Questions {
    /** What holds on to files. */
    keepsFiles: KeepsFiles
  }
}

/** Without what nothing holds on to. */
export async function keptBy(
  ctx: Context,
  db: Db,
  entries: readonly FileRow[],
): Promise<Map<string, string[]>> {
  const kept = new Map<string, string[]>()
  if (entries.length === 0) return kept
  for (const keeps of ctx.told('keepsFiles')) {
    for (const [id, names] of await keeps(db, entries)) kept.set(id, [...(kept.get(id) ?? []), ...names])
  }
  return kept
}
