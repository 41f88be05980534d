import { flowLimits as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { leasesOf } from '../../infra/lease.ts'
import * as plans from '../plans/service.ts'
import { type FlowRow, flowStudies } from './tables.ts'

export const leases = leasesOf({ table: 'flow_studies', working: 'running', ...limits })

/** The work, if nobody else is at it. What an attempt that died had set aside is given back. */
export async function claim(ctx: Context, id: string): Promise<FlowRow | null> {
  return ctx.db.transaction(async (tx) => {
    if (!(await leases.claim(tx, id, ctx.now()))) return null
    const [row] = await tx.select().from(flowStudies).where(eq(flowStudies.id, id))
    return row ? returnSpace(tx, row) : null
  })
}

/** Of a row that is held. */
export async function returnSpace(tx: Tx, row: FlowRow): Promise<FlowRow> {
  if (row.reservedBytes === 0) return row
  await plans.release(tx, row.ownerId, row.reservedBytes)
  await tx.update(flowStudies).set({ reservedBytes: 0 }).where(eq(flowStudies.id, row.id))
  return { ...row, reservedBytes: 0 }
}

export const queue = (ctx: Context, tx: Tx | null, id: string): Promise<void> =>
  ctx.jobs.send(tx, 'flow.work', { studyId: id }, { singletonKey: id })

/** Queues what nobody works at any more. */
export async function recover(ctx: Context): Promise<void> {
  for (const id of await leases.free(ctx.db, ctx.now())) await queue(ctx, null, id)
}
