import { inArray, sql } from 'drizzle-orm'
import { type Failure, fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { addBlobs } from '../../../infra/storage/blobs.ts'
import * as plans from '../../plans/service.ts'
import { deidentifiedAmong } from '../patients/deidentification.ts'
import { type Deed, record } from '../records/records.ts'
import { uploads } from '../tables.ts'
import { folderNames, lockCloud } from '../tree.ts'
import { queue } from '../unpack/unpack.ts'
import { type Placed, placeAll, type Whole } from './place.ts'

/** The file's number; null where it was skipped, or another server was quicker; a failure where it was given up. */
type Outcome = string | null | Failure
type Waiting = { whole: Whole; resolve: (id: string | null) => void; reject: (error: unknown) => void }

/** By the owner of the cloud they go to. */
const lines = new WeakMap<Context, Map<string, Waiting[]>>()
/** Counted in one transaction. */
const AT_ONCE = 400

/**
 * Makes a file of the cloud of an upload. Those that arrive while the cloud is busy are counted together: the cloud is
 * locked, and the database waits for its disk, once for all of them.
 */
export function count(ctx: Context, whole: Whole): Promise<string | null> {
  const byOwner = lines.get(ctx) ?? new Map<string, Waiting[]>()
  lines.set(ctx, byOwner)
  return new Promise((resolve, reject) => {
    const waiting = { whole, resolve, reject }
    const line = byOwner.get(whole.upload.ownerId)
    if (line) line.push(waiting)
    else void serve(ctx, byOwner, waiting)
  })
}

async function serve(ctx: Context, byOwner: Map<string, Waiting[]>, first: Waiting): Promise<void> {
  const { ownerId } = first.whole.upload
  const line = [first]
  byOwner.set(ownerId, line)
  while (line.length > 0) await countTogether(ctx, line.splice(0, AT_ONCE))
  byOwner.delete(ownerId)
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
      const outcome = outcomes.get(whole.upload.id) ?? null
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
  } catch (error) {
    const [first, ...others] = waiting
    if (others.length === 0) first?.reject(error)
    else for (const one of waiting) await countTogether(ctx, [one])
  }
}

async function countAll(ctx: Context, tx: Tx, wholes: readonly Whole[]): Promise<Map<string, Outcome>> {
  const ownerId = wholes[0]?.upload.ownerId ?? ''
  await lockCloud(tx, ownerId)
  const [{ counted, outcomes }, cleaned] = await Promise.all([
    claim(ctx, tx, wholes),
    deidentifiedAmong(
      tx,
      wholes.map(({ upload: { memberId }, sha256 }) => ({ memberId, sha256 })),
    ),
    addBlobs(
      tx,
      wholes.map(({ upload: { sizeBytes }, sha256, patientHint }) => ({ sha256, sizeBytes, patientHint })),
    ),
  ])
  if (counted.length === 0) return outcomes
  const { placed, growths } = await placeAll(ctx, tx, counted)
  const folders = await folderNames(
    tx,
    placed.map(({ upload }) => upload.parentId),
  )
  await Promise.all([
    growths.apply(tx),
    plans.commit(tx, ownerId, {
      reservedBytes: counted.reduce((sum, { upload }) => sum + upload.sizeBytes, 0),
      usedBytes: placed.reduce((sum, { addedBytes }) => sum + addedBytes, 0),
    }),
    record(ctx, tx, deedsOf(placed, { cleaned, folders })),
  ])
  for (const { id, name, upload, sha256 } of placed) {
    const { memberId, unpack, encoding } = upload
    outcomes.set(upload.id, id)
    if (unpack === 'no') continue
    await queue(ctx, tx, { file: { id, ownerId, name, sha256 }, memberId, encoding, mode: unpack })
  }
  return outcomes
}

/** Those still to be counted. What was given up in between is told so; another server may have been quicker. */
async function claim(
  ctx: Context,
  tx: Tx,
  wholes: readonly Whole[],
): Promise<{ counted: Whole[]; outcomes: Map<string, Outcome> }> {
  const byId = new Map(wholes.map((whole) => [whole.upload.id, whole]))
  const ids = [...byId.keys()]
  const now = ctx.now()
  const { rows } = await tx.execute<{ id: string; parent_id: string | null }>(sql`
    update ${uploads}
    set received_bytes = size_bytes, done_at = ${now}, touched_at = ${now}
    where id = any(${sql.param(ids)}) and done_at is null
    returning id, parent_id`)
  // Its folder may have been merged into another one since the upload was read.
  const claimed = new Map(rows.map(({ id, parent_id: parentId }) => [id, { parentId }]))
  const outcomes = new Map<string, Outcome>()
  if (claimed.size < ids.length) {
    const known = await tx.select({ id: uploads.id }).from(uploads).where(inArray(uploads.id, ids))
    const there = new Set(known.map(({ id }) => id))
    for (const id of ids) if (!there.has(id)) outcomes.set(id, fail('upload_gone'))
  }
  const counted = [...byId.values()].flatMap((whole) => {
    const place = claimed.get(whole.upload.id)
    return place ? [{ ...whole, upload: { ...whole.upload, ...place } }] : []
  })
  return { counted, outcomes }
}

type Known = {
  cleaned: Awaited<ReturnType<typeof deidentifiedAmong>>
  /** Names of the folders that files were put in. */
  folders: ReadonlyMap<string, string>
}

/** What was done and in which folder, and that patient data had been taken out before. */
function deedsOf(placed: readonly Placed[], { cleaned, folders }: Known): Deed[] {
  return placed.flatMap(({ id, name, action, upload, sha256 }): Deed[] => {
    const deed = { actorId: upload.memberId, entry: { id, ownerId: upload.ownerId, name } }
    const to = folders.get(upload.parentId ?? '')
    const added: Deed = { action, ...deed, ...(to === undefined ? {} : { detail: { to } }) }
    return cleaned(upload.memberId, sha256) ? [added, { action: 'deidentify', ...deed }] : [added]
  })
}
