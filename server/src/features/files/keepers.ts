import type { Db } from '../../infra/db.ts'
import type { FileRow } from './tables.ts'

/** What still needs things, or what lies in them, by the things' ids: names that their owner knows. */
type Keeper = (db: Db, entries: readonly FileRow[]) => Promise<Map<string, string[]>>
const keepers = new Map<string, Keeper>()

/** Features to the right may hold on to files; `name` tells them apart. */
export function registerKeeper(name: string, keeper: Keeper): void {
  keepers.set(name, keeper)
}

/** Without what nothing holds on to. */
export async function keptBy(db: Db, entries: readonly FileRow[]): Promise<Map<string, string[]>> {
  const kept = new Map<string, string[]>()
  if (entries.length === 0) return kept
  for (const keeper of keepers.values()) {
    for (const [id, names] of await keeper(db, entries)) kept.set(id, [...(kept.get(id) ?? []), ...names])
  }
  return kept
}
