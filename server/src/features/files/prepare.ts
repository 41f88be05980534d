import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import * as plans from '../plans/service.ts'
import { pathTo, requireFolder } from './access.ts'
import { nameColumns } from './names.ts'
import { type NewFolder, type NewUpload, planUpload } from './prepare-plan.ts'
import { requireRoomAtTop } from './service.ts'
import { files, uploads } from './tables.ts'
import { childrenOf, lockCloud } from './tree.ts'

/** Announces an upload: all of its folders, numbers and space, or with `ask` and taken names nothing at all. */
export async function prepare(
  ctx: Context,
  body: Parsed<'files/prepare'>,
  caller: Caller,
): Promise<Answer<'files/prepare'>> {
  const { user } = caller
  const loose = body.files.filter(({ path }) => !path.includes('/')).length
  if (loose > limits.looseFiles) throw fail('too_many_files', { limit: limits.looseFiles, count: loose })
  return ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    if (body.parentId !== null) await requireFolder(tx, user, body.parentId)
    const plan = await planUpload(body, {
      depth: (await pathTo(tx, body.parentId)).length,
      load: (folderIds) => childrenOf(tx, user.id, folderIds),
    })
    const { conflicts, refused, folderId } = plan
    if (body.sameName === 'ask' && conflicts.length > 0) {
      return { conflicts, refused, uploads: [], folderId: body.parentId }
    }
    const atTop = plan.folders.filter(({ parentId }) => parentId === null).length
    if (atTop > 0) await requireRoomAtTop(ctx, tx, { caller, folders: atTop })
    const announced = plan.uploads.filter((upload) => upload !== null)
    const bytes = announced.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    await plans.reserve(ctx, tx, user, bytes)
    await insertFolders(ctx, tx, { caller, folders: plan.folders })
    await insertUploads(ctx, tx, { caller, announced })
    return { conflicts: [], refused, folderId, uploads: plan.uploads.map((upload) => upload?.id ?? null) }
  })
}

type Batch<T extends object> = { caller: Caller } & T

/** One statement however many: a query parameter a column, not a value. */
async function insertFolders(ctx: Context, tx: Tx, { caller, folders }: Batch<{ folders: NewFolder[] }>) {
  if (folders.length === 0) return
  const names = folders.map(({ name }) => nameColumns(name))
  await tx.execute(sql`
    insert into ${files}
      (id, parent_id, name, search_name, sort_name, owner_id, kind, modified_at, modified_by)
    select column_1, column_2, column_3, column_4, column_5,
      ${caller.user.id}, 'folder', ${ctx.now()}, ${caller.user.id}
    from unnest(
      ${texts(folders.map(({ id }) => id))},
      ${texts(folders.map(({ parentId }) => parentId))},
      ${texts(names.map(({ name }) => name))},
      ${texts(names.map(({ searchName }) => searchName))},
      ${texts(names.map(({ sortName }) => sortName))}
    ) as made (column_1, column_2, column_3, column_4, column_5)`)
}

async function insertUploads(ctx: Context, tx: Tx, { caller, announced }: Batch<{ announced: NewUpload[] }>) {
  if (announced.length === 0) return
  await tx.execute(sql`
    insert into ${uploads} (id, parent_id, name, same_name, size_bytes, owner_id, touched_at)
    select column_1, column_2, column_3, column_4, column_5, ${caller.user.id}, ${ctx.now()}
    from unnest(
      ${texts(announced.map(({ id }) => id))},
      ${texts(announced.map(({ parentId }) => parentId))},
      ${texts(announced.map(({ name }) => name))},
      ${texts(announced.map(({ sameName }) => sameName))},
      ${sql.param(announced.map(({ sizeBytes }) => sizeBytes))}::bigint[]
    ) as announced (column_1, column_2, column_3, column_4, column_5)`)
}

const texts = (values: (string | null)[]) => sql`${sql.param(values)}::text[]`
