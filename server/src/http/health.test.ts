import { request } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeServer, type TestServer } from '../../test/harness.ts'
import type { Config } from '../config.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

type Asked = { status: number; text: string; headers: Record<string, unknown> }

/** Unlike `fetch` it may name any host. */
const get = (url: string, headers: Record<string, string> = {}): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
    })
    asked.once('error', reject).end()
  })

async function withServer(overrides: Partial<Config>, look: (one: TestServer) => Promise<void>) {
  const one = await makeServer(overrides)
  await look(one).finally(() => one.close())
}

test('says that it is well, and no more', async () => {
  const { status, text, headers } = await get(`${server.url}/healthz`)
  expect({ status, text }).toEqual({ status: 200, text: 'ok\n' })
  expect(headers['cache-control']).toBe('no-store')
})

test('says so when the database does not answer', () =>
  withServer({}, async (one) => {
    const admin = new pg.Client({ connectionString: inject('postgresUrl') })
    await admin.connect()
    const name = new URL(one.ctx.config.databaseUrl ?? '').pathname.slice(1)
    await admin.query(`alter database ${name} allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await admin.end()
    const { status, text } = await get(`${one.url}/healthz`)
    expect({ status, text }).toEqual({ status: 503, text: 'the database does not answer\n' })
  }))

test('gives figures by route to programs of this machine', async () => {
  const who = await server.signUp()
  await server.call('projects/list', {}, who)
  const { status, text, headers } = await get(`${server.url}/metrics`)
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(text).toMatch(
    /^http_request_duration_seconds_count\{method="POST",route="\/AI\/api\/projects\/list",status="200"\} 1$/m,
  )
  expect(text).toMatch(/^database_connections\{state="waiting"\} 0$/m)
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  expect(text).not.toContain(who.userId)
})

test.each([
  ['a proxy that says so', { 'x-forwarded-for': '203.0.113.7' }],
  ['another kind of proxy', { via: '1.1 proxy' }],
  ['a proxy that keeps the name', { host: 'neuroloom.example.org' }],
])('gives none through %s', async (_name, headers) => {
  expect((await get(`${server.url}/metrics`, headers)).status).toBe(404)
})

test('gives none where a proxy is configured, whatever it sends', () =>
  withServer({ trustProxy: ['10.0.0.1'] }, async ({ url }) => {
    expect((await get(`${url}/metrics`)).status).toBe(404)
  }))

test('gives them to whoever shows the token, and then to nobody else', () =>
  withServer({ metricsToken: 'a token of some length' }, async ({ url }) => {
    const shown = (authorization: string): Promise<Asked> =>
      get(`${url}/metrics`, { authorization, 'x-forwarded-for': '203.0.113.7' })
    expect((await shown('Bearer a token of some length')).status).toBe(200)
    expect((await shown('Bearer a token of some lengtH')).status).toBe(404)
    expect((await get(`${url}/metrics`)).status).toBe(404)
  }))

test('every answer closes camera, microphone and the like to its page', async () => {
  for (const path of ['/', '/healthz', '/AI/api/docs/', '/nowhere']) {
    const { headers } = await get(server.url + path)
    expect(headers['permissions-policy'], path).toMatch(/(^|, )camera=\(\), .*geolocation=\(\)/)
  }
})
