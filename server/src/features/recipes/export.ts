import { toldRecipe } from '@neuroloom/contract/recipes/recipe'
import { and, asc, eq, sql } from 'drizzle-orm'
import { type ArchivedFile, jsonList } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { users } from '../accounts/tables.ts'
import { preparationItems, preparations, recipeShares, recipes } from './tables.ts'

/** Items read at once: each tells a path and what became of it. */
const PAGE = 1000

/** The own recipes with whom they are shared with, those that others share, and what was done by recipes. */
export async function* exportOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('recipes.json', recipesOf(ctx, userId))
  yield jsonList('shared-recipes.json', givenTo(ctx, userId))
  yield jsonList('preparations.json', worksOf(ctx, userId))
}

async function* recipesOf({ db }: Context, userId: string): AsyncIterable<object> {
  const rows = await db.select().from(recipes).where(eq(recipes.ownerId, userId)).orderBy(asc(recipes.name))
  for (const { ownerId: _, ...recipe } of rows) {
    const shares = await db
      .select({ to: users.nickName, sharedAt: recipeShares.sharedAt })
      .from(recipeShares)
      .innerJoin(users, eq(users.id, recipeShares.userId))
      .where(eq(recipeShares.recipeId, recipe.id))
    yield { ...recipe, shares }
  }
}

async function* givenTo({ db }: Context, userId: string): AsyncIterable<object> {
  yield* await db
    .select({ id: recipes.id, name: recipes.name, recipe: recipes.recipe, sharedAt: recipeShares.sharedAt })
    .from(recipeShares)
    .innerJoin(recipes, eq(recipes.id, recipeShares.recipeId))
    .where(eq(recipeShares.userId, userId))
    .orderBy(asc(recipes.name))
}

async function* worksOf({ db }: Context, userId: string): AsyncIterable<object> {
  const rows = await db
    .select()
    .from(preparations)
    .where(eq(preparations.ownerId, userId))
    .orderBy(asc(preparations.createdAt), asc(preparations.id))
  for (const row of rows) {
    const {
      ownerId: _,
      attempts: __,
      leaseUntil: ___,
      reservedFor: ____,
      reservedBytes: _____,
      ...told
    } = row
    const items: object[] = []
    for (let after = -1; ; ) {
      const page = await db
        .select()
        .from(preparationItems)
        .where(and(eq(preparationItems.preparationId, row.id), sql`${preparationItems.position} > ${after}`))
        .orderBy(asc(preparationItems.position))
        .limit(PAGE)
      items.push(
        ...page.map(({ path, role, dicom, state, reason, before, made }) => ({
          path,
          role,
          dicom,
          state,
          reason,
          before,
          made,
        })),
      )
      after = page.at(-1)?.position ?? after
      if (page.length < PAGE) break
    }
    const { work } = told
    const recipe = work.kind === 'recipe' ? { recipe: toldRecipe(work.recipe) } : {}
    yield { ...told, work: { ...work, ...recipe }, items }
  }
}
