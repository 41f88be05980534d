import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { askWhoStays } from '@neuroloom/contract/limits'
import { LIVE_PATH, type LiveEvent } from '@neuroloom/contract/live'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { Server, type Socket } from 'socket.io'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchClosing } from '../../src/lib/closing.ts'
import { useLive } from '../../src/lib/live.ts'
import { useCall } from '../../src/lib/query.ts'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

const topic = { kind: 'run', id: 'run-1' } as const
const event = (id: number, type = 'progress'): LiveEvent => ({ id, topic, type, data: {} })

type Watch = { id: string; after: number }
let io: Server
let tickets: unknown[]
let watches: Watch[]

beforeEach(async () => {
  const http = createServer()
  io = new Server(http, { path: LIVE_PATH, serveClient: false })
  tickets = []
  watches = []
  io.use((socket, next) => {
    tickets.push(socket.handshake.auth.ticket)
    next()
  })
  io.on('connection', (socket) => {
    socket.on('watch', ({ id, after }: Watch, answer: (reply: object) => void) => {
      watches.push({ id, after })
      answer({ ok: true })
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  // Listening on a port always has an address of this kind.
  vi.stubGlobal('location', new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`))
})

afterEach(async () => {
  await io.close()
})

it('listens with a ticket of its own, says that it is there, drops what it knows, goes on after a broken line, and leaves nothing old behind', async () => {
  signIn()
  let given = 0
  const received = serve({
    'user/ticket': () => {
      given += 1
      return { ticket: `ticket-${given}` }
    },
    'runs/list': () => ({ covers: {}, courses: {}, runs: [] }),
    'user/stay': () => ({}),
  })
  const seen: number[] = []
  const listener = renderPart(<Listener onEvent={({ id }) => seen.push(id)} />)
  expect(await screen.findByText('connected')).toBeVisible()
  expect(tickets).toEqual(['ticket-1'])
  expect(watches).toEqual([{ id: 'run-1', after: 5 }])

  // A window has closed, and the server asks who is there.
  const stop = watchClosing()
  io.emit(askWhoStays)
  await waitFor(() => expect(received.map(({ path }) => path)).toContain('user/stay'))
  stop()

  const reads = () => received.filter(({ path }) => path === 'runs/list').length
  const before = reads()
  for (const one of [
    event(5),
    event(6),
    event(6),
    event(0),
    { ...event(7), topic: { kind: 'run', id: 'x' } },
  ])
    io.emit('event', one)
  await waitFor(() => expect(seen).toEqual([6, 0]))
  await waitFor(() => expect(reads()).toBeGreaterThanOrEqual(before + 1))

  for (const socket of io.sockets.sockets.values()) breakLine(socket)
  await waitFor(() => expect(watches).toHaveLength(2))
  expect(tickets).toEqual(['ticket-1', 'ticket-2'])
  expect(watches[1]).toEqual({ id: 'run-1', after: 6 })
  await waitFor(() => expect(reads()).toBeGreaterThanOrEqual(before + 2))
  listener.unmount()

  // Who stops listening on hearing of an event does so long before the refresh that is put off would come.
  renderPart(<Leaving />)
  expect(await screen.findByText('connected')).toBeVisible()
  await waitFor(() => expect(reads()).toBeGreaterThanOrEqual(before + 3))
  io.emit('event', event(8))
  expect(await screen.findByText('waiting')).toBeVisible()
  await waitFor(() => expect(reads()).toBeGreaterThanOrEqual(before + 4))
})

/** As a lost network does it: without a word to the client. */
const breakLine = (socket: Socket) => socket.conn.close()

function Listener({ onEvent }: { onEvent: (event: LiveEvent) => void }) {
  useCall('runs/list', { projectId: null })
  const { connected } = useLive(topic, { after: 5, onEvent, refresh: ['runs/list'] })
  return <p>{connected ? 'connected' : 'waiting'}</p>
}

/** Listens until the first event. */
function Leaving() {
  const [left, setLeft] = useState(false)
  useCall('runs/list', { projectId: null })
  const { connected } = useLive(left ? null : topic, {
    after: 5,
    onEvent: () => setLeft(true),
    refresh: ['runs/list'],
  })
  return <p>{connected ? 'connected' : 'waiting'}</p>
}
