import { asc, eq } from 'drizzle-orm'
import { type ArchivedFile, jsonList } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { labelHelpers, labelJudgements, labelProposals, labelRounds } from './tables.ts'

/** Which network proposes where, what it proposed, what the member said to it, and the rounds it learned in. */
export async function* proposalsOf(ctx: Context, userId: string): AsyncIterable<ArchivedFile> {
  yield jsonList('label-helpers.json', ownHelpers(ctx, userId))
  yield jsonList('label-proposals.json', ownProposals(ctx, userId))
  yield jsonList('label-rounds.json', ownRounds(ctx, userId))
}

async function* ownHelpers({ db }: Context, userId: string): AsyncIterable<object> {
  const rows = await db.select().from(labelHelpers).where(eq(labelHelpers.userId, userId))
  for (const { userId: _, ...row } of rows) yield row
}

/** One at a time: each may be megabytes. */
async function* ownProposals({ db }: Context, userId: string): AsyncIterable<object> {
  const rows = await db
    .select({ id: labelProposals.id })
    .from(labelProposals)
    .where(eq(labelProposals.userId, userId))
    .orderBy(asc(labelProposals.madeAt), asc(labelProposals.id))
  for (const { id } of rows) {
    const [row] = await db.select().from(labelProposals).where(eq(labelProposals.id, id))
    if (!row) continue
    const judged = await db.select().from(labelJudgements).where(eq(labelJudgements.proposalId, id))
    const { userId: _, ...proposal } = row
    yield { ...proposal, judged: judged.map(({ proposalId: __, ...one }) => one) }
  }
}

async function* ownRounds({ db }: Context, userId: string): AsyncIterable<object> {
  const rows = await db
    .select()
    .from(labelRounds)
    .where(eq(labelRounds.userId, userId))
    .orderBy(asc(labelRounds.createdAt), asc(labelRounds.id))
  for (const { userId: _, ...row } of rows) yield row
}
