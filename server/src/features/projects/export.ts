import { and, asc, eq, isNull } from 'drizzle-orm'
import { type ArchivedFile, jsonFile, jsonList } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { users } from '../accounts/tables.ts'
import { selectShares } from './sharing.ts'
import { projectShares, projectStatements, projects } from './tables.ts'

/** All projects, those in the recycle station too, and to whom which was given. */
export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('projects.json', rowsOf(ctx, userId))
  yield jsonFile('project-sharing.json', { received: await receivedBy(ctx, userId) })
}

async function* rowsOf(ctx: Context, userId: string): AsyncIterable<object> {
  const rows = await ctx.db
    .select()
    .from(projects)
    .where(eq(projects.ownerId, userId))
    .orderBy(asc(projects.createdAt), asc(projects.id))
  for (const { ownerId: _, searchText: __, ...project } of rows) {
    yield {
      ...project,
      shares: await selectShares(ctx, eq(projectShares.projectId, project.id)),
      statements: await said(ctx, project.id),
    }
  }
}

const said = ({ db }: Context, projectId: string) =>
  db
    .select({
      name: projectStatements.name,
      text: projectStatements.text,
      modifiedAt: projectStatements.modifiedAt,
    })
    .from(projectStatements)
    .where(eq(projectStatements.projectId, projectId))
    .orderBy(asc(projectStatements.name))

const receivedBy = ({ db }: Context, userId: string) =>
  db
    .select({
      name: projects.name,
      owner: users.nickName,
      permission: projectShares.permission,
      sharedAt: projectShares.sharedAt,
    })
    .from(projectShares)
    .innerJoin(projects, eq(projects.id, projectShares.projectId))
    .innerJoin(users, eq(users.id, projectShares.ownerId))
    .where(and(eq(projectShares.userId, userId), isNull(projects.recycledAt)))
    .orderBy(asc(projectShares.sharedAt))
