import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
/** What the worker was given, and a way to wait for the next. */
const done: string[] = []
let tell: () => void = () => undefined
beforeAll(async () => {
  server = await makeServer()
  await server.ctx.jobs.start()
  await server.ctx.jobs.work('datasets.recognise', async ({ datasetId }) => {
    if (datasetId === 'fails once' && !done.includes('failed')) {
      done.push('failed')
      throw new Error('The first try fails')
    }
    done.push(datasetId)
    tell()
  })
})
afterAll(() => server.close())

const next = (): Promise<void> =>
  new Promise((resolve) => {
    tell = resolve
  })
const send = (datasetId: string) => server.ctx.jobs.send(null, 'datasets.recognise', { datasetId })

test('a job sent in a transaction runs after its commit, without waiting for the queue to look', async () => {
  // It looks every two seconds: five minutes in all, before which the test would be ended.
  const names = Array.from({ length: 150 }, (_, index) => `sent ${index}`)
  for (const datasetId of names) {
    const ran = next()
    await server.ctx.db.transaction((tx) => server.ctx.jobs.send(tx, 'datasets.recognise', { datasetId }))
    await ran
  }
  expect(done.splice(0)).toEqual(names)
})

test('a job sent in a transaction that fails is never run', async () => {
  const failing = server.ctx.db.transaction(async (tx) => {
    await server.ctx.jobs.send(tx, 'datasets.recognise', { datasetId: 'rolled back' })
    throw new Error('No')
  })
  await expect(failing).rejects.toThrow('No')
  const ran = next()
  await send('after')
  await ran
  expect(done).toContain('after')
  expect(done).not.toContain('rolled back')
  const { rows } = await server.ctx.pool.query(
    `select 1 from pgboss.job where data->>'datasetId' = 'rolled back'`,
  )
  expect(rows).toEqual([])
})

test('the same key waits once however often it is sent, others each', async () => {
  const { ctx } = server
  for (const key of ['a', 'a', 'b', 'a']) await ctx.jobs.send(null, 'files.purge', {}, { singletonKey: key })
  await ctx.jobs.send(null, 'files.purge', {})
  await ctx.jobs.send(null, 'files.purge', {})
  const { rows } = await ctx.pool.query(
    `select 1 from pgboss.job where name = 'files.purge' and state = 'created'`,
  )
  expect(rows).toHaveLength(4)
})

test('a job that fails is queued for another try with its reason', async () => {
  const finished = async (): Promise<object | undefined> =>
    (
      await server.ctx.pool.query(
        `select state, output->>'message' as message from pgboss.job
         where data->>'datasetId' = 'fails once' and state = 'retry'`,
      )
    ).rows[0]
  await send('fails once')
  await vi.waitUntil(finished, { timeout: 60_000, interval: 50 })
  expect(await finished()).toEqual({ state: 'retry', message: 'The first try fails' })
})
