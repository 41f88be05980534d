import { asc, eq } from 'drizzle-orm'
import { type ArchivedFile, jsonList } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { pictureOf, shownOf } from './news.ts'
import { textPictures, textScans } from './tables.ts'

/** Searches for texts, with what was found, read and blacked out. */
export async function* exportTextScans(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('burned-in-texts.json', rowsOf(ctx, userId))
}

/** One search after the other: each may have thousands of pictures. */
async function* rowsOf({ db }: Context, userId: string): AsyncIterable<object> {
  const scans = await db
    .select()
    .from(textScans)
    .where(eq(textScans.ownerId, userId))
    .orderBy(asc(textScans.createdAt), asc(textScans.id))
  for (const scan of scans) {
    const [shown] = await shownOf(db, [scan])
    const pictures = await db
      .select()
      .from(textPictures)
      .where(eq(textPictures.scanId, scan.id))
      .orderBy(asc(textPictures.position))
    yield {
      ...shown,
      pictures: pictures.map((row) => {
        const { shown: _, ...picture } = pictureOf(row, null)
        return { ...picture, confirmedAt: row.confirmedAt?.toISOString() ?? null }
      }),
    }
  }
}
