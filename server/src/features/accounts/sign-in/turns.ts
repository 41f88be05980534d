/** One after the other: tries at the same account from the same place wait for their turn. A restart forgets who waited. */
import { passwordTries as limits } from '@neuroloom/contract/limits'
import { fail } from '../../../http/fail.ts'

type Lane = { waiting: number; last: Promise<void> }

const lanes = new Map<string, Lane>()

/**
 * Does the work when those before it are done, and lets the next one begin `gapOf` after it began. So each one finds
 * settled what came before, and no number of parallel guesses passes together. Too long a queue is refused.
 */
export async function inTurn<T>(
  key: string,
  gapOf: () => Promise<number>,
  work: () => Promise<T>,
): Promise<T> {
  const lane = lanes.get(key) ?? { waiting: 0, last: Promise.resolve() }
  if (lane.waiting >= limits.waiting) throw fail('too_many_tries')
  lanes.set(key, lane)
  lane.waiting += 1
  const before = lane.last
  let leave = (): void => undefined
  lane.last = new Promise((resolve) => {
    leave = resolve
  })
  const next = (): void => {
    lane.waiting -= 1
    if (lane.waiting === 0) lanes.delete(key)
    leave()
  }
  if (!(await isOverWithin(before, limits.patienceMs))) {
    // Whoever is behind still waits for those before.
    void before.then(next)
    throw fail('too_many_tries')
  }
  let gapMs = 0
  const began = Date.now()
  try {
    gapMs = await gapOf()
    return await work()
  } finally {
    const restMs = began + gapMs - Date.now()
    if (restMs > 0) setTimeout(next, restMs).unref()
    else next()
  }
}

async function isOverWithin(before: Promise<void>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const isOver = await Promise.race([before.then(() => true), late])
  clearTimeout(timer)
  return isOver
}
