import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { projectShares, projects } from './tables.ts'

/** Open pages of a project, and lists of those who have it, fetch anew; after the commit. */
export async function tellAbout(ctx: Context, projectId: string): Promise<void> {
  const [project] = await ctx.db
    .select({ ownerId: projects.ownerId })
    .from(projects)
    .where(eq(projects.id, projectId))
  const given = await ctx.db
    .select({ userId: projectShares.userId })
    .from(projectShares)
    .where(eq(projectShares.projectId, projectId))
  await ctx.live.passing({ kind: 'project', id: projectId }, 'changed', {})
  if (project) await tellMembers(ctx, [project.ownerId, ...given.map(({ userId }) => userId)])
}

export async function tellMembers(ctx: Context, userIds: readonly string[]): Promise<void> {
  for (const id of userIds) await ctx.live.passing({ kind: 'user', id }, 'projects', {})
}
