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

test.each(Object.keys(halves))('whoever says %s is not waited for', async (name) => {
  const socket = await say(port, halves[name] ?? '')
  expect(await socket.ended).not.toContain('10200')
})

test('whoever trickles a body is not waited for either', async () => {
  const socket = await say(port, `${CALL}Content-Length: 1000\r\n\r\n`)
  const drop = setInterval(() => socket.write(' '), PATIENCE_MS / 20)
  expect(await socket.ended).not.toContain('10200')
  clearInterval(drop)
})
