import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { projects as limits } from '@neuroloom/contract/limits'
import type { Project, ProjectTab } from '@neuroloom/contract/projects'
import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { readCursor } from '../files/service.ts'
import * as plans from '../plans/service.ts'
import { requireProject, type SeenProject, selectSeen } from './access.ts'
import { searchable } from './names.ts'
import { projectShares, projects } from './tables.ts'

export async function list(
  ctx: Context,
  { tab, search, after }: Parsed<'projects/list'>,
  caller: Caller,
): Promise<Answer<'projects/list'>> {
  const { user } = caller
  const found = await selectSeen(ctx.db, user, {
    where: and(isUnder(tab, user.id), holds(search), after === null ? undefined : earlierThan(after)),
    limit: limits.pageSize + 1,
  })
  const page = found.slice(0, limits.pageSize)
  const last = found.length > page.length ? page.at(-1) : undefined
  return {
    projects: await shown(ctx, page),
    covers: await coversOf(
      ctx,
      caller,
      page.map(({ id }) => id),
    ),
    next: last ? `${last.createdAt.getTime()}.${last.id}` : null,
    own: await countOwn(ctx.db, user.id),
    limit: plans.limitsOf(ctx, user).projects,
  }
}

export async function detail(
  ctx: Context,
  { id }: Parsed<'projects/detail'>,
  { user }: Caller,
): Promise<Answer<'projects/detail'>> {
  return projectOf(ctx, user, id)
}

/** One project as the member sees it. */
export async function projectOf(ctx: Context, user: Pick<SessionUser, 'id'>, id: string): Promise<Project> {
  const [project] = await shown(ctx, [await requireProject(ctx.db, user, id, 'view')])
  if (!project) throw fail('project_missing')
  return project
}

/** Own and received ones whose name or description holds the text, the newest first; all of them for ''. */
export async function findProjects(
  db: Db,
  user: Pick<SessionUser, 'id'>,
  { text, limit }: { text: string; limit: number },
): Promise<SeenProject[]> {
  return selectSeen(db, user, { where: and(isAmong(user.id), holds(text)), limit })
}

function holds(text: string): SQL | undefined {
  const wanted = searchable(text.trim())
  return wanted === '' ? undefined : sql`strpos(${projects.searchText}, ${wanted}) > 0`
}

/** Own live projects, shared or not. */
export const countOwn = (db: Db, ownerId: string): Promise<number> =>
  db.$count(projects, and(eq(projects.ownerId, ownerId), isNull(projects.recycledAt)))

function isUnder(tab: ProjectTab, userId: string): SQL | undefined {
  const isOwn = eq(projects.ownerId, userId)
  switch (tab) {
    case 'all':
      return isAmong(userId)
    case 'public':
      return isNotNull(projects.publicAt)
    case 'private':
      return and(isOwn, isNull(projects.publicAt), sql`not ${isGiven}`)
    case 'shared':
      return and(isAmong(userId), or(and(isOwn, isGiven), isNotNull(projectShares.id)))
    default:
      return tab satisfies never
  }
}

/** Own or received. As ids that are looked up first: of all members' projects these are few. */
const isAmong = (userId: string): SQL => sql`${projects.id} = any(array(
  select own.id from projects own where own.owner_id = ${userId}
  union all
  select given.project_id from project_shares given where given.user_id = ${userId}
))`

const isGiven = sql`exists (select from project_shares given where given.project_id = ${projects.id})`

function earlierThan(after: string): SQL {
  const { at, id } = readCursor(after)
  return sql`(${projects.createdAt}, ${projects.id}) < (${at}, ${id})`
}

/** With what other features know of them: a few questions for all of them together. */
async function shown(ctx: Context, rows: SeenProject[]): Promise<Project[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [given, ...known] = await Promise.all([
    sharedOnes(ctx.db, ids),
    ...ctx.told('projectPart').map((part) => part.summarise(ctx.db, ids)),
  ])
  return rows.map((row) => {
    const { id, name, description, task, access, owner, shareId, displays } = row
    const summaries = known.map((part) => part.get(id) ?? {})
    const none = { files: 0, trainSets: 0, testSets: 0, runs: 0, models: 0, reports: 0 }
    return {
      ...{ id, name, description, task, access, owner, shareId, displays },
      visibility: visibilityOf(row, given.has(id)),
      createdAt: row.createdAt.toISOString(),
      modifiedAt: row.modifiedAt.toISOString(),
      counts: Object.assign({ ...none, displays: displays.length }, ...summaries.map(({ counts }) => counts)),
      lastRun: summaries.find(({ lastRun }) => lastRun)?.lastRun ?? null,
    }
  })
}

/** A few addresses of images of each project that has some; whoever asks has checked that the caller may see them. */
export async function coversOf(
  ctx: Context,
  caller: Caller,
  ids: string[],
): Promise<Answer<'projects/list'>['covers']> {
  const known = await Promise.all(
    ctx.told('projectPart').map(async ({ covers }) => (await covers?.(ctx, caller, ids)) ?? new Map()),
  )
  return Object.fromEntries(known.flatMap((part) => [...part]))
}

function visibilityOf({ publicAt }: SeenProject, isShared: boolean): Project['visibility'] {
  if (publicAt !== null) return 'public'
  return isShared ? 'shared' : 'private'
}

async function sharedOnes(db: Db, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ id: projectShares.projectId })
    .from(projectShares)
    .where(inArray(projectShares.projectId, ids))
  return new Set(rows.map(({ id }) => id))
}
