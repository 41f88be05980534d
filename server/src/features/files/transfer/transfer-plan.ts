import type { Parsed } from '@neuroloom/contract/calls'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { type Coming, numbered, placeKey, type There, twinsOf } from '../free-names.ts'
import { files } from '../tables.ts'
import { ancestorsOf } from '../tree.ts'

type SameName = Parsed<'files/move'>['sameName']
/** `id` is what moves or is copied. */
type Placed = There & Coming

export type TransferPlan = {
  /** Names that are taken, where nothing was said about them: then nothing is done at all. */
  conflicts: string[]
  /** Chosen things that go, whole or as the content of a folder that is there already. */
  going: There[]
  /** With everything below them, under these names. */
  placed: Placed[]
  /** Files that make room; they go to the recycle station. */
  replaced: There[]
  /** Folders of which only the content goes, into that of the same name. */
  merged: { id: string; folderId: string }[]
}

type Step = Placed & { isChosen: boolean }
type Fate = 'place' | 'number' | 'replace' | 'merge' | 'skip' | 'conflict'

/** Works out where everything goes and under which name. Changes nothing. */
export async function planTransfer(
  db: Db,
  {
    entries,
    ownerId,
    targetId,
    sameName,
  }: { entries: readonly There[]; ownerId: string; targetId: string | null; sameName: SameName },
): Promise<TransferPlan> {
  const plan: TransferPlan = { conflicts: [], going: [], placed: [], replaced: [], merged: [] }
  // Something that lies around what is chosen is never merged into: it would take in itself.
  const around = new Set([...(await ancestorsOf(db, idsOf(entries))).values()].flat())
  let level: Step[] = entries.map((entry) => ({ ...entry, folderId: targetId, isChosen: true }))
  while (level.length > 0) {
    const twins = await twinsOf(db, ownerId, level)
    const clashing: Step[] = []
    const opened: { id: string; folderId: string }[] = []
    const coming = new Set<string>()
    for (const step of level) {
      const key = placeKey(step.folderId, step.name)
      const twin = twins.get(key)
      // Two of the same name that come together never cost each other anything.
      const fate = coming.has(key) ? 'number' : fateOf(step, twin, { sameName, around })
      if (fate === 'conflict') plan.conflicts.push(step.name)
      if (fate === 'conflict' || fate === 'skip') continue
      if (step.isChosen) plan.going.push(step)
      if (fate === 'number') clashing.push(step)
      else coming.add(key)
      if (fate === 'place' || fate === 'replace') plan.placed.push(step)
      if (fate === 'replace' && twin) plan.replaced.push(twin)
      if (fate === 'merge' && twin) opened.push({ id: step.id, folderId: twin.id })
    }
    plan.placed.push(...(await numbered(db, { ownerId, coming: clashing, alongside: plan.placed })))
    plan.merged.push(...opened)
    level = await contentOf(db, opened)
  }
  return plan
}

function fateOf(
  step: Step,
  twin: There | undefined,
  { sameName, around }: { sameName: SameName; around: ReadonlySet<string> },
): Fate {
  if (!twin) return 'place'
  // A copy beside its original.
  if (twin.id === step.id) return 'number'
  if (step.isChosen && sameName === 'ask') return 'conflict'
  if (step.isChosen && sameName === 'skip') return 'skip'
  if (sameName !== 'overwrite' || twin.kind !== step.kind) return 'number'
  if (step.kind === 'file') return 'replace'
  return around.has(twin.id) ? 'number' : 'merge'
}

/** What lies in the opened folders, on its way into those of the same name. */
async function contentOf(db: Db, opened: readonly { id: string; folderId: string }[]): Promise<Step[]> {
  if (opened.length === 0) return []
  const into = new Map(opened.map(({ id, folderId }) => [id, folderId]))
  const rows = await db
    .select({
      id: files.id,
      parentId: files.parentId,
      name: files.name,
      kind: files.kind,
      sizeBytes: files.sizeBytes,
      fileCount: files.fileCount,
    })
    .from(files)
    .where(sql`${files.parentId} = any(${sql.param([...into.keys()])}) and ${files.recycledAt} is null`)
  return rows.map((row) => ({ ...row, folderId: into.get(row.parentId ?? '') ?? null, isChosen: false }))
}

export const idsOf = (entries: readonly { id: string }[]): string[] => entries.map(({ id }) => id)
