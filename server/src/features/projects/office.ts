/** Public projects as administrators see them. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { published as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { containing } from '../../infra/db.ts'
import { addNotice } from '../../infra/notices.ts'
import { users } from '../accounts/tables.ts'
import { accessChanged } from '../files/service.ts'
import { tellAbout } from './news.ts'
import { projects } from './tables.ts'

export async function listPublic(
  ctx: Context,
  { search, page }: Parsed<'office/publicProjects'>,
): Promise<Answer<'office/publicProjects'>> {
  const where = and(
    isNotNull(projects.publicAt),
    isNull(projects.recycledAt),
    isNull(users.cancelledAt),
    search === '' ? undefined : sql`${projects.searchText} like ${containing(search.toLowerCase())}`,
  )
  const rows = await ctx.db
    .select({ project: projects, nickName: users.nickName, email: users.emailKey, phone: users.phoneKey })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.ownerId))
    .where(where)
    .orderBy(desc(projects.publicAt), desc(projects.id))
    .limit(limits.pageSize)
    .offset((page - 1) * limits.pageSize)
  const [counted] = await ctx.db
    .select({ total: sql`count(*)`.mapWith(Number) })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.ownerId))
    .where(where)
  return {
    projects: rows.flatMap(({ project: { id, name, task, publicAt }, nickName, email, phone }) => {
      if (publicAt === null) return []
      const owner = { nickName, account: email ?? phone ?? '' }
      return [{ id, name, owner, task, publicAt: publicAt.toISOString() }]
    }),
    total: counted?.total ?? 0,
    pageSize: limits.pageSize,
  }
}

/** Its owner is told why; shares of it stay as they are. */
export async function withdraw(
  ctx: Context,
  { id, reason }: Parsed<'office/withdrawProject'>,
  { user, address }: Caller,
): Promise<Answer<'office/withdrawProject'>> {
  await ctx.db.transaction(async (tx) => {
    const [project] = await tx
      .update(projects)
      .set({ publicAt: null })
      .where(and(eq(projects.id, id), isNotNull(projects.publicAt), isNull(projects.recycledAt)))
      .returning()
    if (!project) throw fail('project_missing')
    const { ownerId, name } = project
    await accessChanged(tx, [ownerId])
    await ctx.live.rightsChanged(tx, null)
    const params = { name, reason }
    if (ownerId !== user.id) await addNotice(ctx, tx, { userId: ownerId, kind: 'project_withdrawn', params })
    await audit(tx, { actor: user.id, action: 'project.withdraw', subject: `project:${id}`, address })
  })
  await tellAbout(ctx, id)
  return {}
}
