import type { Answer, Body } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { makeBreath } from '../../../infra/aside/slices.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { users } from '../../accounts/tables.ts'
import * as plans from '../../plans/service.ts'
import { requireFolder } from '../access.ts'
import { cleanName, nameColumns } from '../names.ts'
import { countAtTop, requireRoomAtTop } from '../room-at-top.ts'
import { files, uploads } from '../tables.ts'
import { childrenOf, depthOf, lockCloud } from '../tree.ts'
import { type NewFolder, type NewUpload, planUpload } from './prepare-plan.ts'

/** Announces an upload: all of its folders, numbers and space, or with `ask` and taken names nothing at all. */
export async function prepare(
  ctx: Context,
  body: Body<'files/prepare'>,
  caller: Caller,
): Promise<Answer<'files/prepare'>> {
  const loose = body.files.filter(({ path }) => !path.includes('/')).length
  if (loose > limits.looseFiles) throw fail('too_many_files', { limit: limits.looseFiles, count: loose })
  // A file that is too large is refused by its name: it must not pass for a full disk.
  const takeable = body.files.filter(({ sizeBytes }) => sizeBytes <= limits.fileBytes)
  await ctx.room.require(takeable.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  await requireOpenUploads(ctx.db, caller, 0)
  return announce(ctx, body, caller)
}

async function announce(
  ctx: Context,
  body: Body<'files/prepare'>,
  caller: Caller,
): Promise<Answer<'files/prepare'>> {
  const pause = makeBreath()
  return ctx.db.transaction(async (tx) => {
    await lockUploads(tx, caller)
    const owner = await lockTarget(tx, caller, body.parentId)
    if (body.parentId === null) await requireTopFolders(ctx, tx, { body, caller })
    const plan = await planUpload(body, {
      depth: await depthOf(tx, body.parentId),
      load: (folderIds) => childrenOf(tx, owner.id, folderIds),
      pause,
    })
    const { conflicts, refused, folderId } = plan
    if (conflicts.length > 0) {
      return { conflicts, refused, uploads: [], folderId: body.parentId, batch: null }
    }
    const atTop = plan.folders.filter(({ parentId }) => parentId === null).length
    if (atTop > 0) await requireRoomAtTop(ctx, tx, { caller, folders: atTop })
    const announced = plan.uploads.filter((upload) => upload !== null)
    await requireOpenUploads(tx, caller, announced.length)
    const bytes = announced.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    await plans.reserve(ctx, tx, owner, bytes)
    const target = { ownerId: owner.id, memberId: caller.user.id, baseId: body.parentId }
    for (const folders of inParts(plan.folders)) {
      await insertFolders(ctx, tx, { ...target, folders })
      await pause()
    }
    const batch = newId()
    for (const some of inParts(announced)) {
      await insertUploads(ctx, tx, { ...target, batch, announced: some })
      await pause()
    }
    return {
      conflicts: [],
      refused,
      folderId,
      uploads: plan.uploads.map((upload) => upload?.id ?? null),
      batch: announced.length > 0 ? batch : null,
    }
  })
}

/** Rows of one statement: to write them as parameters takes the time of one slice. */
const ROWS = 200

function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS) yield rows.slice(start, start + ROWS)
}

/** Uploads of one member are counted one after the other, whosever clouds they go to. */
const lockUploads = (tx: Tx, { user }: Caller) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${user.id}`}, 0))`)

/** Refused where further ones do not fit, or, with none in hand yet, where no single one would. */
async function requireOpenUploads(db: Db, { user }: Caller, further: number): Promise<void> {
  const limit = limits.openUploads
  const open = await db.$count(uploads, and(eq(uploads.memberId, user.id), isNull(uploads.doneAt)))
  if (open + Math.max(further, 1) > limit) throw fail('too_many_uploads', { limit })
}

/** More names at the top than there may be folders at all need no plan to be refused. */
async function requireTopFolders(
  ctx: Context,
  tx: Tx,
  { body, caller }: { body: Body<'files/prepare'>; caller: Caller },
): Promise<void> {
  const limit = plans.limitsOf(ctx, caller.user).topFolders
  if (limit === null) return
  const there = await countAtTop(tx, caller.user.id)
  const names = new Set<string>()
  for (const { path } of body.files) {
    const slash = path.indexOf('/')
    const name = slash > 0 ? cleanName(path.slice(0, slash)) : null
    if (name !== null) names.add(name)
    // Those that are there already may be among the names.
    if (names.size > Math.max(limit, there)) throw fail('plan_limit', { limit })
  }
}

type Owner = Pick<SessionUser, 'id' | 'vipLevel' | 'vipSuper'>

/** Whose cloud it goes to, locked; a folder of somebody else's must be shared for editing. */
async function lockTarget(tx: Tx, { user }: Caller, parentId: string | null): Promise<Owner> {
  if (parentId === null) {
    await lockCloud(tx, user.id)
    return user
  }
  const { ownerId } = await requireFolder(tx, user, parentId, 'edit')
  await lockCloud(tx, ownerId)
  // Again under the lock: it may have been removed, or the share withdrawn, in between.
  await requireFolder(tx, user, parentId, 'edit')
  if (ownerId === user.id) return user
  const [owner] = await tx.select().from(users).where(eq(users.id, ownerId))
  if (!owner) throw fail('missing')
  return owner
}

type Target<T extends object> = { ownerId: string; memberId: string; baseId: string | null } & T

/** One statement however many: a query parameter a column, not a value. */
async function insertFolders(
  ctx: Context,
  tx: Tx,
  { ownerId, memberId, folders }: Target<{ folders: NewFolder[] }>,
) {
  if (folders.length === 0) return
  const names = folders.map(({ name }) => nameColumns(name, 'folder'))
  await tx.execute(sql`
    insert into ${files}
      (id, parent_id, name, search_name, sort_name, owner_id, kind, modified_at, modified_by)
    select column_1, column_2, column_3, column_4, column_5,
      ${ownerId}, 'folder', ${ctx.now()}, ${memberId}
    from unnest(
      ${texts(folders.map(({ id }) => id))},
      ${texts(folders.map(({ parentId }) => parentId))},
      ${texts(names.map(({ name }) => name))},
      ${texts(names.map(({ searchName }) => searchName))},
      ${texts(names.map(({ sortName }) => sortName))}
    ) as made (column_1, column_2, column_3, column_4, column_5)`)
}

async function insertUploads(
  ctx: Context,
  tx: Tx,
  { ownerId, memberId, baseId, batch, announced }: Target<{ batch: string; announced: NewUpload[] }>,
) {
  if (announced.length === 0) return
  await tx.execute(sql`
    insert into ${uploads} (
      id, parent_id, name, same_name, size_bytes, path, unpack, encoding,
      owner_id, member_id, batch, base_id, touched_at, started_at
    )
    select column_1, column_2, column_3, column_4, column_5, column_6, column_7, column_8,
      ${ownerId}, ${memberId}, ${batch}, ${baseId}, ${ctx.now()}, ${ctx.now()}
    from unnest(
      ${texts(announced.map(({ id }) => id))},
      ${texts(announced.map(({ parentId }) => parentId))},
      ${texts(announced.map(({ name }) => name))},
      ${texts(announced.map(({ sameName }) => sameName))},
      ${sql.param(announced.map(({ sizeBytes }) => sizeBytes))}::bigint[],
      ${texts(announced.map(({ path }) => path))},
      ${texts(announced.map(({ unpack }) => unpack))},
      ${texts(announced.map(({ encoding }) => encoding))}
    ) as announced (column_1, column_2, column_3, column_4, column_5, column_6, column_7, column_8)`)
}

const texts = (values: (string | null)[]) => sql`${sql.param(values)}::text[]`
