import { askWhoStays, closingMs } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beacon, login, openSocket, openWindow, ticketOf } from '../../../../test/closing-windows.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { sweep } from '../jobs.ts'

const SECOND = 1000
let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())
const codeOf = async (who: Session): Promise<number> => (await server.call('user/info', {}, who)).code

describe('a window that closes', () => {
  test('ends its session when nobody speaks up within ten seconds', async () => {
    const who = await openWindow(server)
    expect(await beacon(server, who.closing)).toMatchObject({ code: 10200, data: {} })
    server.forward(closingMs + SECOND)
    expect(await codeOf(who)).toBe(10401)
    const { data } = await server.call('user/signins', {}, await login(server, who.account))
    expect(data.items[1]).toMatchObject({ endReason: 'signed_out' })
  })

  test('keeps its session when a tab speaks up in time: a reload, or another one', async () => {
    const who = await openWindow(server)
    await beacon(server, who.closing)
    server.forward(closingMs - SECOND)
    expect((await server.call('user/stay', {}, who)).code).toBe(10200)
    server.forward(closingMs + SECOND)
    expect(await codeOf(who)).toBe(10200)
  })

  test('keeps its session by any call, also one that pages make by themselves', async () => {
    const who = await openWindow(server)
    for (const path of ['user/info', 'user/ticket', 'notice/list'] as const) {
      await beacon(server, who.closing)
      expect((await server.call(path, {}, who)).code).toBe(10200)
      server.forward(closingMs + SECOND)
      expect(await codeOf(who), path).toBe(10200)
    }
  })

  test('that says so twice has no more time than once', async () => {
    const who = await openWindow(server)
    await beacon(server, who.closing)
    server.forward(closingMs - SECOND)
    await beacon(server, who.closing)
    server.forward(2 * SECOND)
    expect(await codeOf(who)).toBe(10401)
  })

  test('does nothing to the next session when its beacon comes late', async () => {
    const first = await openWindow(server)
    await server.call('user/logout', {}, first)
    const second = await login(server, first.account)
    expect((await beacon(server, first.closing)).code).toBe(10200)
    server.forward(closingMs + SECOND)
    expect(await codeOf(second)).toBe(10200)
  })

  test('tells nobody in the message box when its owner signs in anew meanwhile', async () => {
    const first = await openWindow(server)
    await beacon(server, first.closing)
    const second = await login(server, first.account)
    expect((await server.call('notice/list', {}, second)).data.items).toEqual([])
  })

  test('asks who is there: the next page keeps the session however late the beacon comes', async () => {
    const who = await openWindow(server)
    const socket = await openSocket(server, who)
    const stays = new Promise<number>((resolve) => {
      socket.once(askWhoStays, () => void server.call('user/stay', {}, who).then(({ code }) => resolve(code)))
    })
    await beacon(server, who.closing)
    expect(await stays).toBe(10200)
    server.forward(closingMs + SECOND)
    expect(await codeOf(who)).toBe(10200)
    socket.close()
  })

  test('leaves the session to a page whose connection opens after the beacon', async () => {
    const who = await openWindow(server)
    const ticket = await ticketOf(server, who)
    await beacon(server, who.closing)
    const socket = await openSocket(server, who, ticket)
    server.forward(closingMs + SECOND)
    expect(await codeOf(who)).toBe(10200)
    socket.close()
  })

  test('is swept with its live connection where nobody ever looks', async () => {
    const who = await openWindow(server)
    const socket = await openSocket(server, who)
    const closed = new Promise<void>((resolve) => {
      socket.once('disconnect', () => resolve())
    })
    await beacon(server, who.closing)
    await sweep(server.ctx)
    expect(socket.connected).toBe(true)
    server.forward(closingMs + SECOND)
    await sweep(server.ctx)
    await closed
  })
})

test('signed addresses end with the window that they were made for', async () => {
  const who = await openWindow(server)
  const { url } = (await server.call('user/export', {}, who)).data
  await beacon(server, who.closing)
  server.forward(closingMs + SECOND)
  expect((await fetch(server.url + url)).status).toBe(403)
})

describe('a closing nonce', () => {
  test('that is forged, of somebody else or no text at all ends nothing and is answered alike', async () => {
    const [me, other] = [await openWindow(server), await openWindow(server)]
    const [mine = ''] = me.closing.split('.')
    const [, theirMac = ''] = other.closing.split('.')
    for (const forged of ['', '.', 'x', mine, `${mine}.`, `${mine}.${theirMac}`, `${me.closing}x`]) {
      expect(await beacon(server, forged)).toMatchObject({ code: 10200, data: {} })
    }
    server.forward(closingMs + SECOND)
    expect(await codeOf(me)).toBe(10200)
    expect((await beacon(server, 'x'.repeat(201))).code).toBe(10422)
  })

  test('opens nothing', async () => {
    const { closing, userId } = await openWindow(server)
    expect(await codeOf({ userId, token: closing })).toBe(10401)
    expect((await server.call('user/login', { key: closing })).code).toBe(20012)
  })

  test('is not needed to stay, but a session is', async () => {
    expect((await server.call('user/stay', {})).code).toBe(10401)
  })
})
