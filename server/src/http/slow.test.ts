import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServer, type TestServer } from '../../test/harness.ts'
import { makeApp } from '../app.ts'

const PATIENCE_MS = 600
let server: TestServer
let app: FastifyInstance
let port: number
beforeAll(async () => {
  server = await makeServer()
  app = await makeApp(server.ctx, { slowMs: PATIENCE_MS })
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await app.close()
  await server.close()
})

const CALL = 'POST /AI/api/setting/public HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
/** What somebody says who then says no more. */
const halves: Record<string, string> = {
  'nothing at all': '',
  'half a header': CALL,
  'half a body': `${CALL}Content-Length: 100\r\n\r\n{"half":`,
  'half a chunk': `${CALL}Transfer-Encoding: chunked\r\n\r\n64\r\n{"half":`,
}

/** Connected, and that said. */
async function say(text: string): Promise<Socket & { ended: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString()
  })
  // A reset is an end as well.
  socket.on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)))
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(text)
  return Object.assign(socket, { ended })
}

test.each(Object.keys(halves))('whoever says %s is not waited for', async (name) => {
  const socket = await say(halves[name] ?? '')
  expect(await socket.ended).not.toContain('10200')
})

test('whoever trickles a body is not waited for either', async () => {
  const socket = await say(`${CALL}Content-Length: 1000\r\n\r\n`)
  const drop = setInterval(() => socket.write(' '), PATIENCE_MS / 20)
  expect(await socket.ended).not.toContain('10200')
  clearInterval(drop)
})

test('a thin line that goes on sending may take as long as it needs', async () => {
  const body = JSON.stringify({ padding: 'x'.repeat(15_000) })
  const socket = await say(`${CALL}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`)
  // Three times the patience in all.
  for (let sent = 0; sent < body.length; sent += 750) {
    socket.write(body.slice(sent, sent + 750))
    await wait((PATIENCE_MS * 3) / 20)
  }
  expect(await socket.ended).toContain('"code":10200')
})

test('a thousand who say half of it keep nobody from an answer, and all are let go', async () => {
  const texts = Object.values(halves)
  const many = await Promise.all(Array.from({ length: 1000 }, (_, index) => say(texts[index % 4] ?? '')))
  for (let round = 0; round < 20; round += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/AI/api/setting/public`, { method: 'POST' })
    expect(await response.json()).toMatchObject({ code: 10200 })
  }
  await Promise.all(many.map((socket) => socket.ended))
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
})
