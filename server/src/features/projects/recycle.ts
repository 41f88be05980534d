import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { projects as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { latestTime } from '../../infra/due.ts'
import { users } from '../accounts/tables.ts'
import { accessChanged } from '../files/service.ts'
import * as plans from '../plans/service.ts'
import { requireProject } from './access.ts'
import { projectOf } from './list.ts'
import { freeName, nameColumns } from './names.ts'
import { tellAbout } from './news.ts'
import { requireRoom } from './service.ts'
import { projects } from './tables.ts'

/** Gone for everybody at once; whom it was shared with has it again when it comes back. */
export async function remove(
  ctx: Context,
  { id }: Parsed<'projects/remove'>,
  { user }: Caller,
): Promise<Answer<'projects/remove'>> {
  await ctx.db.transaction(async (tx) => {
    await requireProject(tx, user, id, 'own')
    const recycledAt = await latestTime(ctx, tx)
    const removed = await tx
      .update(projects)
      .set({ recycledAt, clearsAt: plans.clearingOf(ctx, { recycledAt, clearsAt: null }, user) })
      .where(and(eq(projects.id, id), isNull(projects.recycledAt)))
      .returning({ id: projects.id })
    if (removed.length === 0) throw fail('project_missing')
    for (const part of ctx.told('projectPart')) await part.removed?.(ctx, tx, id)
    await accessChanged(tx, [user.id])
    await ctx.live.rightsChanged(tx, null)
  })
  await tellAbout(ctx, id)
  return { recycleDays: plans.limitsOf(ctx, user).recycleDays }
}

export async function recycled(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'projects/recycled'>> {
  const rows = await ctx.db
    .select()
    .from(projects)
    .where(and(eq(projects.ownerId, user.id), isNotNull(projects.recycledAt)))
    .orderBy(desc(projects.recycledAt), desc(projects.id))
    .limit(limits.recycledShown)
  return {
    projects: rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      task: row.task,
      recycledAt: (row.recycledAt ?? ctx.now()).toISOString(),
      clearsAt: plans.clearingOf(ctx, row, user).toISOString(),
    })),
    recycleDays: plans.limitsOf(ctx, user).recycleDays,
  }
}

export async function restore(
  ctx: Context,
  { id }: Parsed<'projects/restore'>,
  caller: Caller,
): Promise<Answer<'projects/restore'>> {
  const { user } = caller
  await ctx.db.transaction(async (tx) => {
    await requireRoom(ctx, tx, caller)
    // Against deleting it for good at the same moment.
    const [project] = await tx
      .select()
      .from(projects)
      .where(and(eq(projects.id, id), eq(projects.ownerId, user.id), isNotNull(projects.recycledAt)))
      .for('update')
    if (!project) throw fail('project_missing')
    const { description } = project
    const name = await freeName(tx, project)
    await tx
      .update(projects)
      .set({ ...nameColumns({ name, description }), recycledAt: null, clearsAt: null, modifiedAt: ctx.now() })
      .where(eq(projects.id, id))
  })
  await tellAbout(ctx, id)
  return projectOf(ctx, user, id)
}

/** The member's own wish: for good. */
export async function purgeOwn(
  ctx: Context,
  { ids }: Parsed<'projects/purge'>,
  { user }: Caller,
): Promise<Answer<'projects/purge'>> {
  const rows = await ctx.db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.ownerId, user.id),
        isNotNull(projects.recycledAt),
        ids === null ? undefined : inArray(projects.id, ids),
      ),
    )
  if (ids !== null && rows.length < new Set(ids).size) throw fail('project_missing')
  let purged = 0
  for (const { id } of rows) if (await purgeOne(ctx, id, () => true)) purged += 1
  return { purged }
}

/** Deletes what has been in the recycle station for its time. */
export async function purge(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .select({ id: projects.id, recycledAt: projects.recycledAt, clearsAt: projects.clearsAt, owner: users })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.ownerId))
    .where(lte(projects.recycledAt, plans.soonestCleared(ctx)))
    .orderBy(asc(projects.recycledAt))
  for (const { owner, ...row } of rows) {
    const isDue = (found: Recycled): boolean => plans.clearingOf(ctx, found, owner) <= ctx.now()
    if (isDue(row)) await purgeOne(ctx, row.id, isDue)
  }
}

type Recycled = Pick<typeof projects.$inferSelect, 'recycledAt' | 'clearsAt'>

/** Each in a transaction of its own: what a crash leaves is still in the recycle station. False when it came back. */
async function purgeOne(ctx: Context, id: string, isDue: (project: Recycled) => boolean): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const [going] = await tx
      .select({ recycledAt: projects.recycledAt, clearsAt: projects.clearsAt })
      .from(projects)
      .where(and(eq(projects.id, id), isNotNull(projects.recycledAt)))
      .for('update')
    // Asked again: it may have come back, and have been removed anew.
    if (!going || !isDue(going)) return false
    for (const part of ctx.told('projectPart')) await part.purged?.(ctx, tx, id)
    await tx.delete(projects).where(eq(projects.id, id))
    await ctx.live.forget(tx, { kind: 'project', id })
    return true
  })
}
