/** Work of seconds in the process that answers everybody: one at a time over all members, in slices of time. */
import { setTimeout as others } from 'node:timers/promises'
import { slices as limits } from '@neuroloom/contract/limits'
import { createTurns, inTurnOrRefused } from './turns.ts'

const turns = createTurns({ atOnce: 1, waiting: limits.waiting, waitMs: limits.waitMs })

/** Several works would each take a slice before anybody else is answered. Rejects as `too_much_at_once` or `busy`. */
export const oneAtATime = <Result>(memberId: string, work: () => Promise<Result>): Promise<Result> =>
  inTurnOrRefused(turns, memberId, work)

/** To be awaited at each step of a long work: lets the others have their turn once a slice is over. */
export function makeBreath(): () => Promise<void> {
  let started = performance.now()
  return async () => {
    if (performance.now() - started < limits.ms) return
    await nextRound()
    started = performance.now()
  }
}

let last: Promise<unknown> = Promise.resolve()

/**
 * One slice after each rest, of however many works: otherwise others would wait for a slice of each. In the rest, they and
 * the database have the processor for themselves.
 */
function nextRound(): Promise<unknown> {
  last = last.then(() => others(limits.restMs))
  return last
}
