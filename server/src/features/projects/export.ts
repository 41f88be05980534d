import { asc, eq } from 'drizzle-orm'
import { type ArchivedFile, jsonList } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { projects } from './tables.ts'

/** All projects, those in the recycle station too. */
export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('projects.json', rowsOf(ctx, userId))
}

async function* rowsOf(ctx: Context, userId: string): AsyncIterable<object> {
  const rows = await ctx.db
    .select()
    .from(projects)
    .where(eq(projects.ownerId, userId))
    .orderBy(asc(projects.createdAt), asc(projects.id))
  for (const { ownerId: _, ...project } of rows) yield project
}
