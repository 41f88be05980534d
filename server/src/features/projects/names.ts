import { and, eq, isNull } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import { breaksUnique, type Tx } from '../../infra/db.ts'
import { type ProjectRow, projects } from './tables.ts'

/** One spelling for each name, and what searches look through. */
export function nameColumns({ name, description }: Pick<ProjectRow, 'name' | 'description'>) {
  const clean = name.normalize('NFC')
  return { name: clean, description, searchText: searchable(`${clean}\n${description}`) }
}

export const searchable = (text: string): string => text.normalize('NFC').toLowerCase()

/** The name, or with a number behind it where a live project of the owner has it. */
export async function freeName(
  tx: Tx,
  { ownerId, name }: Pick<ProjectRow, 'ownerId' | 'name'>,
): Promise<string> {
  const live = await tx
    .select({ name: projects.name })
    .from(projects)
    .where(and(eq(projects.ownerId, ownerId), isNull(projects.recycledAt)))
  const taken = new Set(live.map((row) => row.name))
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} (${number})`
    if (!taken.has(candidate)) return candidate
  }
}

/** Two live projects of one owner have different names; the database is the judge. */
export async function orNameTaken(name: string, change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (breaksUnique(error, 'projects_live_name')) throw fail('name_taken', { name })
    throw error
  }
}
