/** Puts files that are stored already below a folder of the cloud, with the folders between. */
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import type { PatientHint } from '../../infra/reader/patient-hint.ts'
import { addBlob } from '../../infra/storage/blobs.ts'
import { nameColumns, numberedName } from './names.ts'
import { files } from './tables.ts'
import { childrenOf, grow } from './tree.ts'

/** Whose cloud it is, and who puts something there. */
type Owned = { ownerId: string; memberId: string }
type PutFile = {
  file: { folders: string[]; name: string; modifiedAt: Date | null }
  sha256: string
  sizeBytes: number
  patientHint?: PatientHint
}

type Folders = { row: Owned; folderId: string; folders: readonly string[][] }

/** Those that are there already are used: an earlier attempt made them. */
export async function makeFolders(
  ctx: Context,
  tx: Tx,
  { row, folderId, folders }: Folders,
): Promise<Map<string, string>> {
  const known = new Map([['', folderId]])
  const deepest = Math.max(0, ...folders.map(({ length }) => length))
  // Level by level: one question and one writing for all of it.
  for (let depth = 1; depth <= deepest; depth += 1) {
    const level = new Map(
      folders
        .filter(({ length }) => length >= depth)
        .map((parts): [string, FolderPlace] => {
          const parentId = known.get(parts.slice(0, depth - 1).join('/')) ?? folderId
          return [parts.slice(0, depth).join('/'), { parentId, name: parts[depth - 1] ?? '' }]
        }),
    )
    const there = await foldersAt(tx, row.ownerId, [...level.values()])
    const missing: (FolderPlace & { id: string })[] = []
    for (const [key, place] of level) {
      const id = there.get(keyOf(place)) ?? newId()
      known.set(key, id)
      if (!there.has(keyOf(place))) missing.push({ ...place, id })
    }
    await insertFolders(ctx, tx, row, missing)
  }
  return known
}

type FolderPlace = { parentId: string | null; name: string }
const keyOf = ({ parentId, name }: FolderPlace): string => `${parentId ?? ''}/${name}`

async function foldersAt(
  tx: Tx,
  ownerId: string,
  places: readonly FolderPlace[],
): Promise<Map<string, string>> {
  const parents = [...new Set(places.map(({ parentId }) => parentId ?? ''))]
  const names = [...new Set(places.map(({ name }) => name))]
  const rows = await tx
    .select({ id: files.id, parentId: files.parentId, name: files.name })
    .from(files)
    .where(
      sql`${eq(files.ownerId, ownerId)} and coalesce(${files.parentId}, '') = any(${sql.param(parents)})
        and ${files.name} = any(${sql.param(names)}) and ${files.kind} = 'folder' and ${files.recycledAt} is null`,
    )
  return new Map(rows.map((one) => [keyOf(one), one.id]))
}

/** Rows of one statement: a database takes so many values at once. */
const ROWS = 1000

export async function insertFolders(
  ctx: Context,
  tx: Tx,
  row: Owned,
  folders: readonly (FolderPlace & { id: string })[],
): Promise<void> {
  const values = folders.map(({ id, parentId, name }) => ({
    id,
    ownerId: row.ownerId,
    parentId,
    kind: 'folder' as const,
    ...nameColumns(name, 'folder'),
    modifiedAt: ctx.now(),
    modifiedBy: row.memberId,
  }))
  for (let start = 0; start < values.length; start += ROWS) {
    await tx.insert(files).values(values.slice(start, start + ROWS))
  }
}

type NewFiles = { row: Owned; taken: readonly PutFile[]; folders: Map<string, string> }

/** Answers with the bytes that they take. */
export async function insertFiles(ctx: Context, tx: Tx, { row, taken, folders }: NewFiles): Promise<number> {
  const growth = new Map<string, { bytes: number; files: number }>()
  for (const { file, sha256, sizeBytes, patientHint } of taken) {
    const parentId = folders.get(file.folders.join('/'))
    if (parentId === undefined) throw new Error('A folder of an archive was not made')
    await addBlob(tx, { sha256, sizeBytes, ...(patientHint ? { patientHint } : {}) })
    await insertFile(ctx, tx, {
      row,
      parentId,
      name: file.name,
      sha256,
      sizeBytes,
      modifiedAt: file.modifiedAt,
    })
    const sum = growth.get(parentId) ?? { bytes: 0, files: 0 }
    growth.set(parentId, { bytes: sum.bytes + sizeBytes, files: sum.files + 1 })
  }
  for (const [parentId, sum] of growth) await grow(tx, parentId, sum)
  return taken.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

type NewFile = {
  row: Owned
  parentId: string
  name: string
  sha256: string
  sizeBytes: number
  modifiedAt: Date | null
}

async function insertFile(ctx: Context, tx: Tx, { row, parentId, name, ...file }: NewFile): Promise<void> {
  const { sha256, sizeBytes, modifiedAt } = file
  const { ownerId, memberId } = row
  const values = (chosen: string) => ({
    id: newId(),
    ownerId,
    parentId,
    kind: 'file' as const,
    ...nameColumns(chosen, 'file'),
    sha256,
    sizeBytes,
    fileCount: 1,
    modifiedAt: isSensible(modifiedAt, ctx.now()) ? modifiedAt : ctx.now(),
    modifiedBy: memberId,
  })
  const inserted = await tx
    .insert(files)
    .values(values(name))
    .onConflictDoNothing()
    .returning({ id: files.id })
  if (inserted.length > 0) return
  // Somebody put a file of this name there meanwhile.
  const names = new Set((await childrenOf(tx, ownerId, [parentId])).map((child) => child.name))
  await tx.insert(files).values(values(numberedName({ name, kind: 'file' }, (one) => names.has(one))))
}

/** Archives hold dates of any century. */
const isSensible = (date: Date | null, now: Date): date is Date =>
  date !== null && date.getFullYear() >= 1980 && date <= now
