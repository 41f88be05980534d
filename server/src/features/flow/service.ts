import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { stillOpen } from '@neuroloom/contract/flow/settled'
import { flowLimits as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { missingFlowPackages } from '../../infra/engine/packages.ts'
import { newId } from '../../infra/ids.ts'
import { requireEntries } from '../files/access.ts'
import { holdStudy, requireStudy } from './access.ts'
import { begin, drop } from './keep.ts'
import { queue } from './lease.ts'
import { detailOf, summariesOf, summaryOf } from './show.ts'
import { type FlowRow, flowStudies } from './tables.ts'
import { requireTurn, requireWork } from './turn.ts'

export { type FlowRunFacts, factsOf } from './runs/facts.ts'

export async function list(
  ctx: Context,
  { after }: Parsed<'flow/studies'>,
  { user }: Caller,
): Promise<Answer<'flow/studies'>> {
  const before =
    after === null
      ? undefined
      : sql`(${flowStudies.createdAt}, ${flowStudies.id}) < (
          select created_at, id from flow_studies where id = ${after} and owner_id = ${user.id})`
  const rows = await ctx.db
    .select()
    .from(flowStudies)
    .where(and(eq(flowStudies.ownerId, user.id), before))
    .orderBy(desc(flowStudies.createdAt), desc(flowStudies.id))
    .limit(limits.page + 1)
  const page = rows.slice(0, limits.page)
  return {
    studies: await summariesOf(ctx.db, user, page),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
    missing: await missingFlowPackages(ctx.config.enginePython),
  }
}

export async function show(
  ctx: Context,
  { id }: Parsed<'flow/study'>,
  caller: Caller,
): Promise<Answer<'flow/study'>> {
  return detailOf(ctx, ctx.db, caller, await requireStudy(ctx.db, { id, ownerId: caller.user.id }))
}

/** Rights to files and how many there are is looked at here; what they are, by the job. */
export async function open(
  ctx: Context,
  { ids, name }: Parsed<'flow/open'>,
  { user }: Caller,
): Promise<Answer<'flow/open'>> {
  await requireWork(ctx, user)
  const sourceIds = [...new Set(ids)]
  const entries = await requireEntries(ctx.db, user, sourceIds, 'view')
  const count = entries.reduce((sum, { fileCount }) => sum + fileCount, 0)
  if (count > limits.files) throw fail('too_many_files', { limit: limits.files, count })
  const first = entries.find(({ id }) => id === sourceIds[0])
  if (!first) throw fail('missing')
  const called = name ?? (first.kind === 'folder' ? first.name : withoutEnding(first.name))
  const chosen = { sourceIds, fromId: first.id, phantom: null, step: 'look' } as const
  return add(ctx, user.id, { ...chosen, name: [...called].slice(0, limits.nameLength).join('') })
}

const withoutEnding = (name: string): string => name.replace(/(?<=.)(\.nii\.gz|\.[a-z0-9]{1,5})$/i, '')

export async function measure(
  ctx: Context,
  { phantom, name = phantom, scan }: Parsed<'flow/phantom'>,
  { user }: Caller,
): Promise<Answer<'flow/phantom'>> {
  await requireWork(ctx, user)
  // What is not said stays as the gallery has it for that flow.
  const known = { name: phantom, scan }
  return add(ctx, user.id, { sourceIds: [], fromId: null, name, step: 'make', phantom: known })
}

type New = Pick<FlowRow, 'sourceIds' | 'fromId' | 'phantom' | 'name' | 'step'> &
  Partial<Pick<FlowRow, 'sharpened'>>

async function add(ctx: Context, ownerId: string, values: New): Promise<Answer<'flow/open'>> {
  await ctx.room.require()
  return ctx.db.transaction(async (tx) => {
    await requireTurn(tx, ownerId)
    return addStudy(ctx, tx, ownerId, values)
  })
}

/** To be worked at as soon as the transaction has ended. */
export async function addStudy(
  ctx: Context,
  tx: Tx,
  ownerId: string,
  values: New,
): Promise<Answer<'flow/open'>> {
  const row = { id: newId(), ownerId, state: 'waiting', createdAt: ctx.now(), ...values } as const
  const [added] = await tx.insert(flowStudies).values(row).returning()
  if (!added) throw new Error('A study was not written down')
  await queue(ctx, tx, added.id)
  return summaryOf(tx, added)
}

export async function settle(
  ctx: Context,
  { id, answer }: Parsed<'flow/settle'>,
  caller: Caller,
): Promise<Answer<'flow/settle'>> {
  const { user } = caller
  return again(ctx, { id, user }, async (tx, row) => {
    if (row.look === null) throw fail('flow_unsettled')
    const { questions, problems } = stillOpen(row.look, answer)
    if (questions.length + problems.length > 0) throw fail('flow_unsettled')
    return detailOf(ctx, tx, caller, await begin(tx, row, { step: 'make', answer }))
  })
}

/** The step that failed; where nothing did, nothing is done. */
export async function retry(
  ctx: Context,
  { id }: Parsed<'flow/retry'>,
  { user }: Caller,
): Promise<Answer<'flow/retry'>> {
  const own = { id, ownerId: user.id }
  const { state } = await requireStudy(ctx.db, own)
  if (state === 'asked' || state === 'ready') return summaryOf(ctx.db, await requireStudy(ctx.db, own))
  return again(ctx, { id, user }, async (tx, row) => summaryOf(tx, await begin(tx, row, { step: row.step })))
}

/** The own study, if nobody is at it and what it is made of is still there; queued once `how` has begun it. */
async function again<T>(
  ctx: Context,
  { id, user }: { id: string; user: SessionUser },
  how: (tx: Tx, row: FlowRow) => Promise<T>,
): Promise<T> {
  await ctx.room.require()
  return ctx.db.transaction(async (tx) => {
    const row = await holdStudy(tx, { id, ownerId: user.id })
    await requireWork(ctx, user)
    if (row.state === 'waiting' || row.state === 'running') throw fail('study_busy')
    await requireEntries(tx, user, row.sourceIds, 'view')
    await requireTurn(tx, user.id)
    const begun = await how(tx, row)
    await queue(ctx, tx, row.id)
    return begun
  })
}

export async function rename(
  ctx: Context,
  { id, name }: Parsed<'flow/rename'>,
  { user }: Caller,
): Promise<Answer<'flow/rename'>> {
  const { id: found } = await requireStudy(ctx.db, { id, ownerId: user.id })
  const [row] = await ctx.db.update(flowStudies).set({ name }).where(eq(flowStudies.id, found)).returning()
  if (!row) throw fail('study_missing')
  return summaryOf(ctx.db, row)
}

export async function remove(
  ctx: Context,
  { id }: Parsed<'flow/remove'>,
  { user }: Caller,
): Promise<Answer<'flow/remove'>> {
  await ctx.db.transaction(async (tx) => drop(ctx, tx, await holdStudy(tx, { id, ownerId: user.id })))
  return {}
}
