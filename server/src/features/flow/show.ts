import type { FlowDetail, FlowState, FlowSummary } from '@neuroloom/contract/flow/calls'
import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import type { Holder } from '../accounts/access.ts'
import { accessTo } from '../files/access.ts'
import { flowProjectStudies } from './runs/tables.ts'
import { type FlowRow, flowStudies } from './tables.ts'
import { valuesUrl } from './values.ts'

/** How far it is, to the member's open pages and to those of projects that have it. */
export async function tellStudy(ctx: Context, id: string): Promise<void> {
  const [row] = await ctx.db.select().from(flowStudies).where(eq(flowStudies.id, id))
  if (!row) return
  await ctx.live.passing({ kind: 'user', id: row.ownerId }, 'flow', { id, state: stateOf(row) })
  for (const { projectId } of await projectsWith(ctx.db, id))
    await ctx.live.passing({ kind: 'project', id: projectId }, 'changed', {})
}

export const projectsWith = (db: Db, studyId: string): Promise<{ projectId: string }[]> =>
  db
    .select({ projectId: flowProjectStudies.projectId })
    .from(flowProjectStudies)
    .where(eq(flowProjectStudies.studyId, studyId))

export function stateOf({ step, state }: Pick<FlowRow, 'step' | 'state'>): FlowState {
  if (state !== 'waiting' && state !== 'running') return state
  return step === 'look' ? 'looking' : 'making'
}

/** As lists show them to this member, in the order in which they are given. */
export async function summariesOf(db: Db, reader: Reader, rows: readonly FlowRow[]): Promise<FlowSummary[]> {
  const there = await stillThere(db, reader, rows)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    state: stateOf(row),
    failure: row.failure,
    source: sourceOf(row),
    size: row.head?.size ?? null,
    frames: row.head?.frames ?? null,
    sizeBytes: row.sizeBytes,
    fromId: row.fromId !== null && there.has(row.fromId) ? row.fromId : null,
    createdAt: row.createdAt.toISOString(),
  }))
}

function sourceOf({ phantom, sharpened, look }: FlowRow): FlowSummary['source'] {
  if (phantom) return 'phantom'
  return sharpened ? 'sharpened' : (look?.source ?? null)
}

type Reader = { id: string }

/** What was chosen and is still to be seen. */
async function stillThere(db: Db, reader: Reader, rows: readonly FlowRow[]): Promise<ReadonlySet<string>> {
  const ids = rows.flatMap(({ fromId }) => fromId ?? [])
  return ids.length === 0 ? new Set() : new Set((await accessTo(db, reader, ids)).keys())
}

export async function summaryOf(db: Db, row: FlowRow): Promise<FlowSummary> {
  const [summary] = await summariesOf(db, { id: row.ownerId }, [row])
  if (!summary) throw new Error('A study is not shown')
  return summary
}

export async function detailOf(ctx: Context, db: Db, holder: Holder, row: FlowRow): Promise<FlowDetail> {
  const { look, answer, problems, head, phantom } = row
  const urlOf = (sha256: string | null): string | null =>
    sha256 === null ? null : valuesUrl(ctx, holder, { id: row.id, sha256 })
  const [values, interpolated] = [urlOf(row.sha256), urlOf(row.interpolatedSha256)]
  return { ...(await summaryOf(db, row)), look, answer, problems, head, phantom, values, interpolated }
}
