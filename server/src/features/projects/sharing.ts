import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { ProjectShare } from '@neuroloom/contract/projects'
import { and, asc, eq, isNull, type SQL } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { accountKey } from '../accounts/access.ts'
import { type UserRow, users } from '../accounts/tables.ts'
import { accessChanged, findRecipient, requireThere, tell } from '../files/service.ts'
import { requireRoomToShare } from '../plans/access.ts'
import * as plans from '../plans/service.ts'
import { requireProject } from './access.ts'
import { tellAbout, tellMembers } from './news.ts'
import { type ProjectShareRow, projectShares, projects } from './tables.ts'

export async function share(
  ctx: Context,
  { id, account, permission }: Parsed<'projects/share'>,
  { user }: Caller,
): Promise<Answer<'projects/share'>> {
  plans.requireSharer(ctx, user)
  await requireProject(ctx.db, user, id, 'own')
  const member = await findRecipient(ctx, user, account)
  const shareId = newId()
  await ctx.db.transaction(async (tx) => {
    const name = await lockOwn(tx, user, id)
    await requireThere(tx, member.id)
    await requireFree(ctx, tx, { user, projectId: id, member })
    await tx.insert(projectShares).values({
      id: shareId,
      projectId: id,
      ownerId: user.id,
      userId: member.id,
      account: accountKey(account).key,
      permission,
      sharedAt: ctx.now(),
    })
    await requireRoomToShare(ctx, tx, { ownerId: user.id, id })
    const params = { owner: user.nickName, name }
    await tell(ctx, tx, [{ userId: member.id, kind: 'project_shared', params }])
  })
  await tellAbout(ctx, id)
  return shareOf(ctx, user, shareId)
}

export async function listShares(
  ctx: Context,
  { id }: Parsed<'projects/shares'>,
  { user }: Caller,
): Promise<Answer<'projects/shares'>> {
  await requireProject(ctx.db, user, id, 'own')
  return {
    shares: await selectShares(ctx, eq(projectShares.projectId, id)),
    limit: plans.limitsOf(ctx, user).shareAccounts,
  }
}

export async function changeShare(
  ctx: Context,
  { shareId, permission }: Parsed<'projects/changeShare'>,
  { user }: Caller,
): Promise<Answer<'projects/changeShare'>> {
  const changed = await ctx.db.transaction(async (tx) => {
    const [row] = await tx.update(projectShares).set({ permission }).where(isOwn(user, shareId)).returning()
    if (!row) throw fail('missing')
    await accessChanged(tx, [user.id])
    return row
  })
  await tellAbout(ctx, changed.projectId)
  return shareOf(ctx, user, shareId)
}

export async function unshare(
  ctx: Context,
  { shareId }: Parsed<'projects/unshare'>,
  { user }: Caller,
): Promise<Answer<'projects/unshare'>> {
  const withdrawn = await ctx.db.transaction(async (tx) => {
    const row = await take(ctx, tx, isOwn(user, shareId))
    const [project] = await tx
      .select({ name: projects.name })
      .from(projects)
      .where(eq(projects.id, row.projectId))
    const params = { owner: user.nickName, name: project?.name ?? '' }
    await tell(ctx, tx, [{ userId: row.userId, kind: 'project_unshared', params }])
    return row
  })
  await tellEnd(ctx, withdrawn)
  return {}
}

export async function leaveShare(
  ctx: Context,
  { shareId }: Parsed<'projects/leaveShare'>,
  { user }: Caller,
): Promise<Answer<'projects/leaveShare'>> {
  const isGiven = and(eq(projectShares.id, shareId), eq(projectShares.userId, user.id))
  await tellEnd(ctx, await ctx.db.transaction((tx) => take(ctx, tx, isGiven)))
  return {}
}

/** Whatever is being sent because of it ends with it. */
async function take(ctx: Context, tx: Tx, where: SQL | undefined): Promise<ProjectShareRow> {
  const [row] = await tx.delete(projectShares).where(where).returning()
  if (!row) throw fail('missing')
  await accessChanged(tx, [row.ownerId])
  await ctx.live.rightsChanged(tx, { kind: 'user', id: row.userId })
  return row
}

async function tellEnd(ctx: Context, { projectId, userId }: ProjectShareRow): Promise<void> {
  await tellAbout(ctx, projectId)
  await tellMembers(ctx, [userId])
}

/** Also of what is in the recycle station. */
const isOwn = (user: SessionUser, shareId: string) =>
  and(eq(projectShares.id, shareId), eq(projectShares.ownerId, user.id))

/** Makes the shares of a project wait for each other, so that the limit is exact. Its name. */
async function lockOwn(tx: Tx, user: SessionUser, id: string): Promise<string> {
  const [project] = await tx
    .select({ name: projects.name })
    .from(projects)
    .where(and(eq(projects.id, id), eq(projects.ownerId, user.id), isNull(projects.recycledAt)))
    .for('no key update')
  if (!project) throw fail('project_missing')
  return project.name
}

async function requireFree(
  ctx: Context,
  tx: Tx,
  { user, projectId, member }: { user: SessionUser; projectId: string; member: UserRow },
): Promise<void> {
  const rows = await tx
    .select({ userId: projectShares.userId })
    .from(projectShares)
    .where(eq(projectShares.projectId, projectId))
  if (rows.some(({ userId }) => userId === member.id)) throw fail('share_twice', { name: member.nickName })
  const limit = plans.limitsOf(ctx, user).shareAccounts
  if (limit !== null && rows.length >= limit) throw fail('share_limit', { limit })
}

/** One own share as its owner sees it. */
async function shareOf(ctx: Context, user: SessionUser, shareId: string): Promise<ProjectShare> {
  const [share] = await selectShares(ctx, isOwn(user, shareId))
  if (!share) throw fail('missing')
  return share
}

export async function selectShares({ db }: Context, where: SQL | undefined): Promise<ProjectShare[]> {
  const rows = await db
    .select({ share: projectShares, member: { nickName: users.nickName, photo: users.photo } })
    .from(projectShares)
    .innerJoin(users, eq(users.id, projectShares.userId))
    .where(where)
    .orderBy(asc(projectShares.sharedAt), asc(projectShares.id))
  return rows.map(({ share: { id, account, permission, sharedAt }, member }) => ({
    id,
    member: { ...member, account },
    permission,
    sharedAt: sharedAt.toISOString(),
  }))
}
