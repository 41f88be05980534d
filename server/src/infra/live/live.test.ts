import { session as limits } from '@neuroloom/contract/limits'
import { LIVE_PATH, type LiveEvent, type Topic } from '@neuroloom/contract/live'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { drag } from '../../../test/drag.ts'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../test/harness.ts'
import { newId } from '../ids.ts'

let server: TestServer
let me: Session & { account: string }
const sockets: Socket[] = []
beforeAll(async () => {
  server = await makeServer()
  me = await server.signUp({ vipSuper: 1 })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})
afterAll(() => server.close())

const ticket = async (who: Session): Promise<string> =>
  (await server.call('user/ticket', {}, who)).data.ticket

function connect(auth: object, extraHeaders: Record<string, string> = {}): Socket {
  const socket = io(server.url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth,
    extraHeaders,
  })
  sockets.push(socket)
  return socket
}

async function open(who: Session = me): Promise<Socket> {
  const socket = connect({ ticket: await ticket(who) })
  await heard(socket, 'connect')
  return socket
}

const heard = (socket: Socket, event: 'connect' | 'disconnect'): Promise<void> =>
  new Promise((resolve) => {
    socket.once(event, () => resolve())
  })

const outcome = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.once('connect', () => resolve('connected'))
    socket.once('connect_error', (error) => resolve(error.message))
  })

/** A project of the member: what the server lets them watch. */
async function makeTopic(who: Session = me): Promise<Topic> {
  const name = `Project ${newId()}`
  const { data } = await server.call('projects/create', { name, task: 'classification' }, who)
  return { kind: 'project', id: data.id }
}

/** Watches and collects; `until` resolves with the events once there are so many. */
function collect(socket: Socket): { events: LiveEvent[]; until(count: number): Promise<LiveEvent[]> } {
  const events: LiveEvent[] = []
  let check: () => void = () => undefined
  socket.on('event', (event: LiveEvent) => {
    events.push(event)
    check()
  })
  return {
    events,
    until: (count) =>
      new Promise((resolve) => {
        check = () => {
          if (events.length >= count) resolve(events)
        }
        check()
      }),
  }
}

const watch = (socket: Socket, topic: Topic, after = 0): Promise<{ ok: boolean; error?: string }> =>
  socket.emitWithAck('watch', { ...topic, after })
const publish = (topic: Topic, number: number, source?: string): Promise<number | null> =>
  server.ctx.db.transaction((tx) => server.ctx.live.publish(tx, topic, 'step', { number }, source))
const numbers = (events: LiveEvent[]): unknown[] => events.map((event) => event.data.number)

describe('a ticket', () => {
  test('opens one connection and no second one', async () => {
    const auth = { ticket: await ticket(me) }
    expect(await outcome(connect(auth))).toBe('connected')
    expect(await outcome(connect(auth))).toBe('not_signed_in')
  })

  test('is needed, and must be ours and fresh', async () => {
    for (const auth of [{}, { ticket: '' }, { ticket: 'x'.repeat(43) }, { ticket: ['x'] }]) {
      expect(await outcome(connect(auth))).toBe('not_signed_in')
    }
    const stale = await ticket(me)
    server.forward(limits.ticketMs)
    expect(await outcome(connect({ ticket: stale }))).toBe('not_signed_in')
  })

  test('of a session that was replaced meanwhile opens nothing', async () => {
    const who = await server.signUp()
    const late = await ticket(who)
    await server.call('user/login', { account: who.account, password: PASSWORD, proof: await drag(server) })
    expect(await outcome(connect({ ticket: late }))).toBe('not_signed_in')
  })

  test('does not help the page of another site', async () => {
    const auth = { ticket: await ticket(me) }
    expect(await outcome(connect(auth, { origin: 'https://evil.example' }))).not.toBe('connected')
    expect(await outcome(connect(auth, { origin: server.url }))).toBe('connected')
  })
})

describe('watching', () => {
  test('replays from the last seen id and goes on, without gap, repetition or disorder', async () => {
    const topic = await makeTopic()
    const first = await server.ctx.live.lastId(server.ctx.db, topic)
    const { db, live } = server.ctx
    const before = await db.transaction(async (tx) => {
      const ids: (number | null)[] = []
      for (let number = 0; number < 520; number += 1)
        ids.push(await live.publish(tx, topic, 'step', { number }))
      return ids
    })
    const socket = await open()
    const seen = collect(socket)
    const publishing = Promise.all(Array.from({ length: 60 }, (_, number) => publish(topic, 520 + number)))
    expect(await watch(socket, topic, first)).toEqual({ ok: true })
    const after = await publishing
    const events = await seen.until(580)
    const ids = events.map((event) => event.id)
    expect(ids).toEqual([...before, ...after].map(Number).sort((a, b) => a - b))
    expect(events.every((event) => event.topic.id === topic.id)).toBe(true)
  })

  test('goes on where a lost connection ended', async () => {
    const topic = await makeTopic()
    const first = await open()
    const seen = collect(first)
    await watch(first, topic, await server.ctx.live.lastId(server.ctx.db, topic))
    await publish(topic, 1)
    const [last] = await seen.until(1)
    first.disconnect()
    await publish(topic, 2)
    const second = await open()
    const later = collect(second)
    await watch(second, topic, last?.id)
    await publish(topic, 3)
    expect(numbers(await later.until(2))).toEqual([2, 3])
  })

  test('tells the same cause once, and a failed transaction never', async () => {
    const topic = await makeTopic()
    const socket = await open()
    const seen = collect(socket)
    await watch(socket, topic, await server.ctx.live.lastId(server.ctx.db, topic))
    const cause = newId()
    expect(await publish(topic, 1, cause)).toEqual(expect.any(Number))
    expect(await publish(topic, 1, cause)).toBeNull()
    const failing = server.ctx.db.transaction(async (tx) => {
      await server.ctx.live.publish(tx, topic, 'step', { number: 2 })
      throw new Error('No')
    })
    await expect(failing).rejects.toThrow('No')
    await publish(topic, 3)
    expect(numbers(await seen.until(2))).toEqual([1, 3])
  })

  test('passes on what is not stored, to those who watch that topic', async () => {
    const [topic, other] = [await makeTopic(), await makeTopic()]
    const socket = await open()
    const seen = collect(socket)
    await watch(socket, topic, await server.ctx.live.lastId(server.ctx.db, topic))
    await server.ctx.live.passing(other, 'progress', { number: 1 })
    await server.ctx.live.passing(topic, 'progress', { number: 2 })
    expect(await seen.until(1)).toEqual([{ id: 0, topic, type: 'progress', data: { number: 2 } }])
    await expect(server.ctx.live.passing(topic, 'progress', { text: 'x'.repeat(8000) })).rejects.toThrow(
      'too large',
    )
  })

  test('hears news again after the database connection was cut, and what came meanwhile', async () => {
    const topic = await makeTopic()
    const socket = await open()
    const seen = collect(socket)
    await watch(socket, topic, await server.ctx.live.lastId(server.ctx.db, topic))
    await server.ctx.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query ilike 'listen%'`,
    )
    await publish(topic, 1)
    expect(numbers(await seen.until(1))).toEqual([1])
    await publish(topic, 2)
    expect(numbers(await seen.until(2))).toEqual([1, 2])
  })

  test('is refused for what belongs to others, does not exist or makes no sense', async () => {
    const other = await server.signUp({ vipSuper: 1 })
    const foreign = await watch(await open(other), await makeTopic(me))
    const unknown = await watch(await open(other), { kind: 'project', id: 'nothing' })
    expect(foreign).toEqual({ ok: false, error: 'project_missing' })
    expect(unknown).toEqual(foreign)
    const socket = await open()
    expect(await socket.emitWithAck('watch', { kind: 'everything', id: 1 })).toMatchObject({ ok: false })
    expect(await socket.emitWithAck('watch', null)).toMatchObject({ ok: false })
  })
})

describe('a connection ends', () => {
  test('with a sign-in elsewhere', async () => {
    const who = await server.signUp()
    const socket = await open(who)
    const gone = heard(socket, 'disconnect')
    await server.call('user/login', { account: who.account, password: PASSWORD })
    await gone
  })

  test('when its owner signs out', async () => {
    const who = await server.signUp()
    const socket = await open(who)
    const gone = heard(socket, 'disconnect')
    await server.call('user/logout', {}, who)
    await gone
    expect(socket.connected).toBe(false)
  })
})
