/** Brings stored events to watchers in order, each once, from where each of them stands. Knows no sockets and no rights. */
import { setTimeout as wait } from 'node:timers/promises'
import type { LiveEvent } from '@neuroloom/contract/live'
import type { FastifyBaseLogger } from 'fastify'
import { PAGE, type StoredEvent, topicOf } from './live.ts'

export type Feed = {
  /** Sends everything after an id, then what comes; answers how to stop. */
  watch(topicKey: string, after: number, send: (event: LiveEvent) => void): () => void
  /** There may be something new in a topic. */
  pump(topicKey: string): void
  pumpAll(): void
}

export type Source = {
  /** Stored events of a topic after an id, oldest first, at most `PAGE`. */
  after(topicKey: string, id: number): Promise<StoredEvent[]>
  log: Pick<FastifyBaseLogger, 'warn'>
}

type Watcher = { last: number; send: (event: LiveEvent) => void }
type TopicState = { watchers: Set<Watcher>; isReading: boolean; isStale: boolean }

const RETRY_MS = 1000

export function openFeed(source: Source): Feed {
  const topics = new Map<string, TopicState>()

  const pump = (key: string): void => {
    const state = topics.get(key)
    if (!state) return
    state.isStale = true
    if (!state.isReading) void readAll(source, key, state)
  }

  return {
    pump,
    pumpAll() {
      for (const key of topics.keys()) pump(key)
    },
    watch(key, after, send) {
      const state = topics.get(key) ?? { watchers: new Set(), isReading: false, isStale: false }
      topics.set(key, state)
      const watcher: Watcher = { last: after, send }
      state.watchers.add(watcher)
      pump(key)
      return () => {
        state.watchers.delete(watcher)
        if (state.watchers.size === 0 && topics.get(key) === state) topics.delete(key)
      }
    },
  }
}

/** One reader a topic at a time; news that come meanwhile make it read once more. */
async function readAll(source: Source, key: string, state: TopicState): Promise<void> {
  state.isReading = true
  while (state.isStale && state.watchers.size > 0) {
    state.isStale = false
    try {
      while (await readPage(source, key, state)) {}
    } catch (error) {
      source.log.warn({ err: error, topic: key }, 'cannot read live events; trying again')
      state.isStale = true
      await wait(RETRY_MS, undefined, { ref: false })
    }
  }
  state.isReading = false
}

/** Sends one page from the watcher that is furthest behind; true when there may be another. */
async function readPage(source: Source, key: string, { watchers }: TopicState): Promise<boolean> {
  if (watchers.size === 0) return false
  const from = Math.min(...[...watchers].map((watcher) => watcher.last))
  const events = await source.after(key, from)
  const topic = topicOf(key)
  for (const watcher of watchers) {
    // Came while we were reading and stands before this page: the next reading begins there.
    if (watcher.last < from) continue
    for (const event of events.filter(({ id }) => id > watcher.last)) {
      watcher.last = event.id
      watcher.send({ ...event, topic })
    }
  }
  return events.length === PAGE
}
