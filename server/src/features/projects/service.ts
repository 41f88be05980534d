import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type Display, displaysOf } from '@neuroloom/contract/displays'
import type { ProjectTask } from '@neuroloom/contract/task'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { accessChanged } from '../files/service.ts'
import { requireRoomToShare } from '../plans/access.ts'
import * as plans from '../plans/service.ts'
import { requireProject } from './access.ts'
import { countOwn, projectOf } from './list.ts'
import { nameColumns, orNameTaken } from './names.ts'
import { tellAbout } from './news.ts'
import { type ProjectRow, projects } from './tables.ts'

export { coversOf, findProjects } from './list.ts'
export type { ArchiveOptions, ProjectArchive, ProjectPart } from './parts.ts'
export { statementsOf } from './statements.ts'

export async function create(
  ctx: Context,
  { name, description, task }: Parsed<'projects/create'>,
  caller: Caller,
): Promise<Answer<'projects/create'>> {
  const id = newId()
  await orNameTaken(name, () =>
    ctx.db.transaction((tx) =>
      insertOwn(ctx, tx, caller, { id, name, description, task, displays: [...displaysOf[task]] }),
    ),
  )
  return projectOf(ctx, caller.user, id)
}

/** A new own project, if there is room for it. */
export async function insertOwn(
  ctx: Context,
  tx: Tx,
  caller: Caller,
  fresh: Pick<ProjectRow, 'id' | 'name' | 'description' | 'task' | 'displays'>,
): Promise<void> {
  await requireRoom(ctx, tx, caller)
  const now = ctx.now()
  await tx.insert(projects).values({
    ...fresh,
    ...nameColumns(fresh),
    ownerId: caller.user.id,
    createdAt: now,
    modifiedAt: now,
  })
}

/** Also makes a member's creations queue up, so that the limit is exact. */
export async function requireRoom(ctx: Context, tx: Tx, { user }: Caller): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`projects ${user.id}`}, 0))`)
  const limit = plans.limitsOf(ctx, user).projects
  if (limit !== null && (await countOwn(tx, user.id)) >= limit) throw fail('plan_limit', { limit })
}

export async function rename(
  ctx: Context,
  { id, name, description }: Parsed<'projects/rename'>,
  { user }: Caller,
): Promise<Answer<'projects/rename'>> {
  await orNameTaken(name, () =>
    ctx.db.transaction(async (tx) => {
      const before = await requireProject(tx, user, id, 'edit')
      await change(ctx, tx, id, nameColumns({ name, description: description ?? before.description }))
    }),
  )
  await tellAbout(ctx, id)
  return projectOf(ctx, user, id)
}

export async function setPublic(
  ctx: Context,
  { id, isPublic }: Parsed<'projects/setPublic'>,
  { user }: Caller,
): Promise<Answer<'projects/setPublic'>> {
  if (isPublic) plans.requireSharer(ctx, user)
  await ctx.db.transaction(async (tx) => {
    const { publicAt } = await requireProject(tx, user, id, 'own')
    await change(ctx, tx, id, { publicAt: isPublic ? (publicAt ?? ctx.now()) : null })
    if (isPublic) return requireRoomToShare(ctx, tx, { ownerId: user.id, id })
    await accessChanged(tx, [user.id])
    await ctx.live.rightsChanged(tx, null)
  })
  await tellAbout(ctx, id)
  return projectOf(ctx, user, id)
}

export async function setDisplays(
  ctx: Context,
  { id, displays }: Parsed<'projects/setDisplays'>,
  { user }: Caller,
): Promise<Answer<'projects/setDisplays'>> {
  await ctx.db.transaction(async (tx) => {
    const { task } = await requireProject(tx, user, id, 'edit')
    await change(ctx, tx, id, { displays: chosenOf(task, displays) })
  })
  await tellAbout(ctx, id)
  return projectOf(ctx, user, id)
}

/** Each once, in the order in which pages show them. */
function chosenOf(task: ProjectTask, wanted: Display[]): Display[] {
  const offered: readonly Display[] = displaysOf[task]
  if (wanted.length === 0) throw fail('display_needed')
  if (wanted.some((display) => !offered.includes(display))) throw fail('display_unfit')
  return offered.filter((display) => wanted.includes(display))
}

/** Refuses as `project_missing` what was removed at this very moment. */
async function change(ctx: Context, tx: Tx, id: string, values: Partial<ProjectRow>): Promise<void> {
  const changed = await tx
    .update(projects)
    .set({ ...values, modifiedAt: ctx.now() })
    .where(and(eq(projects.id, id), isNull(projects.recycledAt)))
    .returning({ id: projects.id })
  if (changed.length === 0) throw fail('project_missing')
}
