/** Slow lines that are waited for, and a thousand that are not. */
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServer, type TestServer } from '../../test/harness.ts'
import { CALL, halves, PATIENCE_MS, say } from '../../test/slow-lines.ts'
import { makeApp } from '../app.ts'

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

test('a thin line that goes on sending may take as long as it needs', async () => {
  const body = JSON.stringify({ padding: 'x'.repeat(15_000) })
  const socket = await say(port, `${CALL}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`)
  // Three times the patience in all.
  for (let sent = 0; sent < body.length; sent += 750) {
    socket.write(body.slice(sent, sent + 750))
    await wait((PATIENCE_MS * 3) / 20)
  }
  expect(await socket.ended).toContain('"code":10200')
})

test('a thousand who say half of it keep nobody from an answer, and all are let go', async () => {
  const texts = Object.values(halves)
  const many = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => say(port, texts[index % 4] ?? '')),
  )
  for (let round = 0; round < 20; round += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/AI/api/setting/public`, { method: 'POST' })
    expect(await response.json()).toMatchObject({ code: 10200 })
  }
  await Promise.all(many.map((socket) => socket.ended))
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
})
