import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { requireItem } from '../access.ts'
import { labelJudgements, labelProposals } from './tables.ts'

/** Only of one's own proposals: nobody learns what another one said. */
export async function judge(
  ctx: Context,
  { proposalId, judged }: Parsed<'labelling/judge'>,
  { user }: Caller,
): Promise<Answer<'labelling/judge'>> {
  const [row] = await ctx.db
    .select()
    .from(labelProposals)
    .where(and(eq(labelProposals.id, proposalId), eq(labelProposals.userId, user.id)))
  if (!row) throw fail('proposal_missing')
  await requireItem(ctx.db, user, row.itemId, 'read')
  const classOf = new Map(row.objects.map((object) => [object.number, object.class]))
  const values = new Map(
    judged.flatMap(({ number, judgement }) => {
      const of = classOf.get(number)
      if (of === undefined || judgement === null) return []
      return [[number, { proposalId, number, class: of, judgement, judgedAt: ctx.now() }] as const]
    }),
  )
  const back = judged.filter(({ judgement }) => judgement === null).map(({ number }) => number)
  await ctx.db.transaction(async (tx) => {
    if (back.length > 0)
      await tx
        .delete(labelJudgements)
        .where(and(eq(labelJudgements.proposalId, proposalId), inArray(labelJudgements.number, back)))
    if (values.size > 0)
      await tx
        .insert(labelJudgements)
        .values([...values.values()])
        .onConflictDoUpdate({
          target: [labelJudgements.proposalId, labelJudgements.number],
          set: { judgement: sql`excluded.judgement`, judgedAt: sql`excluded.judged_at` },
        })
  })
  return {}
}
