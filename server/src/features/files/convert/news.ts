import type { Conversion } from '@neuroloom/contract/conversions'
import { asc, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { files } from '../tables.ts'
import { type ConversionRow, conversionItems, conversions, type ItemRow } from './tables.ts'

/** How far it is, to the member's open pages. */
export async function tellConversion(ctx: Context, id: string): Promise<void> {
  const [row] = await ctx.db.select().from(conversions).where(eq(conversions.id, id))
  if (!row) return
  const [told] = await shownOf(ctx.db, [row])
  if (!told) return
  const { state, through, total } = told
  await ctx.live.passing({ kind: 'user', id: row.ownerId }, 'conversion', { id, state, through, total })
}

/** Conversions as pages see them, in the order in which they are given. */
export async function shownOf(db: Db, rows: readonly ConversionRow[]): Promise<Conversion[]> {
  if (rows.length === 0) return []
  const items = await db
    .select({ item: conversionItems, folderId: files.parentId, recycledAt: files.recycledAt })
    .from(conversionItems)
    .leftJoin(files, eq(files.id, conversionItems.resultId))
    .where(
      inArray(
        conversionItems.conversionId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(conversionItems.conversionId), asc(conversionItems.position))
  return rows.map((row) => {
    const own = items.filter(({ item }) => item.conversionId === row.id)
    const through = own.filter(({ item }) => item.state !== 'waiting' && item.state !== 'converting').length
    const place = own.find(({ item, recycledAt }) => item.resultId !== null && recycledAt === null)
    return {
      id: row.id,
      format: row.format,
      options: row.options,
      state: row.state,
      through,
      total: own.length || row.sourceIds.length,
      failure: row.failure,
      items: own.map(({ item, recycledAt }) => itemOf(item, recycledAt !== null)),
      folderId: place?.folderId ?? null,
      createdAt: row.createdAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    }
  })
}

const itemOf = (item: ItemRow, isRemoved: boolean): Conversion['items'][number] => ({
  sourceId: item.sourceId,
  sourceName: item.sourceName,
  sourceFiles: item.fileIds.length,
  state: item.state,
  reason: item.reason,
  resultId: isRemoved ? null : item.resultId,
  resultName: item.resultName,
  resultKind: item.resultKind,
  resultFiles: item.resultFiles,
  checks: item.checks,
  notes: item.notes,
})
