import { and, asc, eq, sql } from 'drizzle-orm'
import { type ArchivedFile, jsonList } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { shownOf } from './news.ts'
import { conversions } from './tables.ts'

/** Conversions read at once: each may have thousands of files. */
const PAGE = 20

/** What was turned into which format, by which settings, and how the results compare with their sources. */
export async function* exportConversions(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('conversions.json', rowsOf(ctx, userId))
}

async function* rowsOf({ db }: Context, userId: string): AsyncIterable<object> {
  let after = ''
  for (;;) {
    const page = await db
      .select()
      .from(conversions)
      .where(
        and(
          eq(conversions.ownerId, userId),
          sql`(${conversions.createdAt}, ${conversions.id}) > (
            coalesce((select created_at from conversions where id = ${after}), '-infinity'), ${after})`,
        ),
      )
      .orderBy(asc(conversions.createdAt), asc(conversions.id))
      .limit(PAGE)
    yield* await shownOf(db, page)
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = last.id
  }
}
