import { viewing as limits } from '@neuroloom/contract/limits'
import { type SQL, sql } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { ReaderBusy, ReaderFailure } from '../../../infra/reader/reader.ts'
import { files } from '../tables.ts'
import { inFolder } from '../tree.ts'
import { learnPlaces, type SliceFile } from '../view/dicom-series.ts'
import { patienceOf } from '../view/make.ts'
import { learnHints } from './hints.ts'
import { namesPatient } from './patient-sql.ts'

/** Refuses to give away what names a patient, unless the owner said so in words. */
export async function requireWord(
  ctx: Context,
  ids: readonly string[],
  { withPatients }: { withPatients: boolean },
): Promise<void> {
  if (withPatients) return
  await learnHints(ctx, await hintlessBelow(ctx.db, ids))
  const unknown = await unknownBelow(ctx.db, ids)
  // More would keep the page waiting: they count as what they may be.
  if (unknown.length > 0 && unknown.length <= limits.seriesInCall) await look(ctx, unknown)
  const { count, total } = await countBelow(ctx.db, ids)
  if (count > 0) throw fail('patients_named', { count, total })
}

async function look(ctx: Context, slices: readonly SliceFile[]): Promise<void> {
  try {
    await learnPlaces(ctx, slices, patienceOf('call'))
  } catch (error) {
    if (!(error instanceof ReaderBusy || error instanceof ReaderFailure)) throw error
  }
}

/** Those of these files that whoever is not given patients may see. */
export async function namingNobody(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from ${files} where id = any(${sql.param(ids)}::text[]) and not ${namesPatient(sql`files`)}`)
  return new Set(rows.map(({ id }) => id))
}

/** All live files at and below these entries. */
const below = (ids: readonly string[]): SQL => sql`
  with recursive down as (
    select id, kind from ${files} where id = any(${sql.param(ids)}::text[]) and recycled_at is null
    union all
    select f.id, f.kind from down cross join lateral (${inFolder(sql`down.id`)}) f
    where down.kind = 'folder' and f.recycled_at is null
  )`

/** Bytes that came before first bytes were looked at. */
async function hintlessBelow(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ sha256: string }>(sql`
    ${below(ids)}
    select distinct f.sha256
    from down
    join ${files} f on f.id = down.id
    join blobs b on b.sha256 = f.sha256
    where b.patient_hint is null
    limit ${HINTS_IN_CALL}`)
  return rows.map(({ sha256 }) => sha256)
}

const HINTS_IN_CALL = 2000

async function countBelow(db: Db, ids: readonly string[]): Promise<{ count: number; total: number }> {
  const { rows } = await db.execute<{ count: string; total: string }>(sql`
    ${below(ids)}
    select count(*) as total, count(*) filter (where ${namesPatient(sql`f`)}) as count
    from down join ${files} f on f.id = down.id
    where f.kind = 'file'`)
  return { count: Number(rows[0]?.count ?? 0), total: Number(rows[0]?.total ?? 0) }
}

async function unknownBelow(db: Db, ids: readonly string[]): Promise<SliceFile[]> {
  const { rows } = await db.execute<{ id: string; name: string; sha256: string; bytes: string }>(sql`
    ${below(ids)}
    select distinct on (f.sha256) f.id, f.name, f.sha256, f.size_bytes as bytes
    from down join ${files} f on f.id = down.id
    where f.sha256 is not null and f.size_bytes <= ${limits.namesBytes} and ${namesPatient(sql`f`)}
      and not exists (select from dicom_places p where p.sha256 = f.sha256 and p.names_patient is not null)
    limit ${limits.seriesInCall + 1}`)
  return rows.map(({ bytes, ...file }) => ({ ...file, sizeBytes: Number(bytes) }))
}
