/** What the machine did in the last hour: one sample a minute, in the memory of this process. A restart forgets it. */
import { cpus, freemem, totalmem } from 'node:os'
import type { Answer } from '@neuroloom/contract/calls'
import { operations as limits } from '@neuroloom/contract/limits'
import type { Sample } from '@neuroloom/contract/office/operations'
import { count, inArray } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../infra/context.ts'
import { runs } from '../runs/tables.ts'

type Times = { busy: number; all: number }
type History = { since: Date; before: Times; samples: Sample[] }

/** Samples from now on, until the server closes. */
export function recordHistory(app: FastifyInstance, ctx: Context): void {
  histories.set(ctx, begin(ctx))
  const timer = setInterval(() => {
    // A database that is away leaves a gap.
    takeSample(ctx).catch((error: unknown) => ctx.log.warn({ err: error }, 'no sample of the machine'))
  }, limits.sampleMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

export async function takeSample(ctx: Context): Promise<void> {
  const history = histories.get(ctx)
  if (!history) return
  const { waiting, running } = await countRuns(ctx)
  const now = processorTimes()
  const [busy, all] = [now.busy - history.before.busy, now.all - history.before.all]
  history.before = now
  history.samples.push({
    at: ctx.now().toISOString(),
    processor: all > 0 ? Math.min(1, Math.max(0, busy / all)) : 0,
    memory: 1 - freemem() / totalmem(),
    waiting,
    running,
  })
  if (history.samples.length > limits.samples) history.samples.shift()
}

export function historyOf(ctx: Context): Answer<'office/overview'>['history'] {
  const { since, samples } = histories.get(ctx) ?? begin(ctx)
  return { since: since.toISOString(), samples: [...samples] }
}

const histories = new WeakMap<Context, History>()

const begin = (ctx: Context): History => ({ since: ctx.now(), before: processorTimes(), samples: [] })

/** Milliseconds of all processors together since the machine began. */
function processorTimes(): Times {
  const times = cpus().map((one) => one.times)
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0)
  return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) }
}

async function countRuns({ db }: Context): Promise<{ waiting: number; running: number }> {
  const rows = await db
    .select({ state: runs.state, count: count() })
    .from(runs)
    .where(inArray(runs.state, ['queued', 'running']))
    .groupBy(runs.state)
  const of = (state: string): number => rows.find((row) => row.state === state)?.count ?? 0
  return { waiting: of('queued'), running: of('running') }
}
