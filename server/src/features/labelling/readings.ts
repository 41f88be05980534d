import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { ReadingState } from '@neuroloom/contract/labelling/labelling'
import { labelling as limits } from '@neuroloom/contract/limits'
import { and, asc, desc, eq, lt, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { tell } from '../files/service.ts'
import { maySeeOthers, requireItem, requireReading, type SeenReading } from './access.ts'
import { say } from './comments.ts'
import { trainWhenDue } from './proposals/learn.ts'
import { readingsOf } from './show.ts'
import { labelReadings, labelSteps, type ReadingRow } from './tables.ts'
import { begunFrom, stepOf, stepsBetween } from './wholes.ts'

export async function readings(
  ctx: Context,
  { itemId }: Parsed<'labelling/readings'>,
  { user }: Caller,
): Promise<Answer<'labelling/readings'>> {
  const { item, set } = await requireItem(ctx.db, user, itemId, 'read')
  const rows = await ctx.db
    .select()
    .from(labelReadings)
    .where(eq(labelReadings.itemId, item.id))
    .orderBy(asc(labelReadings.changedAt), asc(labelReadings.id))
  const seen = maySeeOthers(set) ? rows : rows.filter(({ readerId }) => readerId === user.id)
  return { readings: await readingsOf(ctx.db, user, set, seen) }
}

/** Readers finish their own and open them again; reviewers judge those that are finished. */
export async function setState(
  ctx: Context,
  { readingId, state, reason }: Parsed<'labelling/setState'>,
  { user }: Caller,
): Promise<Answer<'labelling/setState'>> {
  const seen = await requireReading(ctx.db, user, readingId)
  return ctx.db.transaction(async (tx) => {
    const [reading] = await tx
      .select()
      .from(labelReadings)
      .where(eq(labelReadings.id, readingId))
      .for('update')
    if (!reading) throw fail('reading_missing')
    if (!mayLead(seen, state)) throw fail('not_allowed')
    if (!leads(reading.state, state, seen.set.right !== 'read')) throw fail('reading_closed')
    const [changed] = await tx
      .update(labelReadings)
      .set({ state, changedAt: ctx.now() })
      .where(eq(labelReadings.id, readingId))
      .returning()
    const [shown] = changed ? await readingsOf(tx, user, seen.set, [changed]) : []
    if (!shown) throw fail('reading_missing')
    await ctx.live.passing({ kind: 'reading', id: readingId }, 'steps', { seq: shown.seq }, tx)
    if (state === 'done' && reading.readerId === user.id)
      await trainWhenDue(ctx, tx, { setId: seen.set.id, userId: user.id })
    if (state === 'returned' && reading.state !== state) {
      if (reason !== null) await say(ctx, tx, { seen, readingId, authorId: user.id, text: reason })
      await tellReturned(ctx, tx, { reading, seen, user })
    }
    return shown
  })
}

type Returned = { reading: ReadingRow; seen: SeenReading; user: Caller['user'] }

async function tellReturned(ctx: Context, tx: Tx, { reading, seen, user }: Returned): Promise<void> {
  const { readerId } = reading
  if (readerId === null || readerId === user.id) return
  const params = { owner: user.nickName, name: seen.set.name, image: seen.item.name }
  await tell(ctx, tx, [{ userId: readerId, kind: 'labels_returned', params }])
}

const mayLead = ({ isOwn, set }: SeenReading, state: ReadingState): boolean =>
  state === 'open' || state === 'done' ? isOwn || set.right !== 'read' : set.right !== 'read'

/** Which states follow which; what was accepted only a reviewer opens again. */
function leads(from: ReadingState, to: ReadingState, isReviewer: boolean): boolean {
  if (from === to) return true
  if (from === 'accepted') return isReviewer
  return to === 'open' || to === 'done' || from === 'done'
}

/** A page backwards from a step; fewer where steps are large. */
export async function steps(
  ctx: Context,
  { readingId, before }: Parsed<'labelling/steps'>,
  { user }: Caller,
): Promise<Answer<'labelling/steps'>> {
  const { reading } = await requireReading(ctx.db, user, readingId)
  const sizes = await ctx.db
    .select({
      seq: labelSteps.seq,
      bytes: sql`coalesce(octet_length(${labelSteps.patch}), 0)`.mapWith(Number),
    })
    .from(labelSteps)
    .where(
      and(eq(labelSteps.readingId, reading.id), before === null ? undefined : lt(labelSteps.seq, before)),
    )
    .orderBy(desc(labelSteps.seq))
    .limit(limits.steps)
  let [first, bytes] = [sizes[0]?.seq ?? 0, 0]
  for (const { seq, bytes: more } of sizes) {
    bytes += more
    if (bytes > limits.stepsBytes && seq !== sizes[0]?.seq) break
    first = seq
  }
  const rows = await stepsBetween(ctx.db, reading.id, { after: first - 1, upTo: sizes[0]?.seq ?? 0 })
  return { steps: rows.map(stepOf), next: first > 1 ? first : null }
}

export async function minutes(
  ctx: Context,
  { readingId }: Parsed<'labelling/minutes'>,
  { user }: Caller,
): Promise<Answer<'labelling/minutes'>> {
  const { reading } = await requireReading(ctx.db, user, readingId)
  const { rows } = await ctx.db.execute<{ at: Date; steps: string; seq: number }>(sql`
    select date_trunc('minute', kept_at) as at, count(*) as steps, max(seq) as seq
    from ${labelSteps}
    where reading_id = ${reading.id}
    group by 1
    order by 1 desc
    limit ${limits.minutes}`)
  return {
    minutes: rows.map(({ at, steps: count, seq }) => ({
      at: new Date(at).toISOString(),
      steps: Number(count),
      seq,
    })),
  }
}

/** Pages replay it: the last whole before, and the steps from there. */
export async function asOf(
  ctx: Context,
  { readingId, seq }: Parsed<'labelling/asOf'>,
  { user }: Caller,
): Promise<Answer<'labelling/asOf'>> {
  const { reading } = await requireReading(ctx.db, user, readingId)
  return begunFrom(ctx.db, reading.id, Math.min(seq, reading.seq))
}
