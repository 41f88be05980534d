import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hyper, isPast, weightsOf } from '../../../../test/crash-runs.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import {
  gone,
  hasEnded,
  makeTrainingSet,
  spawnWorker,
  startQuick,
  type TrainingSet,
  until,
} from '../../../../test/training.ts'

let server: TestServer
let session: Session
let set: TrainingSet
/** SHA-256 of the weights that nobody disturbed. */
let unbroken: string

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipSuper: 1 })
  set = await makeTrainingSet(server, session, { items: 48 })
  const worker = await spawnWorker(server)
  const run = await startQuick(server, session, { set, hyper })
  unbroken = weightsOf(await until(server, session, { id: run.id, is: hasEnded }))
  worker.kill('SIGTERM')
  await gone(worker)
})
afterAll(() => server.close())

describe('a worker', () => {
  it('that is killed in the middle of an epoch loses nothing: same weights as unbroken', async () => {
    const first = await spawnWorker(server)
    const { id } = await startQuick(server, session, { set, hyper })
    const broken = await until(server, session, { id, is: isPast(3) })
    expect(broken.state).toBe('running')
    first.kill('SIGKILL')
    await gone(first)

    const second = await spawnWorker(server)
    const done = await until(server, session, { id, is: hasEnded })
    expect(done).toMatchObject({ state: 'done', resumed: 1 })
    expect(weightsOf(done)).toBe(unbroken)
    second.kill('SIGTERM')
    await gone(second)
  })
})
