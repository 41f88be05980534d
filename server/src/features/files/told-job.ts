/** How far a piece of work is, as jobs of any kind are told. */
import type { Job } from '@neuroloom/contract/toolbox/calls'

type Told = {
  state: Job['state'] | 'cancelled'
  through: number
  total: number
  /** Of the work as a whole; where it is null, `failed` of its parts are. */
  failure: string | null
  failed: number
}

/** What was cancelled has failed, and says that it was stopped. */
export function toldJob(told: Told): Pick<Job, 'state' | 'progress' | 'reason'> {
  const { state, through, total } = told
  return {
    state: state === 'cancelled' ? 'failed' : state,
    progress: total === 0 ? null : (100 * through) / total,
    reason: reasonOf(told),
  }
}

function reasonOf({ state, failure, failed, total }: Told): Job['reason'] {
  if (state === 'cancelled') return { name: 'stopped', params: {} }
  if (state !== 'failed') return null
  return failure === null ? { name: 'some_failed', params: { failed, total } } : { name: failure, params: {} }
}
