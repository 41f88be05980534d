/** Live events: one connection a tab, opened with a one-use ticket when a page first listens. Keeps no event. */
import type { Path } from '@neuroloom/contract/calls'
import { askWhoStays, client } from '@neuroloom/contract/limits'
import type { LiveEvent, Topic } from '@neuroloom/contract/live'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Socket } from 'socket.io-client'
import { root } from './address.ts'
import { call } from './api.ts'
import { refreshPaths } from './query.ts'

type LiveOptions = {
  /** Events up to this id are known already. */
  after?: number
  onEvent?: (event: LiveEvent) => void
  /** Reads that an event makes old; at most one refresh in `client.liveRefreshMs`. */
  refresh?: readonly Path[]
}

/** Listens while the component is mounted; tells whether the connection stands. */
export function useLive(
  topic: Topic | null,
  { after = 0, onEvent, refresh }: LiveOptions,
): { connected: boolean } {
  const queries = useQueryClient()
  const [connected, setConnected] = useState(false)
  const latest = useRef({ after, onEvent, refresh })
  latest.current = { after, onEvent, refresh }
  const kind = topic?.kind
  const id = topic?.id

  useEffect(() => {
    if (kind === undefined || id === undefined) return
    let isComing = false
    const refreshSoon = () => {
      const paths = latest.current.refresh
      if (!paths || isComing) return
      isComing = true
      setTimeout(() => {
        isComing = false
        refreshPaths(queries, paths)
      }, client.liveRefreshMs)
    }
    const leave = watch({
      topic: { kind, id },
      last: latest.current.after,
      seen: false,
      onEvent: (event) => {
        latest.current.onEvent?.(event)
        refreshSoon()
      },
      onState: setConnected,
      onMissed: refreshSoon,
    })
    return () => {
      // A refresh that was put off still comes: what it reads is old, whoever looks at it then.
      leave()
      setConnected(false)
    }
  }, [kind, id, queries])

  return { connected }
}

type Watcher = {
  topic: Topic
  last: number
  /** Whether the connection stood before: the first time nothing can have been missed. */
  seen: boolean
  onEvent: (event: LiveEvent) => void
  onState: (connected: boolean) => void
  /** News without an id may have passed while the line was down. */
  onMissed: () => void
}

const watchers = new Set<Watcher>()
/** Topics asked for on the connection that stands now; there is no way to unask one. */
const asked = new Set<string>()
let socket: Promise<Socket> | null = null
/** The line of `socket`; older ones must not come back to life. */
let current: Socket | null = null
let closing: ReturnType<typeof setTimeout> | undefined

function watch(watcher: Watcher): () => void {
  clearTimeout(closing)
  watchers.add(watcher)
  socket ??= open()
  void socket.then((line) => {
    if (!watchers.has(watcher)) return
    if (line.connected) greet(line, watcher)
    else if (!line.active) reconnect(line)
  })
  return () => {
    watchers.delete(watcher)
    // The next page often listens again at once.
    closing = setTimeout(closeIfIdle, client.liveIdleMs)
  }
}

async function open(): Promise<Socket> {
  const { io } = await import('socket.io-client')
  const line = io({
    path: `${root}AI/live`,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    // Asked for at each attempt, because a ticket opens one connection only.
    auth: (give) => {
      call('user/ticket', {}, { quiet: true }).then(
        ({ ticket }) => give({ ticket }),
        () => give({}),
      )
    },
  })
  current = line
  line.on(askWhoStays, () => window.dispatchEvent(new Event(askWhoStays)))
  line.on('connect', () => {
    for (const watcher of watchers) greet(line, watcher)
  })
  line.on('disconnect', (reason) => {
    asked.clear()
    for (const watcher of watchers) watcher.onState(false)
    // After these two socket.io leaves it to the page; in every other case it goes on by itself.
    if (reason === 'io server disconnect' || reason === 'io client disconnect') reconnect(line)
  })
  line.on('connect_error', () => {
    // A refused ticket is not asked for again by socket.io.
    if (!line.active) setTimeout(() => reconnect(line), client.liveRetryMs)
  })
  line.on('event', (event: LiveEvent) => {
    for (const watcher of watchers) deliver(watcher, event)
  })
  return line
}

function reconnect(line: Socket): void {
  if (line === current && watchers.size > 0) line.connect()
}

function greet(line: Socket, watcher: Watcher): void {
  asked.add(keyOf(watcher.topic))
  // Too many topics of pages left long ago: a fresh connection has only those still watched.
  if (asked.size > Math.max(client.liveTopics, watchers.size)) return void line.disconnect()
  const { seen } = watcher
  watcher.seen = true
  // The server keeps one place a topic: the earliest that anybody here needs. `deliver` drops what others know.
  const same = [...watchers].filter(({ topic }) => keyOf(topic) === keyOf(watcher.topic))
  const after = Math.min(...same.map(({ last }) => last))
  line.emit('watch', { ...watcher.topic, after }, (answer: { ok: boolean }) => {
    if (answer.ok && watchers.has(watcher)) watcher.onState(true)
  })
  if (seen) watcher.onMissed()
}

function deliver(watcher: Watcher, event: LiveEvent): void {
  if (keyOf(event.topic) !== keyOf(watcher.topic)) return
  if (event.id !== 0 && event.id <= watcher.last) return
  if (event.id !== 0) watcher.last = event.id
  watcher.onEvent(event)
}

const keyOf = ({ kind, id }: Topic): string => `${kind} ${id}`

function closeIfIdle(): void {
  if (watchers.size > 0 || socket === null) return
  current = null
  void socket.then((line) => line.disconnect())
  socket = null
}
