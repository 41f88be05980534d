/** Public folders as administrators see them, whoever published them. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { published as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { addNotice } from '../../infra/notices.ts'
import { users } from '../accounts/tables.ts'
import { likePattern } from './listing-question.ts'
import { record } from './records/records.ts'
import { accessChanged } from './sending.ts'
import { isInSight } from './sharing/entries.ts'
import { files } from './tables.ts'
import { lockCloud } from './tree.ts'

export async function listPublished(
  ctx: Context,
  { search, page }: Parsed<'office/publicFolders'>,
): Promise<Answer<'office/publicFolders'>> {
  const where = and(
    isNotNull(files.publicAt),
    isInSight(sql`${files.id}`),
    isNull(users.cancelledAt),
    search === '' ? undefined : sql`${files.searchName} like ${likePattern(search)}`,
  )
  const source = () =>
    ctx.db
      .select({ folder: files, nickName: users.nickName, email: users.emailKey, phone: users.phoneKey })
      .from(files)
      .innerJoin(users, eq(users.id, files.ownerId))
      .where(where)
  const rows = await source()
    .orderBy(desc(files.publicAt), desc(files.id))
    .limit(limits.pageSize)
    .offset((page - 1) * limits.pageSize)
  const [counted] = await ctx.db
    .select({ total: sql`count(*)`.mapWith(Number) })
    .from(files)
    .innerJoin(users, eq(users.id, files.ownerId))
    .where(where)
  return {
    folders: rows.flatMap(({ folder: { id, name, publicAt, ...folder }, nickName, email, phone }) => {
      if (publicAt === null) return []
      const { fileCount, sizeBytes, publicWithPatients: withPatients } = folder
      const owner = { nickName, account: email ?? phone ?? '' }
      return [{ id, name, owner, publicAt: publicAt.toISOString(), fileCount, sizeBytes, withPatients }]
    }),
    total: counted?.total ?? 0,
    pageSize: limits.pageSize,
  }
}

/** Its owner is told why; shares of it stay as they are. */
export async function withdraw(
  ctx: Context,
  { id, reason }: Parsed<'office/withdrawFolder'>,
  { user, address }: Caller,
): Promise<Answer<'office/withdrawFolder'>> {
  await ctx.db.transaction(async (tx) => {
    const isPublic = and(eq(files.id, id), isNotNull(files.publicAt))
    const [known] = await tx.select({ ownerId: files.ownerId }).from(files).where(isPublic)
    if (!known) throw fail('missing')
    const { ownerId } = known
    await lockCloud(tx, ownerId)
    const [folder] = await tx
      .update(files)
      .set({ publicAt: null, publicWithPatients: false })
      .where(isPublic)
      .returning()
    if (!folder) throw fail('missing')
    await record(ctx, tx, [{ action: 'publish', actorId: user.id, entry: folder, detail: { public: 0 } }])
    await accessChanged(tx, [ownerId])
    const params = { name: folder.name, reason }
    if (ownerId !== user.id) await addNotice(ctx, tx, { userId: ownerId, kind: 'folder_withdrawn', params })
    await audit(tx, { actor: user.id, action: 'folder.withdraw', subject: `folder:${id}`, address })
  })
  return {}
}
