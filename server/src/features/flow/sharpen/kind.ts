/** What the queue of runs asks of trainings of velocity super-resolution. */
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { RunSpec } from '@neuroloom/contract/engine'
import { flowTrainedSchema } from '@neuroloom/contract/flow/sharpen'
import { eq } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import * as networks from '../../networks/service.ts'
import { CannotBegin, type RunKind, type RunPlace } from '../../runs/service.ts'
import type { RunRow } from '../../runs/tables.ts'
import { runFlowTraining } from './tables.ts'
import { again } from './train.ts'

/** Nothing is linked: the engine measures the flows itself. */
async function layOut(ctx: Context, run: RunRow, { device, resume }: RunPlace): Promise<RunSpec> {
  const training = await trainingOf(ctx.db, run.id)
  const { hyper } = run
  if (!training || hyper === null) throw new CannotBegin('internal', { reason: 'inputs' })
  const { plan, planHash, asked } = training
  return {
    ...{ v: 1, kind: 'flow_train', run: run.id, attempt: run.attempt, outputs: 'out' },
    ...{ plan, planHash, hyper, device, asked, resume },
  }
}

/** Of a run that was stopped before its first epoch there are none. */
const finish: RunKind['finish'] = async (left) => {
  const path = left.get('flow_training')
  const results = path ? flowTrainedSchema.parse(JSON.parse(await readFile(path, 'utf8'))) : null
  return async (tx, runId) => {
    await tx.update(runFlowTraining).set({ results }).where(eq(runFlowTraining.runId, runId))
  }
}

/** What was asked for, and the network as it was then. */
async function* archive(ctx: Context, run: RunRow): AsyncIterable<ArchivedFile> {
  const training = await trainingOf(ctx.db, run.id)
  if (!training) return
  const { asked, plan, networkText } = training
  yield jsonFile('asked.json', { asked })
  const text = networkText ?? networks.textOf(run.network)
  if (text !== null) yield { path: 'network.yaml', isText: true, read: () => Readable.from([text]) }
  yield jsonFile('plan.json', plan)
}

async function told(db: Db, runId: string): Promise<object> {
  const training = await trainingOf(db, runId)
  if (!training) return {}
  const { runId: _, ...flowTraining } = training
  return { flowTraining }
}

const trainingOf = async (db: Db, runId: string) =>
  (await db.select().from(runFlowTraining).where(eq(runFlowTraining.runId, runId)))[0]

export const trainKind: RunKind = { kind: 'flow_train', layOut, finish, again, archive, told }
