import type { TextPicture, TextScan } from '@neuroloom/contract/burned-in'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { files } from '../tables.ts'
import { type PictureRow, type ScanRow, textPictures, textScans } from './tables.ts'

/** How far it is, to the member's open pages; nothing of what was read. */
export async function tellScan(ctx: Context, id: string): Promise<void> {
  const [row] = await ctx.db.select().from(textScans).where(eq(textScans.id, id))
  const [told] = row ? await shownOf(ctx.db, [row]) : []
  if (!row || !told) return
  const { step, state, through, total } = told
  await ctx.live.passing({ kind: 'user', id: row.ownerId }, 'textScan', { id, step, state, through, total })
}

/** Searches as pages see them, in the order in which they are given. */
export async function shownOf(db: Db, rows: readonly ScanRow[]): Promise<TextScan[]> {
  if (rows.length === 0) return []
  const count = (what: ReturnType<typeof sql>) => sql`count(*) filter (where ${what})`.mapWith(Number)
  const sums = await db
    .select({
      scanId: textPictures.scanId,
      total: sql`count(*)`.mapWith(Number),
      open: count(sql`state in ('waiting', 'running')`),
      confirmed: count(sql`confirmed_at is not null`),
      failed: count(sql`state = 'failed'`),
      name: sql<string>`(array_agg(source_name order by position))[1]`,
    })
    .from(textPictures)
    .where(
      inArray(
        textPictures.scanId,
        rows.map(({ id }) => id),
      ),
    )
    .groupBy(textPictures.scanId)
  const folders = await liveFolders(db, rows)
  return rows.map((row) => {
    const own = sums.find(({ scanId }) => scanId === row.id)
    return {
      id: row.id,
      step: row.step,
      state: row.state,
      through: own ? own.total - own.open : 0,
      total: own?.total ?? row.sourceIds.length,
      confirmed: own?.confirmed ?? 0,
      failedPictures: own?.failed ?? 0,
      failure: row.failure,
      name: own?.name ?? '',
      folderId: row.folderId !== null && folders.has(row.folderId) ? row.folderId : null,
      createdAt: row.createdAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    }
  })
}

async function liveFolders(db: Db, rows: readonly ScanRow[]): Promise<ReadonlySet<string>> {
  const ids = rows.flatMap(({ folderId }) => folderId ?? [])
  if (ids.length === 0) return new Set()
  const found = await db
    .select({ id: files.id })
    .from(files)
    .where(sql`${inArray(files.id, ids)} and ${files.recycledAt} is null`)
  return new Set(found.map(({ id }) => id))
}

export const pictureOf = (row: PictureRow, shown: string | null): TextPicture => ({
  position: row.position,
  sourceId: row.sourceId,
  sourceName: row.sourceName,
  state: row.state,
  reason: row.reason,
  size:
    row.width !== null && row.height !== null && row.frames !== null
      ? { width: row.width, height: row.height, frames: row.frames }
      : null,
  regions: row.regions,
  isConfirmed: row.confirmedAt !== null,
  shown,
  copy:
    row.copySha256 === null
      ? null
      : {
          id: row.copyId,
          name: row.copyName,
          sha256: row.copySha256,
          sourceSha256: row.sourceSha256,
          left: row.copyLeft,
          namesPatient: row.copyNamesPatient,
        },
})
