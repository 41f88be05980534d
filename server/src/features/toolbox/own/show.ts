import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { recipeSchema } from '@neuroloom/contract/recipes/recipe'
import type { OwnTool, ToolShare } from '@neuroloom/contract/toolbox/own-tools'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import { users } from '../../accounts/tables.ts'
import { groups } from '../../files/service.ts'
import { recipes } from '../../recipes/tables.ts'
import { levelOf, requireSeen, type SeenTool, seenTools } from './access.ts'
import { networkForm, recipeForm } from './settings.ts'
import { ownToolShares, type ToolRow } from './tables.ts'

export async function list(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'toolbox/ownTools'>> {
  return { tools: await shownOf(ctx, await seenTools(ctx, user)) }
}

export async function one(
  ctx: Context,
  { id }: Parsed<'toolbox/ownTool'>,
  { user }: Caller,
): Promise<Answer<'toolbox/ownTool'>> {
  return shownById(ctx, user, id)
}

export async function shownById(ctx: Context, user: SessionUser, id: string): Promise<OwnTool> {
  const tool = await requireSeen(ctx, user, id)
  const [shown] = await shownOf(ctx, [tool])
  return shown ?? shownAs(tool, null)
}

export function formOf({ kind, recipe, open }: ToolRow): OwnTool['fields'] {
  if (kind === 'network') return networkForm(open)
  const read = recipeSchema.safeParse(recipe)
  return read.success ? recipeForm(read.data, open) : []
}

/** What it is made of, and who has it, is told to its maker alone. */
async function shownOf(ctx: Context, tools: readonly SeenTool[]): Promise<OwnTool[]> {
  const own = tools.filter(({ from }) => from === null)
  const shares = await sharesOf(ctx, own)
  const newest = await newestOf(ctx, own)
  return tools.map((tool) => {
    if (tool.from !== null) return shownAs(tool, null)
    const kept = newest.get(tool.recipeId ?? '')
    return shownAs(tool, {
      // A training that is gone, or in the recycle station, is no page to go to.
      sourceId: tool.kind === 'recipe' ? tool.recipeId : tool.task && tool.runId,
      sourceName: tool.sourceName,
      madeFrom: tool.madeFrom.toISOString(),
      recipe: recipeSchema.safeParse(tool.recipe).data ?? null,
      hasNewer: kept !== undefined && JSON.stringify(kept) !== JSON.stringify(tool.recipe?.steps),
      open: tool.open,
      shares: shares.get(tool.id) ?? [],
    })
  })
}

const shownAs = (tool: SeenTool, made: OwnTool['made']): OwnTool => ({
  id: tool.id,
  name: tool.name,
  about: tool.about,
  picture: tool.picture,
  kind: tool.kind,
  level: levelOf(tool),
  task: tool.task,
  state: tool.state,
  fields: formOf(tool),
  from: tool.from,
  made,
})

/** Steps of the kept recipes as they are now. */
async function newestOf({ db }: Context, tools: readonly ToolRow[]) {
  const ids = tools.flatMap(({ recipeId }) => recipeId ?? [])
  const rows = await db
    .select({ id: recipes.id, recipe: recipes.recipe })
    .from(recipes)
    .where(inArray(recipes.id, ids))
  return new Map(rows.map(({ id, recipe }) => [id, recipe.steps]))
}

async function sharesOf({ db }: Context, tools: readonly ToolRow[]): Promise<Map<string, ToolShare[]>> {
  const ids = tools.map(({ id }) => id)
  const rows = await db
    .select({ share: ownToolShares, member: users.nickName, group: groups.name })
    .from(ownToolShares)
    .leftJoin(users, eq(users.id, ownToolShares.userId))
    .leftJoin(groups, eq(groups.id, ownToolShares.groupId))
    .where(and(inArray(ownToolShares.toolId, ids), isNull(ownToolShares.withdrawnAt)))
    .orderBy(asc(ownToolShares.sharedAt), asc(ownToolShares.id))
  const found = new Map<string, ToolShare[]>()
  for (const { share, member, group } of rows) {
    const told = {
      ...{ id: share.id, member, group, sharedAt: share.sharedAt.toISOString() },
      expiresAt: share.expiresAt?.toISOString() ?? null,
    }
    found.set(share.toolId, [...(found.get(share.toolId) ?? []), told])
  }
  return found
}
