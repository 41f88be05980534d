import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { flowTrainHyper } from '@neuroloom/contract/flow/sharpen'
import { flowTrainWork } from '@neuroloom/contract/forecast'
import { eq, sql } from 'drizzle-orm'
import type { Caller, SessionUser } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import * as networks from '../../networks/service.ts'
import { requireProject } from '../../projects/access.ts'
import { capacityOf, createForecaster, keepNetwork, queueRun, showRun } from '../../runs/service.ts'
import type { RunRow } from '../../runs/tables.ts'
import { requirePackages } from '../turn.ts'
import { runFlowTraining } from './tables.ts'

/** By whoever may edit the project; the model is its owner's, as of any training. */
export async function train(
  ctx: Context,
  wanted: Parsed<'flow/train'>,
  { user }: Caller,
): Promise<Answer<'flow/train'>> {
  const { project, network, fitted, run: planned } = await settle(ctx, user, wanted)
  const run = await ctx.db.transaction(async (tx) => {
    const kept = await keepNetwork(ctx, tx, { user, network })
    const row = await queueRun(ctx, tx, {
      ...{ ...planned, userId: project.ownerId, startedBy: user.id, projectId: project.id },
      ...{ datasetId: null, datasetName: '', classes: [], parameters: fitted.parameters },
      ...kept.run,
    })
    const { planHash } = fitted
    const plan = sql`${fitted.plan}::jsonb`
    const { asked } = wanted
    await tx.insert(runFlowTraining).values({ ...kept.inputs, runId: row.id, asked, plan, planHash })
    return row
  })
  return showRun(ctx.db, run.id)
}

/** For whoever may start it, before it is started. */
export async function foresee(
  ctx: Context,
  wanted: Parsed<'flow/forecast'>,
  { user }: Caller,
): Promise<Answer<'flow/forecast'>> {
  const { network, run } = await settle(ctx, user, wanted)
  return (await createForecaster(ctx.db))({ ...run, network: network.id })
}

/** All that can stand in the way of a training before it is one, and what it would be. */
async function settle(ctx: Context, user: SessionUser, { projectId, asked }: Parsed<'flow/train'>) {
  const project = await requireProject(ctx.db, user, projectId, 'edit')
  if (project.task !== 'flow') throw fail('task_differs')
  const network = await networks.findNetwork(ctx.db, user, { id: asked.network, task: 'flow' })
  await requirePackages(ctx)
  const fitted = await planFor(ctx, user, { network, asked })
  const hyper = flowTrainHyper(asked)
  const cost = flowTrainWork({ flows: asked.flows, hyper, cost: fitted.cost })
  const run = { kind: 'flow_train', task: 'flow', hyper, cost } as const
  return { project, network, fitted, run }
}

/** Refuses a network that is none for flow, or that the device has no memory for. */
async function planFor(
  ctx: Context,
  user: SessionUser,
  { network, asked: { epochs, seed } }: { network: networks.Found; asked: Parsed<'flow/train'>['asked'] },
): Promise<networks.FlowPlan> {
  const wanted = { network: networks.askedOf(network), epochs, seed }
  const fitted = await ctx.aside.ask(user.id, networks.flowPlanWork, wanted)
  if ('unfit' in fitted) throw fail('network_unfit', fitted.unfit)
  const { memoryBytes: haveBytes } = await capacityOf(ctx)
  const { needBytes } = fitted
  if (haveBytes !== null && needBytes > haveBytes) throw fail('memory_exceeded', { needBytes, haveBytes })
  return fitted
}

/** The same known flows and network under a new number. */
export async function again(tx: Tx, { past, next }: { past: RunRow; next: RunRow }): Promise<void> {
  const [training] = await tx.select().from(runFlowTraining).where(eq(runFlowTraining.runId, past.id))
  if (!training) throw fail('data_gone')
  const { asked, plan, planHash, networkText } = training
  await tx.insert(runFlowTraining).values({ runId: next.id, asked, plan, planHash, networkText })
}
