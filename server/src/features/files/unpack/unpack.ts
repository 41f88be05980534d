import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { archives as limits } from '@neuroloom/contract/limits'
import { archiveKind } from '@neuroloom/contract/names/archive-names'
import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { breaksUnique, type Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import * as plans from '../../plans/service.ts'
import { requireFile } from '../access.ts'
import { type UnpackRow, unpacks } from './tables.ts'

export type NewUnpack = {
  file: { id: string; ownerId: string; name: string; sha256: string }
  memberId: string
  encoding: TextEncoding | null
  mode: UnpackRow['mode']
}

export async function start(
  ctx: Context,
  { id, encoding }: Parsed<'files/unpack'>,
  { user }: Caller,
): Promise<Answer<'files/unpack'>> {
  const file = await requireFile(ctx.db, user, id, 'edit')
  if (archiveKind(file.name) === null) throw fail('archive_unknown')
  await ctx.room.require()
  try {
    return await ctx.db.transaction(async (tx) => {
      return toUnpack(await queue(ctx, tx, { file, memberId: user.id, encoding, mode: 'asked' }))
    })
  } catch (error) {
    if (breaksUnique(error, 'unpacks_once')) throw fail('unpack_running')
    throw error
  }
}

/** In the transaction that needs it; also for an archive that has just arrived. */
export async function queue(
  ctx: Context,
  tx: Tx,
  { file, memberId, encoding, mode }: NewUnpack,
): Promise<UnpackRow> {
  const [row] = await tx
    .insert(unpacks)
    .values({
      id: newId(),
      ownerId: file.ownerId,
      memberId,
      fileId: file.id,
      name: file.name,
      sha256: file.sha256,
      encoding,
      mode,
      state: 'waiting',
      createdAt: ctx.now(),
    })
    .returning()
  if (!row) throw new Error('An unpacking was not queued')
  await ctx.jobs.send(tx, 'files.unpack', { unpackId: row.id }, { singletonKey: row.id })
  return row
}

export async function list(ctx: Context, _body: unknown, { user }: Caller): Promise<Answer<'files/unpacks'>> {
  const rows = await ctx.db
    .select()
    .from(unpacks)
    .where(and(eq(unpacks.memberId, user.id), eq(unpacks.dismissed, false)))
    .orderBy(desc(unpacks.createdAt))
    .limit(limits.shown)
  return { unpacks: rows.map(toUnpack) }
}

/** One under way ends after the file that it is at. */
export async function stop(
  ctx: Context,
  { id }: Parsed<'files/stopUnpack'>,
  { user }: Caller,
): Promise<Answer<'files/stopUnpack'>> {
  const own = and(eq(unpacks.id, id), eq(unpacks.memberId, user.id))
  const waiting = await ctx.db
    .update(unpacks)
    .set({ state: 'failed', failure: 'stopped', endedAt: ctx.now(), sha256: null })
    .where(and(own, eq(unpacks.state, 'waiting')))
    .returning({ id: unpacks.id })
  const working = await ctx.db
    .update(unpacks)
    .set({ stopAsked: true })
    .where(and(own, eq(unpacks.state, 'working')))
    .returning({ id: unpacks.id })
  return { stopped: waiting.length + working.length > 0 }
}

export async function dismiss(
  ctx: Context,
  { ids }: Parsed<'files/dismissUnpack'>,
  { user }: Caller,
): Promise<Answer<'files/dismissUnpack'>> {
  const dismissed = await ctx.db
    .update(unpacks)
    .set({ dismissed: true })
    .where(
      and(
        inArray(unpacks.id, ids),
        eq(unpacks.memberId, user.id),
        sql`${unpacks.state} in ('done', 'failed')`,
      ),
    )
    .returning({ id: unpacks.id })
  return { dismissed: dismissed.length }
}

/** Forgets a member's unpackings and returns what they have reserved, also in others' clouds. */
export async function dropUnpacks(tx: Tx, userId: string): Promise<void> {
  const dropped = await tx
    .delete(unpacks)
    .where(sql`${unpacks.ownerId} = ${userId} or ${unpacks.memberId} = ${userId}`)
    .returning({ ownerId: unpacks.ownerId, reservedBytes: unpacks.reservedBytes })
  for (const { ownerId, reservedBytes } of dropped) {
    if (reservedBytes > 0) await plans.release(tx, ownerId, reservedBytes)
  }
}

function toUnpack(row: UnpackRow): Answer<'files/unpack'> {
  const { id, name, state, failure, params, folderId, doneFiles, totalFiles, doneBytes, totalBytes } = row
  const startedAt = row.createdAt.toISOString()
  return {
    id,
    name,
    state,
    failure,
    params,
    folderId,
    doneFiles,
    totalFiles,
    doneBytes,
    totalBytes,
    startedAt,
    namesIn: null,
    ...row.report,
  }
}
