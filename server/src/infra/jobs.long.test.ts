/** Jobs that run without waiting for the queue to look, by the clock. */
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('a job sent in a transaction runs after its commit, without waiting for the queue to look', async () => {
  const names = Array.from({ length: 15 }, (_, index) => `sent ${index}`)
  const began = performance.now()
  for (const datasetId of names) {
    const ran = next()
    await server.ctx.db.transaction((tx) => server.ctx.jobs.send(tx, 'datasets.recognise', { datasetId }))
    await ran
  }
  expect(done.splice(0)).toEqual(names)
  // It looks every two seconds: half a minute in all, of which the slowest machine needs a few seconds.
  expect(performance.now() - began).toBeLessThan(names.length * 1900)
})
