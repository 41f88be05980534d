import { notices as limits, signIns as signInLimits } from '@neuroloom/contract/limits'
import { LIVE_PATH, type LiveEvent, type Topic } from '@neuroloom/contract/live'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drag } from '../../../test/drag.ts'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../test/harness.ts'
import { addNotice, notices, sweepNotices } from '../../infra/notices.ts'
import { forgetSignIns } from './jobs.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

async function login(account: string, agent = ''): Promise<Session> {
  const response = await fetch(`${server.url}/AI/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ account, password: PASSWORD, proof: await drag(server) }),
  })
  const { data } = (await response.json()) as { data: { id: string; token: string } }
  return { userId: data.id, token: data.token }
}
const list = async (who: Session) => (await server.call('notice/list', {}, who)).data
const tell = (userId: string, times = 1) =>
  server.ctx.db.transaction(async (tx) => {
    for (let count = 0; count < times; count += 1) {
      await addNotice(server.ctx, tx, {
        userId,
        kind: 'password_changed',
        params: { address: String(count) },
      })
    }
  })

describe('the message box', () => {
  test('tells who was thrown out by a sign-in elsewhere, once signed in again', async () => {
    const { account } = await server.signUp()
    const again = await login(account)
    expect(await list(again)).toMatchObject({
      items: [{ kind: 'signed_in_elsewhere', params: { address: '127.0.0.1' }, isRead: false }],
      unreadCount: 1,
    })
  })

  test('says nothing where the session had run out or its owner had left', async () => {
    const { account, ...first } = await server.signUp()
    await server.call('user/logout', {}, first)
    await login(account)
    server.forward(3 * 60 * 60_000)
    expect(await list(await login(account))).toEqual({ items: [], unreadCount: 0 })
  })

  test('marks as read what was shown, and leaves what came later', async () => {
    const who = await server.signUp()
    await tell(who.userId, 3)
    const shown = (await list(who)).items
    await tell(who.userId)
    expect((await server.call('notice/read', { id: shown[0]?.id ?? '' }, who)).code).toBe(10200)
    const { items, unreadCount } = await list(who)
    expect(unreadCount).toBe(1)
    expect(items.map(({ isRead }) => isRead)).toEqual([false, true, true, true])
  })

  test('shows the newest and counts all that are unread', async () => {
    const who = await server.signUp()
    await tell(who.userId, limits.shown + 5)
    const { items, unreadCount } = await list(who)
    expect(items).toHaveLength(limits.shown)
    expect(items[0]?.params).toEqual({ address: String(limits.shown + 4) })
    expect(unreadCount).toBe(limits.shown + 5)
  })

  test("is one's own: nobody reads or marks another's, and nobody signed out has one", async () => {
    const [me, other] = [await server.signUp(), await server.signUp()]
    await tell(other.userId)
    const { items } = await list(other)
    expect((await list(me)).items).toEqual([])
    await server.call('notice/read', { id: items[0]?.id ?? '' }, me)
    expect((await list(other)).unreadCount).toBe(1)
    expect((await server.call('notice/list', {})).code).toBe(10401)
    expect((await server.call('notice/read', { id: '1' })).code).toBe(10401)
    expect((await server.call('notice/read', { id: 'x' }, me)).code).toBe(10400)
    expect((await server.call('notice/read', { id: '9'.repeat(30) }, me)).code).toBe(10400)
  })

  test('does not keep an idle session alive when pages look into it', async () => {
    const who = await server.signUp()
    server.forward(119 * 60_000)
    await list(who)
    server.forward(2 * 60_000)
    expect((await server.call('notice/list', {}, who)).code).toBe(10401)
  })
})

describe('an open page', () => {
  const sockets: Socket[] = []
  afterAll(() => {
    for (const socket of sockets) socket.disconnect()
  })
  const watch = async (
    who: Session,
    topic: Topic,
  ): Promise<{ reply: unknown; heard: Promise<LiveEvent> }> => {
    const { data } = await server.call('user/ticket', {}, who)
    const socket = io(server.url, {
      path: LIVE_PATH,
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      auth: { ticket: data.ticket },
    })
    sockets.push(socket)
    const heard = new Promise<LiveEvent>((resolve) => {
      socket.once('event', resolve)
    })
    return { reply: await socket.emitWithAck('watch', { ...topic, after: 0 }), heard }
  }

  test('hears of a notice at once', async () => {
    const who = await server.signUp()
    const { reply, heard } = await watch(who, { kind: 'user', id: who.userId })
    expect(reply).toEqual({ ok: true })
    await tell(who.userId)
    expect(await heard).toMatchObject({ topic: { kind: 'user', id: who.userId }, type: 'notice' })
  })

  test("may not listen to another's", async () => {
    const [me, other] = [await server.signUp(), await server.signUp()]
    const { reply } = await watch(me, { kind: 'user', id: other.userId })
    expect(reply).toEqual({ ok: false, error: 'missing' })
  })
})

describe('the list of sign-ins', () => {
  test('has the newest first, with browser, end and which one this is', async () => {
    const { account, ...first } = await server.signUp()
    await server.call('user/logout', {}, first)
    server.forward(1000)
    await login(account, FIREFOX)
    server.forward(1000)
    const now = await login(account)
    const { data } = await server.call('user/signins', {}, now)
    expect(data.items).toMatchObject([
      { endedAt: null, endReason: null, agent: '', isCurrent: true },
      { endReason: 'replaced', agent: 'Firefox 128, Linux', isCurrent: false },
      { endReason: 'signed_out', address: '127.0.0.1', isCurrent: false },
    ])
    expect(JSON.stringify(data)).not.toMatch(/hash/i)
    expect((await server.call('user/signins', {})).code).toBe(10401)
  })

  test("holds the latest ones of one's own, and for ninety days", async () => {
    const { account, ...who } = await server.signUp()
    await server.ctx.pool.query(
      `insert into sessions (id, user_id, token_hash, address, started_at, used_at, ended_at, end_reason)
       select 'old' || n, $1, ('x' || n)::bytea, '203.0.113.9', $2, $2, $2, 'expired'
       from generate_series(1, $3) n`,
      [who.userId, server.ctx.now(), signInLimits.shown + 10],
    )
    expect((await server.call('user/signins', {}, who)).data.items).toHaveLength(signInLimits.shown)
    server.forward(signInLimits.keepMs + 60_000)
    await forgetSignIns(server.ctx)
    const later = await login(account)
    expect((await server.call('user/signins', {}, later)).data.items).toHaveLength(2)
  })
})

test('notices are swept after half a year', async () => {
  const { userId } = await server.signUp()
  await tell(userId)
  await sweepNotices(server.ctx)
  expect(await server.ctx.db.$count(notices)).toBeGreaterThan(0)
  server.forward(limits.keepMs + 60_000)
  await sweepNotices(server.ctx)
  expect(await server.ctx.db.$count(notices)).toBe(0)
})
