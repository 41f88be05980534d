/** Code uploads as administrators see them: reading the files as text, and deciding. Nothing is executed here. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { codeStateAfter } from '@neuroloom/contract/custom/code'
import { code as limits } from '@neuroloom/contract/limits'
import { asc, desc, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import { tell } from '../../payments/service.ts'
import { type CodeRow, codeUploads } from '../tables.ts'
import { withEntries, withStored } from './archive.ts'
import { kindOf, readHead } from './content.ts'
import { hasDanger } from './intake.ts'
import { describeUploadToOffice, uploadsWithMembers } from './show.ts'

export async function list(
  ctx: Context,
  { state, page }: Parsed<'office/codeUploads'>,
  { user }: Caller,
): Promise<Answer<'office/codeUploads'>> {
  const wanted = state === null ? undefined : eq(codeUploads.state, state)
  const order = state === 'pending_review' ? asc : desc
  const found = await uploadsWithMembers(ctx.db)
    .where(wanted)
    .orderBy(order(codeUploads.uploadedAt), order(codeUploads.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    uploads: found.map((one) => describeUploadToOffice(one, user)),
    total: await ctx.db.$count(codeUploads, wanted),
    pageSize: limits.page,
  }
}

export async function entries(
  ctx: Context,
  { id }: Parsed<'office/codeEntries'>,
): Promise<Answer<'office/codeEntries'>> {
  return { entries: (await requireUpload(ctx, id)).entries }
}

/** Entries with a danger are never opened. */
export async function file(
  ctx: Context,
  { id, path: wanted }: Parsed<'office/codeFile'>,
): Promise<Answer<'office/codeFile'>> {
  const { entries: all, sha256 } = await requireUpload(ctx, id)
  const index = all.findIndex(({ path, isFolder }) => path === wanted && !isFolder)
  const entry = all[index]
  if (!entry) throw fail('code_missing')
  if (hasDanger(entry)) throw fail('code_unsafe')
  const head = await withStored(ctx, sha256, (path) => headOf(path, index))
  if (!kindOf(entry.path, head).isText) return { text: null, isWhole: false }
  return { text: head.toString('utf8'), isWhole: head.length < limits.shownBytes }
}

async function headOf(path: string, wanted: number): Promise<Buffer> {
  const head = await withEntries(path, async (archive) => {
    // What is damaged is a finding, and no text.
    for await (const { open } of archive.read(new Set([wanted])))
      return readHead(await open(), limits.shownBytes).catch(() => null)
    return null
  })
  if (head === null) throw fail('code_unsafe')
  return head
}

/** Nobody is the judge of an own case; what could do harm by being unpacked can only be rejected. */
export async function decide(
  ctx: Context,
  { id, decision }: Parsed<'office/codeUpload'>,
  { user, address }: Caller,
): Promise<Answer<'office/codeUpload'>> {
  const { userId } = await requireUpload(ctx, id)
  if (userId === user.id) throw fail('not_allowed')
  const one = eq(codeUploads.id, id)
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(codeUploads).where(one).for('update')
    if (!row) throw fail('code_missing')
    const isApproved = decision.is === 'approved'
    const state = codeStateAfter(row.state, isApproved ? 'approve' : 'reject')
    if (state === null) throw fail('code_decided')
    if (isApproved && row.inspectedAt === null) throw fail('code_uninspected')
    if (isApproved && row.entries.some(hasDanger)) throw fail('code_unsafe')
    const reason = decision.is === 'rejected' ? decision.reason : ''
    await tx.update(codeUploads).set({ state, reason, reviewedBy: user.id, reviewedAt: ctx.now() }).where(one)
    const kind = isApproved ? 'code_approved' : 'code_rejected'
    await tell(ctx, tx, { userId, kind, params: { name: row.name, reason } })
    await audit(tx, {
      ...{ actor: user.id, action: `code.${decision.is}`, subject: `code:${id}`, address },
      before: { state: row.state },
      after: { state, sha256: row.sha256 },
    })
  })
  const [found] = await uploadsWithMembers(ctx.db).where(one)
  if (!found) throw fail('code_missing')
  return describeUploadToOffice(found, user)
}

export async function requireUpload(ctx: Context, id: string): Promise<CodeRow> {
  const [row] = await ctx.db.select().from(codeUploads).where(eq(codeUploads.id, id))
  if (!row) throw fail('code_missing')
  return row
}
