/** The job: looks at what goes out or comes in, or does it. Picks up where a killed worker left it. */
import { labelExchange as limits } from '@neuroloom/contract/limits'
import { Failure } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import { isDiskFull } from '../../../infra/room.ts'
import { lookAtMarks, writeFiles } from './export.ts'
import { lookAtFiles, takeMarks } from './import.ts'
import { claim, keepLease, LostExchange, update } from './lease.ts'
import { type ExchangeFailure, Whole } from './whole.ts'

export async function work(ctx: Context, exchangeId: string): Promise<void> {
  const row = await claim(ctx, exchangeId)
  if (!row) return
  const letGo = keepLease(ctx, row)
  try {
    if (row.attempts > limits.tries) throw new Whole('internal')
    await ctx.room.require()
    await steps[row.kind][row.state === 'looking' ? 'look' : 'do'](ctx, row)
  } catch (error) {
    if (error instanceof LostExchange) return
    ctx.log.warn({ err: error, exchange: row.id }, 'labels could not be exchanged')
    const failed = {
      state: 'failed' as const,
      failure: failureOf(error),
      leaseUntil: null,
      endedAt: ctx.now(),
    }
    await update(ctx.db, row, failed).catch(ignoreLost)
  } finally {
    letGo()
  }
}

const steps = {
  export: { look: lookAtMarks, do: writeFiles },
  import: { look: lookAtFiles, do: takeMarks },
}

function failureOf(error: unknown): ExchangeFailure {
  if (error instanceof Whole) return error.failure
  if (isDiskFull(error)) return 'disk_full'
  if (!(error instanceof Failure)) return 'internal'
  const known = (['storage_full', 'plan_limit', 'missing', 'not_allowed'] as const).find(
    (name) => name === error.failure,
  )
  return known ?? (error.failure === 'label_set_missing' ? 'missing' : 'internal')
}

function ignoreLost(error: unknown): void {
  if (!(error instanceof LostExchange)) throw error
}
