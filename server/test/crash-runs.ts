/** Trainings that are broken off, beside one that nobody disturbed. */
import { afterAll, beforeAll } from 'vitest'
import { makeServer, type Session, type TestServer } from './harness.ts'
import { hasEnded, makeTrainingSet, startQuick, type TrainingSet, until } from './training.ts'
import { startWorker } from './worker.ts'

/** Long enough to be met in the middle of an epoch, short enough for a test. */
export const hyper = { epochs: 24, batchSize: 4, validationInterval: 4 }

type Run = Awaited<ReturnType<typeof until>>
export const weightsOf = ({ artifacts, state, error }: Run): string =>
  artifacts.find(({ kind }) => kind === 'weights')?.sha256 ?? `${state} ${JSON.stringify(error)}`
export const isPast = (epoch: number) => (run: Run) => (run.progress?.epoch ?? 0) >= epoch || hasEnded(run)

/** Made before the tests of the file that calls this, and ended after them. */
export function crashStage() {
  let server: TestServer
  let session: Session
  let set: TrainingSet
  let unbroken: string
  beforeAll(async () => {
    server = await makeServer()
    session = await server.signUp({ vipSuper: 1 })
    set = await makeTrainingSet(server, session, { items: 48 })
    const worker = await startWorker(server)
    const run = await startQuick(server, session, { set, hyper })
    unbroken = weightsOf(await until(server, session, { id: run.id, is: hasEnded }))
    await worker.stop()
  })
  afterAll(() => server.close())
  return {
    get server() {
      return server
    },
    get session() {
      return session
    },
    get set() {
      return set
    },
    /** SHA-256 of the weights that nobody disturbed. */
    get unbroken() {
      return unbroken
    },
  }
}
