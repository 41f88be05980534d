import { expect, test, vi } from 'vitest'
import { openFeed } from './feed.ts'
import { PAGE, type StoredEvent } from './live.ts'

const TOPIC = 'run:abc'

/** Stored events whose readings end when the test says so. */
function makeSource(count: number) {
  const events = Array.from(
    { length: count },
    (_, index): StoredEvent => ({ id: index + 1, type: 'step', data: {} }),
  )
  const readings: (() => void)[] = []
  const log = { warn: vi.fn() }
  const after = (_key: string, id: number): Promise<StoredEvent[]> =>
    new Promise((resolve) => {
      const page = events.filter((event) => event.id > id).slice(0, PAGE)
      readings.push(() => resolve(page))
    })
  const finishAll = async (): Promise<void> => {
    for (let idle = 0; idle < 5; idle += 1) {
      const next = readings.shift()
      if (next) idle = 0
      next?.()
      await new Promise(setImmediate)
    }
  }
  return { events, after, log, finishAll }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test('somebody who joins further back while others are read for gets everything once, in order', async () => {
  const source = makeSource(20)
  const feed = openFeed(source)
  const [first, second]: [number[], number[]] = [[], []]
  feed.watch(TOPIC, 15, ({ id }) => first.push(id))
  feed.watch(TOPIC, 0, ({ id }) => second.push(id))
  await source.finishAll()
  expect(first).toEqual([16, 17, 18, 19, 20])
  expect(second).toEqual(upTo(20))
})

test('more than a page is read page by page, with what comes meanwhile', async () => {
  const source = makeSource(2 * PAGE + 10)
  const feed = openFeed(source)
  const seen: number[] = []
  feed.watch(TOPIC, 0, ({ id }) => seen.push(id))
  source.events.push({ id: 2 * PAGE + 11, type: 'step', data: {} })
  feed.pump(TOPIC)
  await source.finishAll()
  expect(seen).toEqual(upTo(2 * PAGE + 11))
})

test('nobody hears anything after leaving', async () => {
  const source = makeSource(5)
  const feed = openFeed(source)
  const seen: number[] = []
  const leave = feed.watch(TOPIC, 0, ({ id }) => seen.push(id))
  leave()
  await source.finishAll()
  expect(seen).toEqual([])
})

test('a reading that fails is tried again', async () => {
  const warn = vi.fn()
  let tries = 0
  const after = async (_key: string, id: number): Promise<StoredEvent[]> => {
    tries += 1
    if (tries === 1) throw new Error('The database is away')
    return id < 1 ? [{ id: 1, type: 'step', data: {} }] : []
  }
  const seen: number[] = []
  openFeed({ after, log: { warn } }).watch(TOPIC, 0, ({ id }) => seen.push(id))
  await vi.waitUntil(() => seen.length === 1, { timeout: 60_000 })
  expect(warn).toHaveBeenCalledOnce()
})
