import { toolbox as limits } from '@neuroloom/contract/limits'
import { recipeSchema } from '@neuroloom/contract/recipes/recipe'
import type { Task } from '@neuroloom/contract/task'
import type { OwnTool } from '@neuroloom/contract/toolbox/own-tools'
import { hasTool } from '@neuroloom/contract/toolbox/toolbox'
import { and, asc, eq, exists, isNotNull, or, type SQL } from 'drizzle-orm'
import type { SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { groupMembers, groups } from '../../files/service.ts'
import * as plans from '../../plans/service.ts'
import { keptModels } from '../../runs/service.ts'
import { ownToolShares, ownTools, type ToolRow, type ToolShareRow } from './tables.ts'

type Member = Pick<SessionUser, 'id'>
type State = OwnTool['state']
/** A tool that the member made or was given, and whether it works. */
export type SeenTool = ToolRow & {
  state: State
  from: OwnTool['from']
  task: Task | null
  share: ToolShareRow | null
}

/** Own ones and those of shares, by name; the withdrawn ones too, so that their members are told. */
export async function seenTools(ctx: Context, user: Member, where?: SQL): Promise<SeenTool[]> {
  const rows = await ctx.db
    .select({
      tool: ownTools,
      owner: { nickName: users.nickName, cancelledAt: users.cancelledAt },
      share: ownToolShares,
      group: groups.name,
    })
    .from(ownTools)
    .innerJoin(users, eq(users.id, ownTools.ownerId))
    .leftJoin(ownToolShares, and(eq(ownToolShares.toolId, ownTools.id), isGivenTo(ctx.db, user)))
    .leftJoin(groups, eq(groups.id, ownToolShares.groupId))
    .where(and(or(eq(ownTools.ownerId, user.id), isNotNull(ownToolShares.id)), where))
    .orderBy(asc(ownTools.name), asc(ownTools.id))
  const models = await modelsOf(ctx.db, rows)
  const best = new Map<string, SeenTool>()
  for (const { tool, owner, share, group } of rows) {
    const isOwn = tool.ownerId === user.id
    const state = (isOwn ? null : refusalOf(ctx, owner, share)) ?? madeState(tool, models)
    const one: SeenTool = {
      ...{ ...tool, state, task: models.get(tool.runId ?? '') ?? null, share },
      from: isOwn ? null : { owner: owner.nickName, group },
    }
    const known = best.get(tool.id)
    // By several ways the one that works.
    if (!known || (known.state !== 'ready' && state === 'ready')) best.set(tool.id, one)
  }
  return [...best.values()]
}

export async function requireSeen(ctx: Context, user: Member, id: string): Promise<SeenTool> {
  const [tool] = await seenTools(ctx, user, eq(ownTools.id, id))
  if (!tool) throw fail('own_tool_missing')
  return tool
}

/** Refuses with the reason a tool that does not work, and one that the member's level does not have. */
export async function requireUsable(ctx: Context, user: SessionUser, id: string): Promise<SeenTool> {
  const tool = await requireSeen(ctx, user, id)
  if (tool.state !== 'ready') throw fail(`own_tool_${tool.state}`)
  if (!hasTool(plans.standingOf(ctx, user), levelOf(tool))) throw fail('application_unavailable')
  return tool
}

/** The own tool; held, so that two calls at once see each other's shares. */
export async function requireOwn(db: Db, user: Member, id: string): Promise<ToolRow> {
  const [row] = await db
    .select()
    .from(ownTools)
    .where(and(eq(ownTools.id, id), eq(ownTools.ownerId, user.id)))
    .for('update')
  if (!row) throw fail('own_tool_missing')
  return row
}

/** What queues work on the device asks for a level; preparing images asks for none (design 4.29). */
export const levelOf = ({ kind }: Pick<ToolRow, 'kind'>): number =>
  kind === 'network' ? limits.queueLevel : 0

/** To the member, or to a group that both the member and the maker belong to now. */
const isGivenTo = (db: Db, user: Member): SQL | undefined => {
  const belongs = (who: string | typeof ownTools.ownerId) =>
    exists(
      db
        .select({ id: groupMembers.groupId })
        .from(groupMembers)
        .where(and(eq(groupMembers.groupId, ownToolShares.groupId), eq(groupMembers.userId, who))),
    )
  return or(eq(ownToolShares.userId, user.id), and(belongs(user.id), belongs(ownTools.ownerId)))
}

function refusalOf(
  ctx: Context,
  owner: { cancelledAt: Date | null },
  share: ToolShareRow | null,
): State | null {
  if (owner.cancelledAt !== null) return 'owner_gone'
  if (share === null || share.withdrawnAt !== null) return 'withdrawn'
  return share.expiresAt !== null && share.expiresAt <= ctx.now() ? 'expired' : null
}

function madeState({ kind, recipe, recipeId, runId }: ToolRow, models: ReadonlyMap<string, Task>): State {
  if (kind === 'network') return models.has(runId ?? '') ? 'ready' : 'source_gone'
  if (recipeId === null) return 'source_gone'
  return recipeSchema.safeParse(recipe).success ? 'ready' : 'broken'
}

/** The tasks of the trainings that still have their weights. */
async function modelsOf(db: Db, rows: readonly { tool: ToolRow }[]): Promise<Map<string, Task>> {
  const byOwner = new Map<string, string[]>()
  for (const { tool } of rows)
    if (tool.runId !== null) byOwner.set(tool.ownerId, [...(byOwner.get(tool.ownerId) ?? []), tool.runId])
  const found = new Map<string, Task>()
  for (const [ownerId, ids] of byOwner)
    for (const { id, task } of await keptModels(db, ownerId, ids)) found.set(id, task)
  return found
}
