/** Live events: one connection a tab, opened with a one-use ticket when a page first listens. Keeps no event. */
import type { Path } from '@neuroloom/contract/calls'
import { client } from '@neuroloom/contract/limits'
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
    let timer: ReturnType<typeof setTimeout> | undefined
    const refreshSoon = () => {
      const paths = latest.current.refresh
      if (!paths || paths.length === 0 || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
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
      onState: (isConnected) => {
        setConnected(isConnected)
        // News without an id may have passed while the line was down.
        if (isConnected) refreshSoon()
      },
    })
    return () => {
      clearTimeout(timer)
      leave()
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
}

const watchers = new Set<Watcher>()
let socket: Promise<Socket> | null = null
let closing: ReturnType<typeof setTimeout> | undefined

function watch(watcher: Watcher): () => void {
  clearTimeout(closing)
  watchers.add(watcher)
  socket ??= open()
  void socket.then((line) => {
    if (!line.connected || !watchers.has(watcher)) return
    ask(line, watcher)
    watcher.seen = true
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
    // Asked for at each attempt, because a ticket opens one connection only.
    auth: (give) => {
      call('user/ticket', {}, { quiet: true }).then(
        ({ ticket }) => give({ ticket }),
        () => give({}),
      )
    },
  })
  line.on('connect', () => {
    for (const watcher of watchers) {
      ask(line, watcher)
      if (watcher.seen) watcher.onState(true)
      watcher.seen = true
    }
  })
  line.on('disconnect', (reason) => {
    for (const watcher of watchers) watcher.onState(false)
    // socket.io goes on by itself in every other case.
    if (reason === 'io server disconnect' && watchers.size > 0) line.connect()
  })
  line.on('event', (event: LiveEvent) => {
    for (const watcher of watchers) deliver(watcher, event)
  })
  return line
}

function ask(line: Socket, watcher: Watcher): void {
  line.emit('watch', { ...watcher.topic, after: watcher.last }, (answer: { ok: boolean }) => {
    if (answer.ok && watchers.has(watcher)) watcher.onState(true)
  })
}

function deliver(watcher: Watcher, event: LiveEvent): void {
  if (event.topic.kind !== watcher.topic.kind || event.topic.id !== watcher.topic.id) return
  // Replays for a second watcher of the same topic reach the first one too.
  if (event.id !== 0 && event.id <= watcher.last) return
  if (event.id !== 0) watcher.last = event.id
  watcher.onEvent(event)
}

function closeIfIdle(): void {
  if (watchers.size > 0 || socket === null) return
  void socket.then((line) => line.disconnect())
  socket = null
}
