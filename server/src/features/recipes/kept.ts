import { createHash } from 'node:crypto'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { recipes as limits } from '@neuroloom/contract/limits'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import type { KeptRecipe } from '@neuroloom/contract/recipes/recipes'
import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { type Db, sqlState } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { users } from '../accounts/tables.ts'
import { findRecipient, requireThere, tell } from '../files/service.ts'
import * as plans from '../plans/service.ts'
import { type RecipeRow, recipeShares, recipes } from './tables.ts'

/** Own ones first, each by name. */
export async function list(
  { db }: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'recipes/list'>> {
  const own = await db.select().from(recipes).where(eq(recipes.ownerId, user.id)).orderBy(asc(recipes.name))
  const given = await db
    .select({ row: recipes, from: users.nickName })
    .from(recipeShares)
    .innerJoin(recipes, eq(recipes.id, recipeShares.recipeId))
    .innerJoin(users, and(eq(users.id, recipes.ownerId), isNull(users.cancelledAt)))
    .where(eq(recipeShares.userId, user.id))
    .orderBy(asc(recipes.name))
  return {
    recipes: [...(await shownOf(db, own)), ...given.map(({ row, from }) => shown(row, { from, shares: [] }))],
  }
}

export async function keep(
  ctx: Context,
  { id, recipe: { v, steps }, ...about }: Parsed<'recipes/keep'>,
  { user }: Caller,
): Promise<Answer<'recipes/keep'>> {
  const now = ctx.now()
  const kept = { ...about, recipe: { v, steps } }
  return ctx.db.transaction(async (tx) => {
    if (id !== null) {
      const before = await requireOwn(tx, user, id)
      const [row] = await tx
        .update(recipes)
        .set({ ...kept, updatedAt: now })
        .where(eq(recipes.id, before.id))
        .returning()
        .catch(nameTaken(kept.name))
      return shownOne(tx, row ?? before)
    }
    if ((await tx.$count(recipes, eq(recipes.ownerId, user.id))) >= limits.kept)
      throw fail('recipe_limit', { limit: limits.kept })
    const row = { ...kept, id: newId(), ownerId: user.id, createdAt: now, updatedAt: now }
    await tx.insert(recipes).values(row).catch(nameTaken(kept.name))
    return shownOne(tx, row)
  })
}

/** What it was kept as by the member or by whom it comes from, and a mark of its steps: results are told by which they came. */
export async function namedAs(db: Db, { id }: { id: string }, { v, steps }: Recipe): Promise<Recipe> {
  const version = markOf(steps)
  const given = db.select({ id: recipeShares.recipeId }).from(recipeShares).where(eq(recipeShares.userId, id))
  const isSame = sql`${recipes.recipe} -> 'steps' = ${JSON.stringify(steps)}::jsonb`
  const [kept] = await db
    .select({ name: recipes.name })
    .from(recipes)
    .where(and(isSame, or(eq(recipes.ownerId, id), inArray(recipes.id, given))))
    // Own ones first.
    .orderBy(sql`${recipes.ownerId} <> ${id}`, asc(recipes.createdAt))
    .limit(1)
  return { v, ...(kept ? { name: kept.name } : {}), version, steps }
}

/** Two recipes with the same mark do the same. */
export const markOf = (steps: Recipe['steps']): string =>
  createHash('sha256').update(JSON.stringify(steps)).digest('hex').slice(0, 8)

const nameTaken =
  (name: string) =>
  (error: unknown): never => {
    throw sqlState(error) === '23505' ? fail('name_taken', { name }) : error
  }

/** Of one that was shared, the own share alone. */
export async function remove(
  { db }: Context,
  { id }: Parsed<'recipes/remove'>,
  { user }: Caller,
): Promise<Answer<'recipes/remove'>> {
  const own = await db
    .delete(recipes)
    .where(and(eq(recipes.id, id), eq(recipes.ownerId, user.id)))
    .returning()
  if (own.length > 0) return {}
  const given = await db
    .delete(recipeShares)
    .where(and(eq(recipeShares.recipeId, id), eq(recipeShares.userId, user.id)))
    .returning()
  if (given.length === 0) throw fail('recipe_missing')
  return {}
}

export async function share(
  ctx: Context,
  { id, account }: Parsed<'recipes/share'>,
  { user }: Caller,
): Promise<Answer<'recipes/share'>> {
  plans.requireSharer(ctx, user)
  await requireOwn(ctx.db, user, id)
  const member = await findRecipient(ctx, user, account)
  return ctx.db.transaction(async (tx) => {
    const row = await requireOwn(tx, user, id)
    await requireThere(tx, member.id)
    const shares = await tx.select().from(recipeShares).where(eq(recipeShares.recipeId, id))
    if (shares.some(({ userId }) => userId === member.id)) throw fail('share_twice')
    const limit = plans.limitsOf(ctx, user).shareAccounts ?? limits.sharedWith
    if (shares.length >= limit) throw fail('share_limit', { limit })
    await tx.insert(recipeShares).values({ recipeId: id, userId: member.id, sharedAt: ctx.now() })
    const params = { owner: user.nickName, name: row.name }
    await tell(ctx, tx, [{ userId: member.id, kind: 'recipe_shared', params }])
    return shownOne(tx, row)
  })
}

export async function unshare(
  { db }: Context,
  { id, memberId }: Parsed<'recipes/unshare'>,
  { user }: Caller,
): Promise<Answer<'recipes/unshare'>> {
  const row = await requireOwn(db, user, id)
  await db.delete(recipeShares).where(and(eq(recipeShares.recipeId, id), eq(recipeShares.userId, memberId)))
  return shownOne(db, row)
}

/** The own recipe; held, so that two calls at once see each other's shares. */
export async function requireOwn(db: Db, user: SessionUser, id: string): Promise<RecipeRow> {
  const [row] = await db
    .select()
    .from(recipes)
    .where(and(eq(recipes.id, id), eq(recipes.ownerId, user.id)))
    .for('update')
  if (!row) throw fail('recipe_missing')
  return row
}

async function shownOne(db: Db, row: RecipeRow): Promise<KeptRecipe> {
  const [one] = await shownOf(db, [row])
  return one ?? shown(row, { from: null, shares: [] })
}

/** Own ones, with whom they are shared with. */
async function shownOf(db: Db, rows: readonly RecipeRow[]): Promise<KeptRecipe[]> {
  const ids = rows.map(({ id }) => id)
  const shares = await db
    .select({ recipeId: recipeShares.recipeId, userId: users.id, nickName: users.nickName })
    .from(recipeShares)
    .innerJoin(users, eq(users.id, recipeShares.userId))
    .where(inArray(recipeShares.recipeId, ids))
    .orderBy(asc(recipeShares.sharedAt))
  return rows.map((row) =>
    shown(row, {
      from: null,
      shares: shares.flatMap(({ recipeId, ...member }) => (recipeId === row.id ? [member] : [])),
    }),
  )
}

const shown = (
  { id, name, description, recipe, updatedAt }: RecipeRow,
  about: Pick<KeptRecipe, 'from' | 'shares'>,
): KeptRecipe => ({ id, name, description, recipe, ...about, updatedAt: updatedAt.toISOString() })
