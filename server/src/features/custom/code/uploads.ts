/** A member's own code uploads. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { code as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import { codeRuns, codeUploads } from '../tables.ts'
import { describeUpload, listedColumns } from './show.ts'

export async function list(
  ctx: Context,
  { page }: Parsed<'codeUpload/list'>,
  { user }: Caller,
): Promise<Answer<'codeUpload/list'>> {
  const mine = eq(codeUploads.userId, user.id)
  const rows = await ctx.db
    .select(listedColumns)
    .from(codeUploads)
    .where(mine)
    .orderBy(desc(codeUploads.uploadedAt), desc(codeUploads.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    uploads: rows.map(describeUpload),
    total: await ctx.db.$count(codeUploads, mine),
    pageSize: limits.page,
  }
}

export async function entries(
  ctx: Context,
  { id }: Parsed<'codeUpload/entries'>,
  { user }: Caller,
): Promise<Answer<'codeUpload/entries'>> {
  const [row] = await ctx.db
    .select({ entries: codeUploads.entries })
    .from(codeUploads)
    .where(and(eq(codeUploads.id, id), eq(codeUploads.userId, user.id)))
  if (!row) throw fail('code_missing')
  return row
}

/** The bytes go with the sweep of what nothing keeps. */
export async function remove(
  ctx: Context,
  { id }: Parsed<'codeUpload/remove'>,
  { user, address }: Caller,
): Promise<Answer<'codeUpload/remove'>> {
  await ctx.db.transaction(async (tx) => {
    const own = and(eq(codeUploads.id, id), eq(codeUploads.userId, user.id))
    const [row] = await tx.select({ id: codeUploads.id }).from(codeUploads).where(own).for('update')
    if (!row) throw fail('code_missing')
    const open = and(eq(codeRuns.uploadId, id), inArray(codeRuns.state, ['queued', 'running']))
    if ((await tx.$count(codeRuns, open)) > 0) throw fail('code_runs')
    await tx.delete(codeUploads).where(own)
    await audit(tx, { actor: user.id, action: 'code.remove', subject: `code:${id}`, address })
  })
  return {}
}
