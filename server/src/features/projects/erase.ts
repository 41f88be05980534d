import { eq, or } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { users } from '../accounts/tables.ts'
import { accessChanged, tell } from '../files/service.ts'
import { projectShares, projects } from './tables.ts'

/** Deletes a member's projects with the news about them, and ends what was given to others and got from them. */
export async function eraseOf(ctx: Context, userId: string): Promise<void> {
  await endShares(ctx, userId)
  const own = await ctx.db.select({ id: projects.id }).from(projects).where(eq(projects.ownerId, userId))
  for (const { id } of own) {
    await ctx.db.transaction(async (tx) => {
      await tx.delete(projects).where(eq(projects.id, id))
      await ctx.live.forget(tx, { kind: 'project', id })
    })
  }
}

/** Whom that concerns is told. */
async function endShares(ctx: Context, userId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [owner] = await tx.select({ nickName: users.nickName }).from(users).where(eq(users.id, userId))
    const names = await tx
      .select({ id: projects.id, name: projects.name })
      .from(projects)
      .where(eq(projects.ownerId, userId))
    const nameOf = new Map(names.map(({ id, name }) => [id, name]))
    const ended = await tx
      .delete(projectShares)
      .where(or(eq(projectShares.ownerId, userId), eq(projectShares.userId, userId)))
      .returning()
    await ctx.live.rightsChanged(tx, null)
    await accessChanged(tx, [userId, ...ended.map(({ ownerId }) => ownerId)])
    const given = ended.filter(({ ownerId }) => ownerId === userId)
    await tell(
      ctx,
      tx,
      given.map((share) => ({
        userId: share.userId,
        kind: 'project_unshared',
        params: { owner: owner?.nickName ?? '', name: nameOf.get(share.projectId) ?? '' },
      })),
    )
  })
}
