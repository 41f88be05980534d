import type { Language } from '@neuroloom/contract/language'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Failure, fail } from '../../../http/fail.ts'
import { addBlobs } from '../../../infra/blobs.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import * as plans from '../../plans/service.ts'
import { deidentifiedAmong } from '../deidentification.ts'
import { nameColumns, numberedName } from '../names.ts'
import { type Deed, record } from '../records/records.ts'
import { type FileRow, files, type UploadRow, uploads } from '../tables.ts'
import { childrenOf, findChild, Growths, lockCloud } from '../tree.ts'
import { queue } from '../unpack/unpack.ts'

/** An upload whose bytes lie in the store for good. */
export type Whole = {
  uploadId: string
  ownerId: string
  sha256: string
  /** Of whoever sends it: in which an archive's old names are read. */
  language: Language
}

/** The file's number; null where it was skipped, or another server was quicker; a failure where it was given up. */
type Outcome = string | null | Failure
type Waiting = { whole: Whole; resolve: (id: string | null) => void; reject: (error: unknown) => void }

/** By the owner of the cloud they go to. */
const lines = new WeakMap<Context, Map<string, Waiting[]>>()
/** Counted in one transaction. */
const AT_ONCE = 50

/**
 * Makes a file of the cloud of an upload. Those that arrive while the cloud is busy are counted together: the cloud is
 * locked, and the database waits for its disk, once for all of them.
 */
export function count(ctx: Context, whole: Whole): Promise<string | null> {
  const byOwner = lines.get(ctx) ?? new Map<string, Waiting[]>()
  lines.set(ctx, byOwner)
  return new Promise((resolve, reject) => {
    const waiting = { whole, resolve, reject }
    const line = byOwner.get(whole.ownerId)
    if (line) line.push(waiting)
    else void serve(ctx, byOwner, waiting)
  })
}

async function serve(ctx: Context, byOwner: Map<string, Waiting[]>, first: Waiting): Promise<void> {
  const line = [first]
  byOwner.set(first.whole.ownerId, line)
  while (line.length > 0) await countTogether(ctx, line.splice(0, AT_ONCE))
  byOwner.delete(first.whole.ownerId)
}

/** What refuses one of them refuses nothing to the others. */
async function countTogether(ctx: Context, waiting: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await ctx.db.transaction((tx) =>
      countAll(
        ctx,
        tx,
        waiting.map(({ whole }) => whole),
      ),
    )
    for (const { whole, resolve, reject } of waiting) {
      const outcome = outcomes.get(whole.uploadId) ?? null
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
  } catch (error) {
    const [first, ...others] = waiting
    if (others.length === 0) first?.reject(error)
    else for (const one of waiting) await countTogether(ctx, [one])
  }
}

type Counted = { upload: UploadRow; whole: Whole }

async function countAll(ctx: Context, tx: Tx, wholes: readonly Whole[]): Promise<Map<string, Outcome>> {
  const ownerId = wholes[0]?.ownerId ?? ''
  await lockCloud(tx, ownerId)
  const { counted, outcomes } = await claim(ctx, tx, wholes)
  if (counted.length === 0) return outcomes
  await addBlobs(
    tx,
    counted.map(({ upload, whole }) => ({ sha256: whole.sha256, sizeBytes: upload.sizeBytes })),
  )
  const placed = await placeAll(ctx, tx, counted)
  await plans.commit(tx, ownerId, {
    reservedBytes: counted.reduce((sum, { upload }) => sum + upload.sizeBytes, 0),
    usedBytes: placed.reduce((sum, { addedBytes }) => sum + addedBytes, 0),
  })
  await writeDown(ctx, tx, placed)
  for (const { id, name, upload, whole } of placed) {
    const { memberId, unpack } = upload
    outcomes.set(upload.id, id)
    if (unpack === 'no') continue
    const { sha256, language } = whole
    await queue(ctx, tx, { file: { id, ownerId, name, sha256 }, memberId, language, mode: unpack })
  }
  return outcomes
}

/** Those still to be counted. What was given up in between is told so; another server may have been quicker. */
async function claim(
  ctx: Context,
  tx: Tx,
  wholes: readonly Whole[],
): Promise<{ counted: Counted[]; outcomes: Map<string, Outcome> }> {
  const ids = [...new Set(wholes.map(({ uploadId }) => uploadId))]
  const now = ctx.now()
  const rows = await tx
    .update(uploads)
    .set({ receivedBytes: sql`${uploads.sizeBytes}`, doneAt: now, touchedAt: now })
    .where(and(inArray(uploads.id, ids), isNull(uploads.doneAt)))
    .returning()
  const outcomes = new Map<string, Outcome>()
  const claimed = new Map(rows.map((row) => [row.id, row]))
  if (rows.length < ids.length) {
    const done = await tx.select({ id: uploads.id }).from(uploads).where(inArray(uploads.id, ids))
    const known = new Set(done.map(({ id }) => id))
    for (const id of ids) if (!known.has(id)) outcomes.set(id, fail('upload_gone'))
  }
  // In the order in which they arrived, each once.
  const counted = ids.flatMap((id) => {
    const upload = claimed.get(id)
    const whole = wholes.find(({ uploadId }) => uploadId === id)
    return upload && whole ? [{ upload, whole }] : []
  })
  return { counted, outcomes }
}

type Placed = Counted & { id: string; name: string; addedBytes: number; action: 'upload' | 'replace' }

/** Under their names; where one is taken by now, as was said for that case. Skipped ones are left out. */
async function placeAll(ctx: Context, tx: Tx, counted: readonly Counted[]): Promise<Placed[]> {
  const growths = new Growths()
  const placed = await insertFiles(
    ctx,
    tx,
    counted.map((one) => ({ ...one, name: one.upload.name })),
  )
  const inserted = new Set(placed.map(({ upload }) => upload.id))
  for (const one of counted.filter(({ upload }) => !inserted.has(upload.id))) {
    const other = await placeClashing(ctx, tx, one)
    if (other) placed.push(other)
  }
  for (const { upload, addedBytes, action } of placed)
    growths.add(upload.parentId, { bytes: addedBytes, files: action === 'upload' ? 1 : 0 })
  await growths.apply(tx)
  return placed
}

/** Without those whose names are taken. */
async function insertFiles(
  ctx: Context,
  tx: Tx,
  named: readonly (Counted & { name: string })[],
): Promise<Placed[]> {
  const made = named.map((one) => ({ ...one, id: newId() }))
  const rows = await tx
    .insert(files)
    .values(
      made.map(({ id, name, upload: { ownerId, memberId, parentId, sizeBytes }, whole: { sha256 } }) => ({
        id,
        ownerId,
        parentId,
        kind: 'file' as const,
        ...nameColumns(name, 'file'),
        sha256,
        sizeBytes,
        fileCount: 1,
        modifiedAt: ctx.now(),
        modifiedBy: memberId,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: files.id })
  const inserted = new Set(rows.map(({ id }) => id))
  return made
    .filter(({ id }) => inserted.has(id))
    .map((one) => ({ ...one, addedBytes: one.upload.sizeBytes, action: 'upload' }))
}

/** Null = skipped. */
async function placeClashing(ctx: Context, tx: Tx, one: Counted): Promise<Placed | null> {
  const { ownerId, parentId, name, sameName } = one.upload
  const there = await findChild(tx, { ownerId, parentId, name })
  if (there?.kind === 'file' && sameName === 'skip') return null
  if (there?.kind === 'file' && sameName === 'overwrite') return replace(ctx, tx, one, there)
  const [numbered] = await insertFiles(ctx, tx, [{ ...one, name: await freeName(tx, one.upload) }])
  if (!numbered) throw new Error('A name was taken although the cloud is locked')
  return numbered
}

/** The file keeps its identity and gets other bytes; the old ones take no space any more. */
async function replace(ctx: Context, tx: Tx, one: Counted, there: FileRow): Promise<Placed> {
  const { sizeBytes, memberId } = one.upload
  await tx
    .update(files)
    .set({ sha256: one.whole.sha256, sizeBytes, modifiedAt: ctx.now(), modifiedBy: memberId })
    .where(eq(files.id, there.id))
  const { id, name } = there
  return { ...one, id, name, addedBytes: sizeBytes - there.sizeBytes, action: 'replace' }
}

async function freeName(tx: Tx, { ownerId, parentId, name }: UploadRow): Promise<string> {
  const taken = new Set((await childrenOf(tx, ownerId, [parentId])).map((child) => child.name))
  return numberedName({ name, kind: 'file' }, (one) => taken.has(one))
}

/** What was done, and that patient data had been taken out before. */
async function writeDown(ctx: Context, tx: Tx, placed: readonly Placed[]): Promise<void> {
  const cleaned = await deidentifiedAmong(
    tx,
    placed.map(({ upload, whole }) => ({ memberId: upload.memberId, sha256: whole.sha256 })),
  )
  const deeds = placed.flatMap(({ id, name, action, upload, whole }): Deed[] => {
    const deed = { actorId: upload.memberId, entry: { id, ownerId: upload.ownerId, name } }
    const isCleaned = cleaned(upload.memberId, whole.sha256)
    return isCleaned
      ? [
          { action, ...deed },
          { action: 'deidentify', ...deed },
        ]
      : [{ action, ...deed }]
  })
  await record(ctx, tx, deeds)
}
