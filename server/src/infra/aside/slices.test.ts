import { slices as limits } from '@neuroloom/contract/limits'
import { expect, it } from 'vitest'
import { makeBreath, oneAtATime } from './slices.ts'

/** Works that count their steps until somebody ends them, each step longer than a slice. */
function makeWork() {
  const work = { steps: 0, isEnded: false, run }
  async function run(): Promise<void> {
    const breathe = makeBreath()
    while (!work.isEnded) {
      work.steps += 1
      // habit: keeps the processor busy for a slice, and measures nothing
      const end = performance.now() + limits.ms
      // habit: keeps the processor busy for a slice, and measures nothing
      while (performance.now() < end);
      await breathe()
    }
  }
  return work
}

/** How others come to speak: by what the system hands over, once around the loop. */
const around = () => new Promise((resolve) => setTimeout(resolve))

it('others are answered between two steps of a long work', async () => {
  const work = makeWork()
  const done = oneAtATime('a', work.run)
  await around()
  const before = work.steps
  for (let turn = 0; turn < 5; turn += 1) await around()
  // A timer waits for one step, on a slow machine for two: never for the whole work.
  expect(work.steps - before).toBeLessThanOrEqual(10)
  work.isEnded = true
  await done
})

it('of many works one alone is under way, and a member with many waits behind one who has one', async () => {
  const works = { a1: makeWork(), a2: makeWork(), b1: makeWork() }
  const dones = Object.entries(works).map(([name, work]) => oneAtATime(name[0] ?? '', work.run))
  const begun = () => Object.entries(works).flatMap(([name, { steps }]) => (steps > 0 ? [name] : []))
  await around()
  expect(begun()).toEqual(['a1'])
  works.a1.isEnded = true
  await dones[0]
  await around()
  expect(begun()).toEqual(['a1', 'b1'])
  works.b1.isEnded = true
  works.a2.isEnded = true
  await Promise.all(dones)
})

it('what is too much at once is refused in words', async () => {
  const work = makeWork()
  const dones = Array.from({ length: limits.waiting + 1 }, () => oneAtATime('a', work.run))
  await expect(oneAtATime('a', work.run)).rejects.toMatchObject({ failure: 'too_much_at_once' })
  work.isEnded = true
  await Promise.all(dones)
})
