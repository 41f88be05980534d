import { closingMs } from '@neuroloom/contract/limits'
import { LIVE_PATH } from '@neuroloom/contract/live'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../../test/harness.ts'
import { sweep } from '../jobs.ts'

type Window = Session & { account: string; closing: string }

const SECOND = 1000
let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const login = async (account: string): Promise<Window> => {
  const body = { account, password: PASSWORD, proof: await drag(server) }
  const { data } = await server.call('user/login', body)
  return { account, userId: data.id, token: data.token, closing: data.closing }
}
async function openWindow(): Promise<Window> {
  const { account, ...first } = await server.signUp()
  await server.call('user/logout', {}, first)
  return login(account)
}
const codeOf = async (who: Session): Promise<number> => (await server.call('user/info', {}, who)).code

/** What `navigator.sendBeacon` posts: no headers of ours, a JSON body. */
const beacon = async (closing: string): Promise<{ code: number; data: object }> => {
  const response = await fetch(`${server.url}/AI/api/user/closing`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', origin: server.url },
    body: new Blob([JSON.stringify({ closing })], { type: 'application/json' }),
  })
  return (await response.json()) as { code: number; data: object }
}

async function openSocket(who: Session): Promise<Socket> {
  const { data } = await server.call('user/ticket', {}, who)
  const socket = io(server.url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { ticket: data.ticket },
  })
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve)
  })
  return socket
}

describe('a window that closes', () => {
  test('ends its session when nobody speaks up within ten seconds', async () => {
    const who = await openWindow()
    expect(await beacon(who.closing)).toMatchObject({ code: 10200, data: {} })
    server.forward(closingMs + SECOND)
    expect(await codeOf(who)).toBe(10401)
    const { data } = await server.call('user/signins', {}, await login(who.account))
    expect(data.items[1]).toMatchObject({ endReason: 'signed_out' })
  })

  test('keeps its session when a tab speaks up in time: a reload, or another one', async () => {
    const who = await openWindow()
    await beacon(who.closing)
    server.forward(closingMs - SECOND)
    expect((await server.call('user/stay', {}, who)).code).toBe(10200)
    server.forward(closingMs + SECOND)
    expect(await codeOf(who)).toBe(10200)
  })

  test('keeps its session by any call, also one that pages make by themselves', async () => {
    const who = await openWindow()
    for (const path of ['user/info', 'user/ticket', 'notice/list'] as const) {
      await beacon(who.closing)
      expect((await server.call(path, {}, who)).code).toBe(10200)
      server.forward(closingMs + SECOND)
      expect(await codeOf(who), path).toBe(10200)
    }
  })

  test('that says so twice has no more time than once', async () => {
    const who = await openWindow()
    await beacon(who.closing)
    server.forward(closingMs - SECOND)
    await beacon(who.closing)
    server.forward(2 * SECOND)
    expect(await codeOf(who)).toBe(10401)
  })

  test('does nothing to the next session when its beacon comes late', async () => {
    const first = await openWindow()
    await server.call('user/logout', {}, first)
    const second = await login(first.account)
    expect((await beacon(first.closing)).code).toBe(10200)
    server.forward(closingMs + SECOND)
    expect(await codeOf(second)).toBe(10200)
  })

  test('tells nobody in the message box when its owner signs in anew meanwhile', async () => {
    const first = await openWindow()
    await beacon(first.closing)
    const second = await login(first.account)
    expect((await server.call('notice/list', {}, second)).data.items).toEqual([])
  })

  test('takes its live connection along', async () => {
    const who = await openWindow()
    const socket = await openSocket(who)
    const closed = new Promise<void>((resolve) => {
      socket.once('disconnect', () => resolve())
    })
    await beacon(who.closing)
    server.forward(closingMs)
    // The server looks at the session by itself, as soon as it may be over.
    await closed
  })

  test('is swept with its live connection where nobody ever looks', async () => {
    const who = await openWindow()
    const socket = await openSocket(who)
    const closed = new Promise<void>((resolve) => {
      socket.once('disconnect', () => resolve())
    })
    await beacon(who.closing)
    await sweep(server.ctx)
    expect(socket.connected).toBe(true)
    server.forward(closingMs + SECOND)
    await sweep(server.ctx)
    await closed
  })
})

test('signed addresses end with the window that they were made for', async () => {
  const who = await openWindow()
  const { url } = (await server.call('user/export', {}, who)).data
  await beacon(who.closing)
  server.forward(closingMs + SECOND)
  expect((await fetch(server.url + url)).status).toBe(403)
})

describe('a closing nonce', () => {
  test('that is forged, of somebody else or no text at all ends nothing and is answered alike', async () => {
    const [me, other] = [await openWindow(), await openWindow()]
    const [mine = ''] = me.closing.split('.')
    const [, theirMac = ''] = other.closing.split('.')
    for (const forged of ['', '.', 'x', mine, `${mine}.`, `${mine}.${theirMac}`, `${me.closing}x`]) {
      expect(await beacon(forged)).toMatchObject({ code: 10200, data: {} })
    }
    server.forward(closingMs + SECOND)
    expect(await codeOf(me)).toBe(10200)
    expect((await beacon('x'.repeat(201))).code).toBe(10422)
  })

  test('opens nothing', async () => {
    const { closing, userId } = await openWindow()
    expect(await codeOf({ userId, token: closing })).toBe(10401)
    expect((await server.call('user/login', { key: closing })).code).toBe(20012)
  })

  test('is not needed to stay, but a session is', async () => {
    expect((await server.call('user/stay', {})).code).toBe(10401)
  })
})
