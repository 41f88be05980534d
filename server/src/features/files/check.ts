import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileRole } from '@neuroloom/contract/engine'
import { files as limits, viewing } from '@neuroloom/contract/limits'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Context, WorkerContext } from '../../infra/context.ts'
import type { CheckedFile } from '../../infra/engine/engine.ts'
import { newId } from '../../infra/ids.ts'
import type { PatientHint } from '../../infra/reader/patient-hint.ts'
import { ReaderBusy, ReaderFailure } from '../../infra/reader/reader.ts'
import { blobs, thumbnailPath } from '../../infra/storage/blobs.ts'
import { learnHints } from './patients/hints.ts'
import { mayNamePatient } from './patients/patient-sql.ts'
import { isPictureName, isScanName } from './pictures.ts'
import { tellMembers } from './sharing/news.ts'
import { files } from './tables.ts'
import { learnPlaces, type SliceFile, unknownOf } from './view/dicom-series.ts'
import { patienceOf } from './view/make.ts'
import { makeThumbnails } from './view/thumbnails.ts'

/** So many files a round: what was found is stored as it comes, and a stop loses little. */
const ROUND = 250

/** Looks at all of a member's images that nobody has looked at: facts for data sets, thumbnails for pages. */
export async function checkNew(ctx: WorkerContext, userId: string): Promise<void> {
  const found = await ctx.db
    .select({
      sha256: blobs.sha256,
      name: sql<string>`min(${files.searchName})`,
      sizeBytes: blobs.sizeBytes,
      hint: blobs.patientHint,
    })
    .from(files)
    .innerJoin(blobs, eq(blobs.sha256, files.sha256))
    .where(and(eq(files.ownerId, userId), isNull(blobs.checkedAt)))
    .groupBy(blobs.sha256)
  const pictures = found.filter(({ name }) => isPictureName(name))
  for (let start = 0; start < pictures.length; start += ROUND) {
    const round = pictures
      .slice(start, start + ROUND)
      .map(({ sha256 }) => ({ sha256, role: 'image' as const }))
    await checkBlobs(ctx, round, async () => undefined)
  }
  const scans = found.filter(({ name }) => isScanName(name))
  await makeThumbnails(ctx, scans)
  if (await learnPatients(ctx, found)) await tellMembers(ctx, [userId])
}

/**
 * Whoever a folder is shared with sees no file that may name its patient and that nobody has looked at. Whether there was
 * anything: slices are shown as their series from then on.
 */
async function learnPatients(
  ctx: WorkerContext,
  found: readonly { sha256: string; name: string; sizeBytes: number; hint: PatientHint | null }[],
): Promise<boolean> {
  const some = found
    .filter(({ name, sizeBytes, hint }) => mayNamePatient(name, hint) && sizeBytes <= viewing.namesBytes)
    .map((file) => ({ ...file, id: file.sha256 }))
  // Archives are never marked as checked.
  const unknown = await unknownOf(ctx.db, some)
  await learnLater(ctx, unknown)
  return unknown.length > 0
}

/** What the program cannot do now, it does another time. */
async function learnLater(ctx: Context, some: readonly SliceFile[]): Promise<void> {
  await learnPlaces(ctx, some, patienceOf('job')).catch((error: unknown) => {
    if (!(error instanceof ReaderFailure || error instanceof ReaderBusy)) throw error
  })
}

/** So much a round: it comes again after minutes. */
const FORGOTTEN = { hints: 2000, files: 200 }

/** Looks at bytes that were there before anybody looked at such bytes, or whose look ended early. */
export async function learnForgotten(ctx: Context): Promise<void> {
  const bare = await ctx.db.execute<{ sha256: string }>(sql`
    select sha256 from ${blobs}
    where patient_hint is null and exists (select from ${files} f where f.sha256 = ${blobs.sha256})
    limit ${FORGOTTEN.hints}`)
  await learnHints(
    ctx,
    bare.rows.map(({ sha256 }) => sha256),
  )
  const unread = await ctx.db.execute<{ sha256: string; name: string; bytes: string }>(sql`
    select b.sha256, min(f.name) as name, b.size_bytes as bytes
    from ${blobs} b
    join ${files} f on f.sha256 = b.sha256
    where b.patient_hint in ('likely', 'seldom') and b.size_bytes <= ${viewing.namesBytes}
      and not exists (select from dicom_places p where p.sha256 = b.sha256)
    group by b.sha256
    limit ${FORGOTTEN.files}`)
  await learnLater(
    ctx,
    unread.rows.map(({ sha256, name, bytes }) => ({ id: sha256, sha256, name, sizeBytes: Number(bytes) })),
  )
}

export type BlobToCheck = { sha256: string; role: FileRole }

/** Has the engine read stored bytes; keeps thumbnails and what it found, except a refusal as something else than an image. */
export async function checkBlobs(
  ctx: WorkerContext,
  list: BlobToCheck[],
  onChecked: (blob: BlobToCheck, checked: CheckedFile) => Promise<void>,
): Promise<void> {
  if (list.length === 0) return
  const folder = join(ctx.storage.stagingFolder, 'checks', newId())
  await mkdir(folder, { recursive: true })
  try {
    const laidOut: { id: string; path: string; role: BlobToCheck['role'] }[] = []
    for (const [index, { sha256, role }] of list.entries()) {
      const path = join(folder, String(index))
      await ctx.storage.linkInto(sha256, path)
      laidOut.push({ id: String(index), path, role })
    }
    await ctx.engine.check(laidOut, { thumbnailSize: limits.thumbnailPixels }, async (checked) => {
      const blob = list[Number(checked.id)]
      if (!blob) return
      await keep(ctx, blob, checked)
      await onChecked(blob, checked)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function keep(ctx: WorkerContext, { sha256, role }: BlobToCheck, checked: CheckedFile): Promise<void> {
  if (checked.facts === null && role !== 'image') return
  if (checked.thumbnail !== null) {
    const target = thumbnailPath(ctx.config.dataDir, sha256)
    await mkdir(dirname(target), { recursive: true })
    await rename(checked.thumbnail, target)
  }
  await ctx.db
    .update(blobs)
    .set({ facts: checked.facts, reason: checked.reason, checkedAt: ctx.now() })
    .where(eq(blobs.sha256, sha256))
}

/** The bytes of an entry that has a thumbnail, else null: looked at, and nothing said against it. */
export const picturedBytes = sql<
  string | null
>`case when ${blobs.checkedAt} is not null and ${blobs.reason} is null then ${blobs.sha256} end`
