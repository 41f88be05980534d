import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { MeasuringFailure } from '@neuroloom/contract/flow/run'
import { flowLimits as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import type { Context, WorkerContext } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { FlowBroke } from '../../../infra/engine/engine.ts'
import { newId } from '../../../infra/ids.ts'
import { LostLease, leasesOf } from '../../../infra/lease.ts'
import { runArtifacts } from '../../runs/tables.ts'
import { workFolder } from '../folder.ts'
import { holdDone } from './access.ts'
import { sectionsOf } from './facts.ts'
import { flowSections, type RunFlowRow, runFlow } from './tables.ts'

const leases = leasesOf({ table: 'run_flow', key: 'run_id', working: 'running', ...limits })

/** In place of those before; a measurement of those that is under way is void. */
export async function keepSections(
  ctx: Context,
  { runId, sections }: Parsed<'flow/keepSections'>,
  { user }: Caller,
): Promise<Answer<'flow/keepSections'>> {
  await ctx.db.transaction(async (tx) => {
    const { flow } = await holdDone(tx, user, runId, 'edit')
    await tx.delete(flowSections).where(eq(flowSections.runId, runId))
    if (sections.length > 0) {
      await tx.insert(flowSections).values(sections.map((section, place) => ({ runId, place, section })))
    }
    const state = sections.length > 0 ? 'waiting' : 'idle'
    await tx
      .update(runFlow)
      .set({ state, askedAt: flow.attempts, leaseUntil: null, massBalance: null })
      .where(eq(runFlow.runId, runId))
    if (state === 'waiting') await queue(ctx, tx, runId)
    await tellKept(ctx, tx, runId)
  })
  return { sections: await sectionsOf(ctx.db, runId) }
}

/** Pages of the run fetch anew what is kept with it. */
export async function tellKept(ctx: Context, tx: Tx, runId: string): Promise<void> {
  await ctx.live.publish(tx, { kind: 'run', id: runId }, 'kept', {})
}

const queue = (ctx: Context, tx: Tx | null, runId: string): Promise<void> =>
  ctx.jobs.send(tx, 'flow.measure', { runId }, { singletonKey: runId })

/** Queues what nobody measures any more. */
export async function recoverSections(ctx: Context): Promise<void> {
  for (const id of await leases.free(ctx.db, ctx.now())) await queue(ctx, null, id)
}

/** Begun anew where a killed worker left it; where nothing helps, planes are told to have no numbers and why. */
export async function measure(ctx: WorkerContext, runId: string): Promise<void> {
  if (!(await leases.claim(ctx.db, runId, ctx.now()))) return
  const [row] = await ctx.db.select().from(runFlow).where(eq(runFlow.runId, runId))
  if (!row) return
  const held = { id: runId, attempts: row.attempts }
  const { signal, letGo } = leases.keep(ctx, held)
  const folder = join(workFolder(ctx), newId())
  try {
    if (row.attempts - row.askedAt <= limits.tries) await measureNow(ctx, row, { folder, signal })
    else await giveUp(ctx, held, 'not_measured')
  } catch (error) {
    if (error instanceof LostLease || signal.aborted) return
    ctx.log.warn({ err: error, run: runId }, 'planes of a flow run could not be measured')
    const code = error instanceof FlowBroke ? error.code : null
    const isLast =
      code === 'out_of_memory' || code === 'timeout' || row.attempts - row.askedAt >= limits.tries
    if (isLast) await giveUp(ctx, held, code === 'out_of_memory' ? code : 'not_measured')
    else await tryAgain(ctx, held)
  } finally {
    letGo()
    await rm(folder, { recursive: true, force: true })
  }
}

type Held = { id: string; attempts: number }

async function measureNow(
  ctx: WorkerContext,
  { runId, attempts }: RunFlowRow,
  at: { folder: string; signal: AbortSignal },
): Promise<void> {
  const kept = await ctx.db
    .select({ section: flowSections.section })
    .from(flowSections)
    .where(eq(flowSections.runId, runId))
    .orderBy(asc(flowSections.place))
  await mkdir(at.folder, { recursive: true })
  const done = await ctx.engine.flow(
    { do: 'sections', ...(await linkMade(ctx, runId, at.folder)), sections: kept.map((one) => one.section) },
    { ...at, timeMs: limits.makeMs },
  )
  if (!('told' in done)) throw new Error('The engine did not say what it measured')
  const { sections, massBalance } = done.told
  if (sections.length !== kept.length) throw new Error('The engine measured other planes')
  await end(ctx, { id: runId, attempts }, async (tx) => {
    for (const [place, told] of sections.entries())
      await tx
        .update(flowSections)
        .set({ told })
        .where(and(eq(flowSections.runId, runId), eq(flowSections.place, place)))
    await tx.update(runFlow).set({ massBalance }).where(eq(runFlow.runId, runId))
  })
}

/** The corrected study and its mask, under names below the folder. */
async function linkMade(ctx: Context, runId: string, folder: string) {
  const sha256 = await madeBy(ctx.db, runId)
  const [study, mask] = ['study.safetensors', 'mask.safetensors']
  await ctx.storage.linkInto(sha256('flow_study'), join(folder, study))
  await ctx.storage.linkInto(sha256('flow_mask_values'), join(folder, mask))
  return { study, mask }
}

async function madeBy(db: Db, runId: string) {
  const kinds = ['flow_study', 'flow_mask_values'] as const
  const rows = await db
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, runId), inArray(runArtifacts.kind, [...kinds])))
  return (kind: (typeof kinds)[number]): string => {
    const found = rows.find((row) => row.kind === kind)
    if (!found) throw new Error(`A flow run has left no ${kind}`)
    return found.sha256
  }
}

/** By whoever comes next. */
async function tryAgain(ctx: Context, held: Held): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, held)
    await tx.update(runFlow).set({ state: 'waiting', leaseUntil: null }).where(eq(runFlow.runId, held.id))
    await queue(ctx, tx, held.id)
  })
}

const giveUp = (ctx: Context, held: Held, refusal: MeasuringFailure): Promise<void> =>
  end(ctx, held, async (tx) => {
    await tx
      .update(flowSections)
      .set({ told: { numbers: null, refusal } })
      .where(eq(flowSections.runId, held.id))
  })

/** If it is still this attempt's. */
async function end(ctx: Context, held: Held, write: (tx: Tx) => Promise<void>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await leases.hold(tx, held)
    await write(tx)
    await tx.update(runFlow).set({ state: 'idle', leaseUntil: sql`null` }).where(eq(runFlow.runId, held.id))
    await tellKept(ctx, tx, held.id)
  })
}
