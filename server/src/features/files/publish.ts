import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { files as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { users } from '../accounts/tables.ts'
import { requireFolder } from './access.ts'
import { openCursor, sealCursor } from './cursors.ts'
import { entriesOf } from './listing.ts'
import { likePattern } from './listing-question.ts'
import { namesPatient } from './patients/patient-sql.ts'
import { requireWord } from './patients/patients.ts'
import { record } from './records/records.ts'
import { accessChanged } from './sending.ts'
import { isInSight } from './sharing/entries.ts'
import { files } from './tables.ts'
import { lockCloud } from './tree.ts'

/** All members may read a public folder with all that is in it; only administrators' own ones become public. */
export async function publish(
  ctx: Context,
  { id, isPublic, withPatients }: Parsed<'files/publish'>,
  { user }: Caller,
): Promise<Answer<'files/publish'>> {
  await requireFolder(ctx.db, user, id, 'own')
  if (isPublic) await requireWord(ctx, [id], { withPatients })
  await ctx.db.transaction(async (tx) => {
    await lockCloud(tx, user.id)
    const folder = await requireFolder(tx, user, id, 'own')
    if ((folder.publicAt !== null) === isPublic) return
    await tx
      .update(files)
      .set({ publicAt: isPublic ? ctx.now() : null, publicWithPatients: isPublic && withPatients })
      .where(eq(files.id, id))
    await record(ctx, tx, [
      { action: 'publish', actorId: user.id, entry: folder, detail: { public: isPublic ? 1 : 0 } },
    ])
    await accessChanged(tx, [user.id])
  })
  return {}
}

type Last = { at: string; id: string }

export async function listPublic(
  ctx: Context,
  { after, search }: Parsed<'files/public'>,
  caller: Caller,
): Promise<Answer<'files/public'>> {
  const question = { public: true, search }
  // Sealed by ourselves, so it is what we put in.
  const last = after === null ? null : (openCursor(ctx, question, after) as Last)
  const found = and(
    isNotNull(files.publicAt),
    sql`(${files.publicWithPatients} or not ${namesPatient(sql`files`)})`,
    isInSight(sql`${files.id}`),
    isNull(users.cancelledAt),
    search.trim() === '' ? undefined : sql`${files.searchName} like ${likePattern(search)}`,
  )
  const rows = await ctx.db
    .select({
      id: files.id,
      owner: users.nickName,
      ownerId: users.id,
      publicAt: files.publicAt,
      at: sql<string>`${files.publicAt}::text`,
    })
    .from(files)
    .innerJoin(users, eq(users.id, files.ownerId))
    .where(and(found, last ? earlierThan(last) : undefined))
    .orderBy(desc(files.publicAt), desc(files.id))
    .limit(limits.pageSize + 1)
  const page = rows.slice(0, limits.pageSize)
  const end = rows.length > page.length ? page.at(-1) : undefined
  const [counted] = await ctx.db
    .select({ total: sql`count(*)`.mapWith(Number) })
    .from(files)
    .innerJoin(users, eq(users.id, files.ownerId))
    .where(found)
  return {
    entries: await shown(ctx, caller, page),
    next: end ? sealCursor(ctx, question, { at: end.at, id: end.id } satisfies Last) : null,
    total: counted?.total ?? 0,
  }
}

type Row = { id: string; owner: string; ownerId: string; publicAt: Date | null }

async function shown(ctx: Context, caller: Caller, page: Row[]): Promise<Answer<'files/public'>['entries']> {
  const ids = page.map(({ id }) => id)
  const entries = await entriesOf(ctx, ctx.db, { caller, ids, access: 'view' })
  const rowOf = new Map(page.map((row) => [row.id, row]))
  return entries.flatMap((entry) => {
    const row = rowOf.get(entry.id)
    if (!row?.publicAt) return []
    const { owner, ownerId, publicAt } = row
    return [{ entry, owner, isOwn: ownerId === caller.user.id, publicAt: publicAt.toISOString() }]
  })
}

const earlierThan = ({ at, id }: Last): SQL =>
  sql`(${files.publicAt}, ${files.id}) < (${at}::timestamptz, ${id})`
