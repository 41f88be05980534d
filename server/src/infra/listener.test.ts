import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeDatabase, makePool } from '../../test/harness.ts'
import { createListener } from './listener.ts'
import { createLog } from './log.ts'

const log: FastifyBaseLogger = createLog('silent', 'test')
let database: Awaited<ReturnType<typeof makeDatabase>>
let speaker: pg.Pool
beforeAll(async () => {
  database = await makeDatabase()
  speaker = makePool(database.url, 2)
})
afterAll(async () => {
  await speaker.end()
  await database.drop()
})

const notify = (channel: string, payload: string) =>
  speaker.query('select pg_notify($1, $2)', [channel, payload])
const cut = () =>
  speaker.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query ilike 'listen%'`,
  )

test('hears what was subscribed before and after it connected, each on its own channel', async () => {
  const listener = createListener(database.url, log)
  const heard: string[] = []
  listener.on('early', (text) => heard.push(`early ${text}`))
  await listener.ready()
  const ready = new Promise<void>((resolve) =>
    listener.on('late', (text) => heard.push(`late ${text}`), resolve),
  )
  await ready
  await notify('early', '1')
  await notify('late', '2')
  await notify('other', '3')
  await vi.waitUntil(() => heard.length === 2, { timeout: 60_000 })
  expect(heard).toEqual(['early 1', 'late 2'])
  await listener.close()
})

test('comes back after each cut and tells its subscribers to read anew', async () => {
  const listener = createListener(database.url, log)
  const heard: string[] = []
  let returns = 0
  listener.on(
    'news',
    (text) => heard.push(text),
    () => {
      returns += 1
    },
  )
  await listener.ready()
  for (const round of [1, 2, 3]) {
    await cut()
    await vi.waitUntil(() => returns === round + 1, { timeout: 60_000 })
    await notify('news', String(round))
    await vi.waitUntil(() => heard.length === round, { timeout: 60_000 })
  }
  expect(heard).toEqual(['1', '2', '3'])
  await listener.close()
})

test('waits for a database that is not there yet', async () => {
  const url = new URL(database.url)
  url.pathname = `${url.pathname}_later`
  const name = url.pathname.slice(1)
  const listener = createListener(url.href, log)
  const ready = listener.ready()
  await speaker.query(`create database ${name}`)
  await ready
  await listener.close()
  await speaker.query(`drop database ${name} with (force)`)
})
