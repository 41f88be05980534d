import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type Evidence, evidenceSchema } from '@neuroloom/contract/evidence'
import { withoutFewCases } from '@neuroloom/contract/evidence/enough-cases'
import type { CurvePoint } from '@neuroloom/contract/runs'
import { asc, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { requireRun } from '../access.ts'
import { runCurves, runEvidence } from '../tables.ts'

export async function evidence(
  ctx: Context,
  { id }: Parsed<'runs/evidence'>,
  { user }: Caller,
): Promise<Answer<'runs/evidence'>> {
  const run = await requireRun(ctx.db, user, id, 'view')
  return { evidence: await evidenceOf(ctx.db, run.id) }
}

/** Null for trainings, and for tests from before it was gathered. */
export async function evidenceOf(db: Db, runId: string): Promise<Evidence | null> {
  const [found] = await db.select().from(runEvidence).where(eq(runEvidence.runId, runId))
  // Those of before lack what came later.
  return found ? withoutFewCases(evidenceSchema.parse(found.evidence)) : null
}

/** Every validated epoch of a training, in its order. */
export const curvesOf = (db: Db, runId: string): Promise<CurvePoint[]> =>
  db
    .select({
      fold: runCurves.fold,
      epoch: runCurves.epoch,
      split: runCurves.split,
      values: runCurves.numbers,
    })
    .from(runCurves)
    .where(eq(runCurves.runId, runId))
    .orderBy(asc(runCurves.fold), asc(runCurves.epoch), asc(runCurves.split))
