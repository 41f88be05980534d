import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import type { PatientHint } from '../../../infra/reader/patient-hint.ts'
import { texts } from '../free-names.ts'
import { nameColumns, numberedName } from '../names.ts'
import { type FileRow, files, type UploadRow } from '../tables.ts'
import { childrenOf, findChild, Growths } from '../tree.ts'

/** An upload whose bytes lie in the store for good. */
export type Whole = {
  upload: UploadRow
  sha256: string
  patientHint: PatientHint
}

export type Placed = Whole & { id: string; name: string; addedBytes: number; action: 'upload' | 'replace' }

/**
 * Under their names; where one is taken by now, as was said for that case. Skipped ones are left out. What the folders
 * grow by is the caller's to apply.
 */
export async function placeAll(
  ctx: Context,
  tx: Tx,
  counted: readonly Whole[],
): Promise<{ placed: Placed[]; growths: Growths }> {
  const growths = new Growths()
  const placed = await insertFiles(
    ctx,
    tx,
    counted.map((one) => ({ ...one, name: one.upload.name })),
  )
  const inserted = new Set(placed.map(({ upload }) => upload.id))
  for (const one of counted.filter(({ upload }) => !inserted.has(upload.id))) {
    const other = await placeClashing(ctx, tx, one)
    if (other) placed.push(other)
  }
  for (const { upload, addedBytes, action } of placed)
    growths.add(upload.parentId, { bytes: addedBytes, files: action === 'upload' ? 1 : 0 })
  return { placed, growths }
}

/** Without those whose names are taken. */
async function insertFiles(
  ctx: Context,
  tx: Tx,
  named: readonly (Whole & { name: string })[],
): Promise<Placed[]> {
  const made = named.map((one) => ({ ...one, id: newId() }))
  const names = named.map(({ name }) => nameColumns(name, 'file'))
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into ${files} (
      id, owner_id, parent_id, name, search_name, sort_name, type, sha256, size_bytes, modified_by,
      kind, file_count, modified_at
    )
    select *, 'file', 1, ${ctx.now()}
    from unnest(
      ${texts(made.map(({ id }) => id))},
      ${texts(made.map(({ upload }) => upload.ownerId))},
      ${texts(made.map(({ upload }) => upload.parentId))},
      ${texts(names.map(({ name }) => name))},
      ${texts(names.map(({ searchName }) => searchName))},
      ${texts(names.map(({ sortName }) => sortName))},
      ${texts(names.map(({ type }) => type))},
      ${texts(made.map(({ sha256 }) => sha256))},
      ${sql.param(made.map(({ upload }) => upload.sizeBytes))}::bigint[],
      ${texts(made.map(({ upload }) => upload.memberId))}
    )
    on conflict do nothing
    returning id`)
  const inserted = new Set(rows.map(({ id }) => id))
  return made
    .filter(({ id }) => inserted.has(id))
    .map((one) => ({ ...one, addedBytes: one.upload.sizeBytes, action: 'upload' }))
}

/** Null = skipped. */
async function placeClashing(ctx: Context, tx: Tx, one: Whole): Promise<Placed | null> {
  const { ownerId, parentId, name, sameName } = one.upload
  const there = await findChild(tx, { ownerId, parentId, name })
  if (there?.kind === 'file' && sameName === 'skip') return null
  if (there?.kind === 'file' && sameName === 'overwrite') return replace(ctx, tx, one, there)
  const [numbered] = await insertFiles(ctx, tx, [{ ...one, name: await freeName(tx, one.upload) }])
  if (!numbered) throw new Error('A name was taken although the cloud is locked')
  return numbered
}

/** The file keeps its identity and gets other bytes; the old ones take no space any more. */
async function replace(ctx: Context, tx: Tx, one: Whole, there: FileRow): Promise<Placed> {
  const { sizeBytes, memberId } = one.upload
  await tx
    .update(files)
    .set({ sha256: one.sha256, sizeBytes, modifiedAt: ctx.now(), modifiedBy: memberId })
    .where(eq(files.id, there.id))
  const { id, name } = there
  return { ...one, id, name, addedBytes: sizeBytes - there.sizeBytes, action: 'replace' }
}

async function freeName(tx: Tx, { ownerId, parentId, name }: UploadRow): Promise<string> {
  const taken = new Set((await childrenOf(tx, ownerId, [parentId])).map((child) => child.name))
  return numberedName({ name, kind: 'file' }, (one) => taken.has(one))
}
