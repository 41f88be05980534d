import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { requireRun } from './access.ts'
import { runEvidence } from './tables.ts'

export async function evidence(
  ctx: Context,
  { id }: Parsed<'runs/evidence'>,
  { user }: Caller,
): Promise<Answer<'runs/evidence'>> {
  const run = await requireRun(ctx.db, user, id, 'view')
  const [found] = await ctx.db.select().from(runEvidence).where(eq(runEvidence.runId, run.id))
  return { evidence: found?.evidence ?? null }
}
