import { recipes as limits } from '@neuroloom/contract/limits'
import { toldRecipe } from '@neuroloom/contract/recipes/recipe'
import type { Preparation, Work } from '@neuroloom/contract/recipes/recipes'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { files } from '../files/tables.ts'
import { scoresIn } from './algebra/scores.ts'
import { type PreparationRow, preparationItems, preparations } from './tables.ts'

/** How far it is, to the member's open pages. */
export async function tellWork(ctx: Context, id: string): Promise<void> {
  const [row] = await ctx.db.select().from(preparations).where(eq(preparations.id, id))
  if (!row) return
  const { state, through, total } = await shown(ctx.db, row)
  await ctx.live.passing({ kind: 'user', id: row.ownerId }, 'preparation', { id, state, through, total })
}

export async function shownById(db: Db, id: string): Promise<Preparation> {
  const [row] = await db.select().from(preparations).where(eq(preparations.id, id))
  if (!row) throw fail('missing')
  return shown(db, row)
}

export async function shownOf(db: Db, rows: readonly PreparationRow[]): Promise<Preparation[]> {
  const all: Preparation[] = []
  for (const row of rows) all.push(await shown(db, row))
  return all
}

async function shown(db: Db, row: PreparationRow): Promise<Preparation> {
  const own = eq(preparationItems.preparationId, row.id)
  const [counts] = await db
    .select({
      total: sql`count(*)`.mapWith(Number),
      waiting: sql`count(*) filter (where state = 'waiting')`.mapWith(Number),
      failed: sql`count(*) filter (where state = 'failed')`.mapWith(Number),
      made: sql`coalesce(sum(jsonb_array_length(made)), 0)`.mapWith(Number),
    })
    .from(preparationItems)
    .where(own)
  const failures = await db
    .select({ name: preparationItems.path, reason: preparationItems.reason })
    .from(preparationItems)
    .where(and(own, inArray(preparationItems.state, ['failed'])))
    .orderBy(asc(preparationItems.position))
    .limit(limits.failures)
  const [result] =
    row.resultId === null ? [] : await db.select().from(files).where(eq(files.id, row.resultId))
  const isThere = result !== undefined && result.recycledAt === null
  const { total = 0, waiting = 0, failed = 0, made = 0 } = counts ?? {}
  return {
    id: row.id,
    work: toldWork(row.work),
    sourceId: row.sourceId,
    sourceName: row.sourceName,
    state: row.state,
    through: total - waiting,
    total,
    failed,
    made,
    failure: row.failure,
    failures,
    ...(isEstimated(row.work) ? { readers: await scoresIn(db, row.id) } : {}),
    resultId: isThere ? result.id : null,
    resultKind: isThere ? result.kind : 'folder',
    resultName: isThere ? result.name : row.resultName,
    resultFolderId: isThere ? result.parentId : null,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

const isEstimated = (work: Work): boolean => work.kind === 'algebra' && work.join === 'staple'

/** Thousands of pairs, each with its repairs, would be sent with every look at the list. */
function toldWork(work: Work): Work {
  if (work.kind === 'recipe') return { ...work, recipe: toldRecipe(work.recipe) }
  return work.kind === 'repair' ? { ...work, pairs: work.pairs.slice(0, 1) } : work
}
