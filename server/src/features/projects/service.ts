import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Project } from '@neuroloom/contract/projects'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { breaksUnique, type Db, type Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import * as plans from '../plans/service.ts'
import { requireProject } from './access.ts'
import { type ProjectRow, projects } from './tables.ts'

type Summary = Pick<Project, 'counts' | 'lastRun'>

/** What a feature to the right adds to projects and does when one is removed. */
export type ProjectPart = {
  /** Its share of the summary, by project; a project without anything may be left out. */
  summarise(
    db: Db,
    projectIds: string[],
  ): Promise<Map<string, { counts?: Partial<Summary['counts']>; lastRun?: Summary['lastRun'] }>>
  /** In the transaction that removes the project. */
  removed?(ctx: Context, tx: Tx, projectId: string): Promise<void>
}
const parts = new Map<string, ProjectPart>()

/** Features to the right say what they know of projects; `feature` tells them apart. */
export function registerPart(feature: string, part: ProjectPart): void {
  parts.set(feature, part)
}

export async function list(
  ctx: Context,
  { search }: Parsed<'projects/list'>,
  { user }: Caller,
): Promise<Answer<'projects/list'>> {
  const wanted = search.trim().toLowerCase()
  const rows = await ctx.db
    .select()
    .from(projects)
    .where(and(eq(projects.ownerId, user.id), isNull(projects.recycledAt)))
    .orderBy(desc(projects.createdAt), desc(projects.id))
  // A member has dozens at most, and the database lowers the case of Latin letters alone.
  const found = rows.filter((row) => `${row.name}\n${row.description}`.toLowerCase().includes(wanted))
  return { projects: await withSummaries(ctx.db, found), limit: plans.limitsOf(ctx, user).projects }
}

export async function create(
  ctx: Context,
  { name, description, task }: Parsed<'projects/create'>,
  caller: Caller,
): Promise<Answer<'projects/create'>> {
  const id = newId()
  const now = ctx.now()
  await orNameTaken(name, () =>
    ctx.db.transaction(async (tx) => {
      await requireRoom(ctx, tx, caller)
      await tx.insert(projects).values({
        id,
        ownerId: caller.user.id,
        name: name.normalize('NFC'),
        description,
        task,
        createdAt: now,
        modifiedAt: now,
      })
    }),
  )
  return detail(ctx, { id }, caller)
}

export async function detail(
  ctx: Context,
  { id }: Parsed<'projects/detail'>,
  { user }: Caller,
): Promise<Answer<'projects/detail'>> {
  const [project] = await withSummaries(ctx.db, [await requireProject(ctx.db, user, id)])
  if (!project) throw fail('project_missing')
  return project
}

export async function rename(
  ctx: Context,
  { id, name, description }: Parsed<'projects/rename'>,
  caller: Caller,
): Promise<Answer<'projects/rename'>> {
  await requireProject(ctx.db, caller.user, id)
  await orNameTaken(name, () =>
    ctx.db
      .update(projects)
      .set({
        name: name.normalize('NFC'),
        ...(description === undefined ? {} : { description }),
        modifiedAt: ctx.now(),
      })
      .where(and(eq(projects.id, id), isNull(projects.recycledAt))),
  )
  return detail(ctx, { id }, caller)
}

export async function remove(
  ctx: Context,
  { id }: Parsed<'projects/remove'>,
  { user }: Caller,
): Promise<Answer<'projects/remove'>> {
  await ctx.db.transaction(async (tx) => {
    const project = await requireProject(tx, user, id)
    const removed = await tx
      .update(projects)
      .set({ recycledAt: ctx.now() })
      .where(and(eq(projects.id, project.id), isNull(projects.recycledAt)))
      .returning({ id: projects.id })
    if (removed.length === 0) throw fail('project_missing')
    for (const part of parts.values()) await part.removed?.(ctx, tx, id)
  })
  return { recycleDays: plans.limitsOf(ctx, user).recycleDays }
}

export async function restore(
  ctx: Context,
  { id }: Parsed<'projects/restore'>,
  caller: Caller,
): Promise<Answer<'projects/restore'>> {
  await ctx.db.transaction(async (tx) => {
    await requireRoom(ctx, tx, caller)
    const [project] = await tx
      .select()
      .from(projects)
      .where(and(eq(projects.id, id), eq(projects.ownerId, caller.user.id), isNotNull(projects.recycledAt)))
    if (!project) throw fail('project_missing')
    await tx
      .update(projects)
      .set({ recycledAt: null, name: await freeName(tx, project), modifiedAt: ctx.now() })
      .where(eq(projects.id, id))
  })
  return detail(ctx, { id }, caller)
}

/** Also makes a member's creations queue up, so that the limit is exact. */
async function requireRoom(ctx: Context, tx: Tx, { user }: Caller): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`projects ${user.id}`}, 0))`)
  const limit = plans.limitsOf(ctx, user).projects
  const owned = await tx.$count(projects, and(eq(projects.ownerId, user.id), isNull(projects.recycledAt)))
  if (limit !== null && owned >= limit) throw fail('plan_limit', { limit })
}

async function freeName(tx: Tx, { ownerId, name }: ProjectRow): Promise<string> {
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

async function orNameTaken(name: string, change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (breaksUnique(error, 'projects_live_name')) throw fail('name_taken', { name })
    throw error
  }
}

async function withSummaries(db: Db, rows: ProjectRow[]): Promise<Project[]> {
  const ids = rows.map(({ id }) => id)
  const known = await Promise.all([...parts.values()].map((part) => part.summarise(db, ids)))
  return rows.map(({ id, name, description, task, visibility, createdAt, modifiedAt }) => {
    const ofProject = known.map((part) => part.get(id) ?? {})
    const none = { files: 0, datasets: 0, runs: 0, models: 0 }
    return {
      id,
      name,
      description,
      task,
      visibility,
      createdAt: createdAt.toISOString(),
      modifiedAt: modifiedAt.toISOString(),
      counts: Object.assign(none, ...ofProject.map(({ counts }) => counts)),
      lastRun: ofProject.find(({ lastRun }) => lastRun)?.lastRun ?? null,
    }
  })
}
