/** Lists in the order of time, page by page. */
import { and, eq, gt, lt, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../../infra/context.ts'
import { openCursor, sealCursor } from '../files/service.ts'

/** The last row of a page; its id tells apart what is of one moment. */
export type Place = { at: string; id: string }

type Asked<Row> = {
  /** What is asked for: a cursor of another question is refused. */
  question: object
  after: string | null
  most: number
  /** At most so many rows behind this place, in order. */
  read: (place: Place | null, limit: number) => Promise<Row[]>
  placeOf: (row: Row) => { at: Date; id: string }
}

export async function readPage<Row>(
  ctx: Context,
  { question, after, most, read, placeOf }: Asked<Row>,
): Promise<{ rows: Row[]; next: string | null }> {
  // Sealed by ourselves, so it is what we put in.
  const place = after === null ? null : (openCursor(ctx, question, after) as Place)
  const rows = await read(place, most + 1)
  const page = rows.slice(0, most)
  const end = rows.length > most ? page.at(-1) : undefined
  if (!end) return { rows: page, next: null }
  const { at, id } = placeOf(end)
  return { rows: page, next: sealCursor(ctx, question, { at: at.toISOString(), id } satisfies Place) }
}

/** Of a list that begins with the latest; null, at its beginning, asks for all. */
export const isBefore = (place: Place | null, at: PgColumn, id: PgColumn): SQL | undefined =>
  isBehind(place, lt, { at, id })

/** Of a list that begins with the earliest. */
export const isAfter = (place: Place | null, at: PgColumn, id: PgColumn): SQL | undefined =>
  isBehind(place, gt, { at, id })

function isBehind(place: Place | null, behind: typeof lt, { at, id }: { at: PgColumn; id: PgColumn }) {
  if (!place) return undefined
  const time = new Date(place.at)
  return or(behind(at, time), and(eq(at, time), behind(id, place.id)))
}
