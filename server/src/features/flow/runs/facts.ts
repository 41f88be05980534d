import type { FlowLight, FlowMeasuredSection, FlowResults, FlowRun } from '@neuroloom/contract/flow/run'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { allRuns } from '../../runs/tables.ts'
import { flowFigures, flowProjectStudies, flowSections, runFlow } from './tables.ts'

/** What is known of a flow run, as pages show it and reports tell it. */
export type FlowRunFacts = {
  asked: FlowRun
  results: FlowResults | null
  /** As it was called then; the head is that of the study that was read. */
  study: { name: string; id: string | null; head: FlowStudy; sha256: string }
  /** The corrected study's, once there is one. */
  correctedHead: FlowStudy | null
  sections: FlowMeasuredSection[]
  isMeasuring: boolean
  massBalance: FlowLight | null
  figures: { id: string; caption: string; sha256: string; width: number; height: number }[]
}

/** Of a run that the reader may see, or that is the member's whose account is exported; null of one that is no flow run. */
export async function factsOf(db: Db, runId: string): Promise<FlowRunFacts | null> {
  const [found] = await db
    .select({ flow: runFlow, linked: flowProjectStudies.studyId })
    .from(runFlow)
    .innerJoin(allRuns, eq(allRuns.id, runFlow.runId))
    .leftJoin(
      flowProjectStudies,
      and(
        eq(flowProjectStudies.projectId, allRuns.projectId),
        eq(flowProjectStudies.studyId, runFlow.studyId),
      ),
    )
    .where(eq(runFlow.runId, runId))
  if (!found) return null
  const { flow, linked } = found
  const { asked, results, correctedHead, massBalance } = flow
  return {
    ...{ asked, results, correctedHead, massBalance },
    study: { name: flow.studyName, id: linked, head: flow.head, sha256: flow.studySha256 },
    sections: await sectionsOf(db, runId),
    isMeasuring: flow.state !== 'idle',
    figures: await figuresOf(db, runId),
  }
}

/** In the order in which they were kept; without numbers and refusal until they are measured. */
export async function sectionsOf(db: Db, runId: string): Promise<FlowMeasuredSection[]> {
  const rows = await db
    .select({ section: flowSections.section, told: flowSections.told })
    .from(flowSections)
    .where(eq(flowSections.runId, runId))
    .orderBy(asc(flowSections.place))
  return rows.map(({ section, told }) => ({ ...section, ...(told ?? { numbers: null, refusal: null }) }))
}

/** In the order in which they were kept. */
export const figuresOf = (db: Db, runId: string): Promise<FlowRunFacts['figures']> =>
  db
    .select({
      id: flowFigures.id,
      caption: flowFigures.caption,
      sha256: flowFigures.sha256,
      width: flowFigures.width,
      height: flowFigures.height,
    })
    .from(flowFigures)
    .where(eq(flowFigures.runId, runId))
    .orderBy(asc(flowFigures.createdAt), asc(flowFigures.id))
