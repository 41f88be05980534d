import { passwordTries as limits } from '@neuroloom/contract/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inTurn } from './turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const gapOf = (ms: number) => async () => ms

test('one begins at once, the others each a gap later, and who would wait too long is refused', async () => {
  const gapMs = (limits.patienceMs * 2) / 3
  const begun: number[] = []
  const turns = [1, 2, 3].map((number) => inTurn('a', gapOf(gapMs), async () => begun.push(number)))
  const ends = Promise.allSettled(turns)
  await inTurn('b', gapOf(gapMs), async () => undefined)
  expect(begun).toEqual([1])
  await vi.advanceTimersByTimeAsync(gapMs - 1)
  expect(begun).toEqual([1])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual([1, 2])
  await vi.advanceTimersByTimeAsync(gapMs)
  expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  await inTurn('a', gapOf(0), async () => begun.push(4))
  expect(begun).toEqual([1, 2, 4])
})

test('each is done before the next is measured, also where it fails', async () => {
  const order: string[] = []
  const fails = inTurn(
    'c',
    async () => order.push('measured'),
    async () => {
      // habit: work that takes longer than its turn
      await new Promise((resolve) => setTimeout(resolve, 500))
      order.push('done')
      throw new Error('wrong')
    },
  )
  const second = inTurn(
    'c',
    async () => order.push('measured'),
    async () => order.push('done'),
  )
  const refused = expect(fails).rejects.toThrow('wrong')
  await vi.advanceTimersByTimeAsync(600)
  await Promise.all([refused, second])
  expect(order).toEqual(['measured', 'done', 'measured', 'done'])
})

test('a queue has an end', async () => {
  const many = Array.from({ length: limits.waiting + 3 }, () => inTurn('d', gapOf(0), async () => undefined))
  const refused = (await Promise.allSettled(many)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(3)
})
