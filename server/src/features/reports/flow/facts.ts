/** Everything that the report of a flow run tells of it. */
import type { FlowResults } from '@neuroloom/contract/flow/run'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { StatementTexts } from '@neuroloom/contract/statements'
import { eq } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { type FlowRunFacts, factsOf } from '../../flow/service.ts'
import { statementsOf } from '../../projects/service.ts'
import type { SeenRun } from '../../runs/access.ts'
import { type RunRow, runArtifacts } from '../../runs/tables.ts'

export type FlowFacts = Omit<FlowRunFacts, 'results'> & {
  results: FlowResults
  run: Pick<RunRow, 'id' | 'number' | 'endedAt' | 'versions' | 'computedOn'>
  project: { id: string; name: string; description: string }
  statements: StatementTexts
  artifacts: readonly { kind: string; sha256: string }[]
}

export async function flowFactsOf({ db }: Context, run: SeenRun): Promise<FlowFacts> {
  const found = run.state === 'done' ? await factsOf(db, run.id) : null
  if (!found?.results) throw fail('report_not_ready')
  return {
    ...found,
    results: found.results,
    run,
    project: run.project,
    statements: await statementsOf(db, run.projectId),
    artifacts: await db.select().from(runArtifacts).where(eq(runArtifacts.runId, run.id)),
  }
}

/** Nobody was scanned: the velocities are those of a formula, or were made finer of such. */
export const isKnownFlow = ({ study: { head } }: FlowFacts): boolean =>
  head.source === 'phantom' || head.sharpened?.isKnown === true

/** Why frames do not make a beat, if they do not. */
export function beatReason({
  frames,
  period,
  gating,
}: FlowStudy): 'oneFrame' | 'noPeriod' | 'prospective' | null {
  if (frames === 1) return 'oneFrame'
  if (period === null) return 'noPeriod'
  return gating === 'prospective' ? 'prospective' : null
}
