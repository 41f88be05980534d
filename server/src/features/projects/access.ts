import type { Access } from '@neuroloom/contract/files'
import { isLearned, type Task } from '@neuroloom/contract/task'
import { and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { isEnough } from '../files/access.ts'
import { type ProjectRow, projectShares, projects } from './tables.ts'

type Member = Pick<SessionUser, 'id'>
/** A live project and what the caller may do with it. */
export type SeenProject = ProjectRow & {
  access: Access
  /** Nickname of its owner; '' for own ones. */
  owner: string
  /** By which share the caller sees it. */
  shareId: string | null
}

/**
 * The live project, if the caller has at least this right to it: own, or by a share, or to look at because it is
 * public. `project_missing` for foreign, removed and unknown ones alike; `not_allowed` where it may be seen but not this.
 */
export async function requireProject(db: Db, user: Member, id: string, right: Access): Promise<SeenProject> {
  const [project] = await selectSeen(db, user, { where: eq(projects.id, id), limit: 1 })
  if (!project) throw fail('project_missing')
  if (!isEnough(project.access, right)) throw fail('not_allowed')
  return project
}

/** The same of a project in which networks learn: 4D flow has neither data sets nor networks. */
export async function requireLearnedProject(
  db: Db,
  user: Member,
  id: string,
  right: Access,
): Promise<SeenProject & { task: Task }> {
  const project = await requireProject(db, user, id, right)
  const { task } = project
  if (!isLearned(task)) throw fail('task_differs')
  return { ...project, task }
}

/** Of the projects that the member may see, those that meet the condition; the newest first. */
export async function selectSeen(
  db: Db,
  { id: userId }: Member,
  { where, limit }: { where: SQL | undefined; limit: number },
): Promise<SeenProject[]> {
  const rows = await db
    .select({
      project: projects,
      shareId: projectShares.id,
      permission: projectShares.permission,
      nickName: users.nickName,
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.ownerId))
    .leftJoin(projectShares, isGivenTo(userId))
    .where(and(isSeenBy(userId), where))
    .orderBy(sql`${projects.createdAt} desc, ${projects.id} desc`)
    .limit(limit)
  return rows.map(({ project, shareId, permission, nickName }) => {
    const isOwn = project.ownerId === userId
    return {
      ...project,
      access: isOwn ? 'own' : (permission ?? 'view'),
      owner: isOwn ? '' : nickName,
      shareId,
    }
  })
}

/** Ids of all projects that the member may see, as a subquery. */
export const seenProjects = (db: Db, userId: string) =>
  db
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.ownerId))
    .leftJoin(projectShares, isGivenTo(userId))
    .where(isSeenBy(userId))

/** Ids of all projects that the member may change, as a subquery. */
export const editableProjects = (db: Db, userId: string) =>
  db
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.ownerId))
    .leftJoin(projectShares, isGivenTo(userId))
    .where(and(isSeenBy(userId), or(eq(projects.ownerId, userId), eq(projectShares.permission, 'edit'))))

/** Since when others see the project; null while it is its owner's alone. */
export const seenByOthersSince = sql<Date | null>`least(${projects.publicAt}, (
  select min(${projectShares.sharedAt}) from ${projectShares} where ${projectShares.projectId} = ${projects.id}
))`

const isGivenTo = (userId: string): SQL | undefined =>
  and(eq(projectShares.projectId, projects.id), eq(projectShares.userId, userId))

/** Live ones of open accounts; over the joins above. */
const isSeenBy = (userId: string): SQL | undefined =>
  and(
    isNull(projects.recycledAt),
    isNull(users.cancelledAt),
    or(eq(projects.ownerId, userId), isNotNull(projectShares.id), isNotNull(projects.publicAt)),
  )
