import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { recipes as limits } from '@neuroloom/contract/limits'
import { type Recipe, recipeSchema } from '@neuroloom/contract/recipes/recipe'
import type { Preparation, Work } from '@neuroloom/contract/recipes/recipes'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { requireEntries } from '../files/access.ts'
import { files } from '../files/tables.ts'
import { namedAs } from './kept.ts'
import { returnSpace } from './lease.ts'
import { planOf } from './plan.ts'
import { shownById, shownOf } from './show.ts'
import { type PreparationRow, preparationItems, preparations } from './tables.ts'

export async function start(
  ctx: Context,
  { work, name }: Parsed<'recipes/start'>,
  { user }: Caller,
): Promise<Answer<'recipes/start'>> {
  return begin(ctx, user, { work: await withNames(ctx, user, work), name })
}

/** Whatever asks for it: rights to the files, limits and the queue are looked at here. */
export async function begin(
  ctx: Context,
  user: SessionUser,
  { work, name }: Parsed<'recipes/start'>,
): Promise<Preparation> {
  const { first } = await planOf(ctx.db, user, work)
  await ctx.room.require()
  return ctx.db.transaction(async (tx) => {
    await lockWorks(tx, user.id)
    const isOpen = and(eq(preparations.ownerId, user.id), inArray(preparations.state, ['waiting', 'running']))
    if ((await tx.$count(preparations, isOpen)) >= limits.waiting)
      throw fail('recipe_waiting', { limit: limits.waiting })
    const id = newId()
    await tx.insert(preparations).values({
      ...{ id, ownerId: user.id, work, sourceId: first.id, sourceName: first.name },
      ...{ state: 'waiting', resultName: name, createdAt: ctx.now() },
    })
    await queue(ctx, tx, id)
    return shownById(tx, id)
  })
}

/** With what recipe and folders are called now. */
async function withNames({ db }: Context, user: Pick<SessionUser, 'id'>, work: Work): Promise<Work> {
  if (work.kind === 'recipe') return { ...work, recipe: await namedAs(db, user, work.recipe) }
  if (work.kind !== 'algebra') return work
  const entries = new Map(
    (await requireEntries(db, user, work.folderIds, 'view')).map((one) => [one.id, one]),
  )
  return { ...work, names: work.folderIds.map((id) => entries.get(id)?.name ?? '') }
}

/** Two calls at once must not pass the limit together. */
const lockWorks = (tx: Tx, ownerId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`preparations ${ownerId}`}, 0))`)

const queue = (ctx: Context, tx: Tx, id: string): Promise<void> =>
  ctx.jobs.send(tx, 'recipes.work', { workId: id }, { singletonKey: id })

export async function list(
  ctx: Context,
  { after, ids }: Parsed<'recipes/works'>,
  { user }: Caller,
): Promise<Answer<'recipes/works'>> {
  const own = eq(preparations.ownerId, user.id)
  const chosen = ids === null ? undefined : inArray(preparations.id, ids)
  const before =
    after === null
      ? undefined
      : sql`(${preparations.createdAt}, ${preparations.id}) < (
          select created_at, id from preparations where id = ${after} and owner_id = ${user.id})`
  const rows = await ctx.db
    .select()
    .from(preparations)
    .where(and(own, chosen, before))
    .orderBy(desc(preparations.createdAt), desc(preparations.id))
    .limit(limits.page + 1)
  const page = rows.slice(0, limits.page)
  return {
    works: await shownOf(ctx.db, page),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  }
}

/** Only what failed or was given up is done again. */
export async function retry(
  ctx: Context,
  { id }: Parsed<'recipes/retry'>,
  { user }: Caller,
): Promise<Answer<'recipes/retry'>> {
  return ctx.db.transaction(async (tx) => {
    await requireIn(tx, { id, ownerId: user.id, states: ['failed', 'cancelled'] })
    const own = eq(preparationItems.preparationId, id)
    // A series that cannot be a volume has no files to try again with.
    const hasFiles = sql`cardinality(${preparationItems.fileIds}) > 0`
    await tx
      .update(preparationItems)
      .set({ state: 'waiting', reason: null })
      .where(and(own, hasFiles, inArray(preparationItems.state, ['failed', 'cancelled'])))
    await tx
      .update(preparations)
      .set({ state: 'waiting', failure: null, attempts: 0, leaseUntil: null, endedAt: null })
      .where(eq(preparations.id, id))
    await queue(ctx, tx, id)
    return shownById(tx, id)
  })
}

export async function cancel(
  ctx: Context,
  { id }: Parsed<'recipes/cancel'>,
  { user }: Caller,
): Promise<Answer<'recipes/cancel'>> {
  return ctx.db.transaction(async (tx) => {
    await requireIn(tx, { id, ownerId: user.id, states: ['waiting', 'running'] })
    await returnSpace(tx, eq(preparations.id, id))
    const isWaiting = eq(preparationItems.state, 'waiting')
    await tx
      .update(preparationItems)
      .set({ state: 'cancelled' })
      .where(and(eq(preparationItems.preparationId, id), isWaiting))
    await tx
      .update(preparations)
      .set({ state: 'cancelled', leaseUntil: null, endedAt: ctx.now() })
      .where(eq(preparations.id, id))
    return shownById(tx, id)
  })
}

type Wanted = { id: string; ownerId: string; states: PreparationRow['state'][] }

/** The own work, locked, in one of the states. */
async function requireIn(tx: Tx, { id, ownerId, states }: Wanted): Promise<void> {
  const [row] = await tx
    .select()
    .from(preparations)
    .where(and(eq(preparations.id, id), eq(preparations.ownerId, ownerId)))
    .for('update')
  if (!row) throw fail('missing')
  if (!states.includes(row.state)) throw fail('recipe_state')
}

export { markOf, requireOwn as requireOwnRecipe } from './kept.ts'
export { refused } from './refused.ts'
export { preparationJobs } from './told-jobs.ts'
export { trial } from './trial.ts'

/** By which recipe the content of a folder was prepared: it, one around it or one in it is the result of a work. */
export async function recipeOf(db: Db, folderId: string): Promise<Recipe | null> {
  const { rows } = await db.execute<{ recipe: unknown; dicom: boolean }>(sql`
    with recursive up as (
      select id, parent_id, 0 as distance from ${files} where id = ${folderId}
      union all
      select f.id, f.parent_id, up.distance + 1 from ${files} f join up on f.id = up.parent_id
    ),
    near as (
      select id, distance from up
      union all
      select id, 1000 from ${files} where parent_id = ${folderId} and kind = 'folder' and recycled_at is null
    )
    select ${preparations.work} -> 'recipe' as recipe,
      exists (
        select 1 from ${preparationItems} item where item.preparation_id = ${preparations.id} and item.dicom = 'values'
      ) as dicom
    from near
    join ${preparations} on ${preparations.resultId} = near.id
    where ${preparations.work} ->> 'kind' = 'recipe'
    order by near.distance, ${preparations.createdAt} desc
    limit 1`)
  const recipe = recipeSchema.safeParse(rows[0]?.recipe).data ?? null
  return recipe && rows[0]?.dicom ? { ...recipe, isOfDicom: true } : recipe
}
