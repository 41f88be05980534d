import { randomBytes } from 'node:crypto'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { dayMs, deidentification as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { type ArchivedFile, jsonList } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { requireFile } from '../access.ts'
import { files } from '../tables.ts'
import { deidentificationKeys as keys, deidentifications as records } from './deidentification-tables.ts'

/** Records read at once for an export. */
const PAGE = 500

export async function find(
  ctx: Context,
  { id }: Parsed<'files/deidentification'>,
  { user }: Caller,
): Promise<Answer<'files/deidentification'>> {
  const { sha256, ownerId, modifiedBy } = await requireFile(ctx.db, user, id)
  // Whoever sent the bytes left the record, whosever folder they lie in.
  const people = [user.id, ownerId, ...(modifiedBy === null ? [] : [modifiedBy])]
  const [found] = await ctx.db
    .select()
    .from(records)
    .where(and(inArray(records.ownerId, people), eq(records.sha256, sha256)))
    .orderBy(asc(records.recordedAt))
    .limit(1)
  return { record: found ? { ...found.record, recordedAt: found.recordedAt.toISOString() } : null }
}

/** Made when it is first asked for; two that ask at once get the same one. */
export async function giveKey(
  ctx: Context,
  _body: Parsed<'files/deidentificationKey'>,
  { user }: Caller,
): Promise<Answer<'files/deidentificationKey'>> {
  await ctx.db
    .insert(keys)
    .values({ ownerId: user.id, key: randomBytes(32).toString('hex') })
    .onConflictDoNothing()
  const [{ key } = { key: '' }] = await ctx.db.select().from(keys).where(eq(keys.ownerId, user.id))
  if (!key) throw fail('not_signed_in')
  return { key }
}

/** A second record of the same bytes says the same as the first, which stays with its time. */
export async function keep(
  ctx: Context,
  { records: given }: Parsed<'files/recordDeidentification'>,
  { user }: Caller,
): Promise<Answer<'files/recordDeidentification'>> {
  return ctx.db.transaction(async (tx) => {
    await requireRoom(ctx, tx, user.id)
    const recordedAt = ctx.now()
    const rows = given.map((record) => ({ ownerId: user.id, sha256: record.sha256, record, recordedAt }))
    const kept = await tx
      .insert(records)
      .values(rows)
      .onConflictDoNothing()
      .returning({ sha256: records.sha256 })
    return { recorded: kept.length }
  })
}

type Sent = { memberId: string; sha256: string }

/** Which of these bytes their senders have said patient data was taken out of. */
export async function deidentifiedAmong(
  tx: Tx,
  sent: readonly Sent[],
): Promise<(memberId: string, sha256: string) => boolean> {
  const { rows } = await tx.execute<{ owner_id: string; sha256: string }>(sql`
    select owner_id, sha256
    from ${records}
    where (owner_id, sha256) in (
      select * from unnest(
        ${sql.param(sent.map(({ memberId }) => memberId))}::text[],
        ${sql.param(sent.map(({ sha256 }) => sha256))}::text[]
      )
    )`)
  const known = new Set(rows.map(({ owner_id, sha256 }) => `${owner_id} ${sha256}`))
  return (memberId, sha256) => known.has(`${memberId} ${sha256}`)
}

/** Records of bytes that no file has any more, or never had. */
export async function sweepRecords(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - limits.orphanMs)
  await ctx.db.execute(sql`
    delete from ${records}
    where recorded_at < ${before.toISOString()}
    and not exists (
      select 1
      from ${files}
      where ${files.sha256} = ${records.sha256}
    )`)
}

export async function eraseRecords(ctx: Context, userId: string): Promise<void> {
  await ctx.db.delete(records).where(eq(records.ownerId, userId))
  await ctx.db.delete(keys).where(eq(keys.ownerId, userId))
}

export async function* exportRecords(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('deidentification.json', rowsOf(ctx, userId))
}

async function* rowsOf(ctx: Context, userId: string): AsyncIterable<object> {
  let after = ''
  for (;;) {
    const page = await ctx.db
      .select()
      .from(records)
      .where(and(eq(records.ownerId, userId), gt(records.sha256, after)))
      .orderBy(asc(records.sha256))
      .limit(PAGE)
    for (const { record, recordedAt } of page) yield { ...record, recordedAt: recordedAt.toISOString() }
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = last.sha256
  }
}

async function requireRoom(ctx: Context, tx: Tx, userId: string): Promise<void> {
  const since = new Date(ctx.now().getTime() - dayMs)
  const [counted] = await tx
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(records)
    .where(and(eq(records.ownerId, userId), gt(records.recordedAt, since)))
  if ((counted?.count ?? 0) >= limits.recordsPerDay) throw fail('too_many_files')
}
