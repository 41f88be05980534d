import { and, eq, isNull } from 'drizzle-orm'
import type { SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Db } from '../../infra/db.ts'
import { type ProjectRow, projects } from './tables.ts'

/** The own project; `project_missing` for foreign, removed and unknown ones alike. */
export async function requireProject(db: Db, user: Pick<SessionUser, 'id'>, id: string): Promise<ProjectRow> {
  const [project] = await db
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), eq(projects.ownerId, user.id), isNull(projects.recycledAt)))
  if (!project) throw fail('project_missing')
  return project
}
