import type { Answer } from '@neuroloom/contract/calls'
import type { EngineEvent, runWarnings } from '@neuroloom/contract/engine'
import type { LiveEvent } from '@neuroloom/contract/live'
import { isOpen } from '@neuroloom/contract/run-states'
import type { Progress } from '@neuroloom/contract/runs'

export type Detail = Answer<'runs/detail'>
export type CurvePoint = Detail['curves'][number]

/** What a live event means for the page: the record it changes at once, and whether the server must be asked. */
export type Applied = { detail: Detail; stale: boolean }

const passing = new Set(['heartbeat', 'checkpoint', 'file', 'warning'])

/**
 * Progress, phases and curve points carry all that the page shows and are put in place at once. Everything else
 * (states, pictures that need a signed link, results) only says that the record is stale.
 */
export function applyEvent(detail: Detail, event: LiveEvent): Applied {
  if (passing.has(event.type)) return { detail, stale: false }
  if (hasEnded(detail)) return { detail, stale: false }
  switch (event.type) {
    case 'progress':
      return applyProgress(detail, event.data)
    case 'phase':
      return applyPhase(detail, event.data)
    case 'metrics':
      return applyMetrics(detail, event.data)
    default:
      return { detail, stale: true }
  }
}

export const hasEnded = ({ run }: Pick<Detail, 'run'>): boolean => !isOpen(run)

export type Warning = {
  code: (typeof runWarnings)[number]
  params: Record<string, string | number | string[]>
}

/** The warning that an event carries, or null. */
export function warningOf(event: LiveEvent): Warning | null {
  if (event.type !== 'warning') return null
  // The server passes engine events on after checking them against the contract's schema.
  const { code, data } = event.data as { code: Warning['code']; data: Warning['params'] }
  return { code, params: data }
}

function applyProgress(detail: Detail, data: LiveEvent['data']): Applied {
  // Checked by the server against the contract's engine events.
  const { fold, folds, epoch, epochs, step, steps, loss, learningRate, itemsPerSecond, etaSeconds } =
    data as Progress
  const progress = { fold, folds, epoch, epochs, step, steps, loss, learningRate, itemsPerSecond, etaSeconds }
  const run = { ...detail.run, state: 'running' as const, position: null, progress }
  return { detail: { ...detail, run }, stale: detail.run.state !== 'running' }
}

function applyPhase(detail: Detail, data: LiveEvent['data']): Applied {
  const phase = typeof data.phase === 'string' ? data.phase : null
  return {
    detail: { ...detail, run: { ...detail.run, phase } },
    stale: detail.run.state !== 'running',
  }
}

type Metrics = Extract<EngineEvent, { type: 'metrics' }>

function applyMetrics(detail: Detail, data: LiveEvent['data']): Applied {
  // Checked by the server against the contract's engine events.
  const { fold, epoch, split, values, perClass, confusion, best } = data as Metrics
  if (split !== 'train' && split !== 'validation') return { detail, stale: true }
  const point: CurvePoint = { fold, epoch, split, values }
  const others = detail.curves.filter(
    (known) => known.fold !== fold || known.epoch !== epoch || known.split !== split,
  )
  const curves = [...others, point]
  if (!best) return { detail: { ...detail, curves }, stale: false }
  return {
    detail: { ...detail, curves, run: { ...detail.run, metrics: values, perClass, confusion } },
    stale: false,
  }
}
