import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { toolbox as limits } from '@neuroloom/contract/limits'
import { type Recipe, recipeSchema } from '@neuroloom/contract/recipes/recipe'
import { and, eq, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { breaksUnique, type Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { requireOwnRecipe } from '../../recipes/service.ts'
import { requireRun } from '../../runs/access.ts'
import { recipeOfTraining } from '../../runs/service.ts'
import { requireOwn } from './access.ts'
import { requireOpen, requireOpenOfNetwork } from './settings.ts'
import { shownById } from './show.ts'
import { ownToolShares, ownTools, type ToolRow } from './tables.ts'

export async function make(
  ctx: Context,
  { of, sourceId, ...about }: Parsed<'toolbox/makeTool'>,
  { user }: Caller,
): Promise<Answer<'toolbox/makeTool'>> {
  const id = newId()
  await ctx.db.transaction(async (tx) => {
    await lockTools(tx, user.id)
    if ((await tx.$count(ownTools, eq(ownTools.ownerId, user.id))) >= limits.ownTools)
      throw fail('own_tool_limit', { limit: limits.ownTools })
    const inside = await (of === 'recipe' ? ofRecipe : ofTraining)(ctx, tx, {
      user,
      sourceId,
      open: about.open,
    })
    await tx
      .insert(ownTools)
      .values({ ...about, ...inside, id, kind: of, ownerId: user.id, createdAt: ctx.now() })
      .catch(nameTaken(about.name))
  })
  return shownById(ctx, user, id)
}

export async function change(
  ctx: Context,
  { id, takeNewest, ...about }: Parsed<'toolbox/changeTool'>,
  { user }: Caller,
): Promise<Answer<'toolbox/changeTool'>> {
  await ctx.db.transaction(async (tx) => {
    const tool = await requireOwn(tx, user, id)
    const inside = await insideOf(ctx, tx, { user, tool, takeNewest, open: about.open })
    await tx
      .update(ownTools)
      .set({ ...about, ...inside })
      .where(eq(ownTools.id, id))
      .catch(nameTaken(about.name))
  })
  return shownById(ctx, user, id)
}

/** Of one that was shared with the member, the own share alone. */
export async function remove(
  { db }: Context,
  { id }: Parsed<'toolbox/removeTool'>,
  { user }: Caller,
): Promise<Answer<'toolbox/removeTool'>> {
  const own = await db
    .delete(ownTools)
    .where(and(eq(ownTools.id, id), eq(ownTools.ownerId, user.id)))
    .returning({ id: ownTools.id })
  if (own.length > 0) return {}
  const given = await db
    .delete(ownToolShares)
    .where(and(eq(ownToolShares.toolId, id), eq(ownToolShares.userId, user.id)))
    .returning({ id: ownToolShares.id })
  if (given.length === 0) throw fail('own_tool_missing')
  return {}
}

type Inside = Pick<ToolRow, 'recipe' | 'recipeId' | 'runId' | 'sourceName' | 'madeFrom'>
type Source = { user: SessionUser; sourceId: string; open: ToolRow['open'] }

async function ofRecipe(_ctx: Context, tx: Tx, { user, sourceId, open }: Source): Promise<Inside> {
  const kept = await requireOwnRecipe(tx, user, sourceId)
  const recipe = readable(kept.recipe)
  requireOpen(recipe, open)
  return { recipe, recipeId: kept.id, runId: null, sourceName: kept.name, madeFrom: kept.updatedAt }
}

async function ofTraining(ctx: Context, tx: Tx, { user, sourceId, open }: Source): Promise<Inside> {
  const run = await requireRun(tx, user, sourceId, 'own')
  const learned = await recipeOfTraining(ctx, run)
  requireOpenOfNetwork(learned !== null, open)
  const madeFrom = run.endedAt ?? run.createdAt
  return { recipe: null, recipeId: null, runId: run.id, sourceName: run.project.name, madeFrom }
}

type Changed = { user: SessionUser; tool: ToolRow; takeNewest: boolean; open: ToolRow['open'] }

/** Settings are looked at with the recipe that will be inside. */
async function insideOf(ctx: Context, tx: Tx, { user, tool, takeNewest, open }: Changed): Promise<object> {
  if (tool.kind === 'network') {
    if (tool.runId === null) throw fail('own_tool_source_gone')
    return ofTraining(ctx, tx, { user, sourceId: tool.runId, open })
  }
  if (takeNewest) {
    if (tool.recipeId === null) throw fail('own_tool_source_gone')
    return ofRecipe(ctx, tx, { user, sourceId: tool.recipeId, open })
  }
  requireOpen(readable(tool.recipe), open)
  return {}
}

function readable(recipe: unknown): Recipe {
  const read = recipeSchema.safeParse(recipe)
  if (!read.success) throw fail('own_tool_broken')
  const { v, steps } = read.data
  return { v, steps }
}

/** Two calls at once must not pass the limit together. */
const lockTools = (tx: Tx, ownerId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`own tools ${ownerId}`}, 0))`)

const nameTaken =
  (name: string) =>
  (error: unknown): never => {
    throw breaksUnique(error, 'own_tools_name') ? fail('name_taken', { name }) : error
  }
