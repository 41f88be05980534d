/** A trained classifier whose queue may rest, and new pictures for it. */
import type { Body } from '@neuroloom/contract/calls'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { cellKinds, drawCell } from '../src/demo/pictures.ts'
import { encodePng } from '../src/demo/png.ts'
import { type Runner, startRunner } from '../src/features/runs/queue/jobs.ts'
import { makeServer, type Session, type TestServer } from './harness.ts'
import { hasEnded, makeTrainingSet, startQuick, type TrainingSet, until } from './training.ts'
import { type TestFile, upload } from './uploads.ts'
import { makeWorker } from './worker.ts'

export const cell = (name: string, seed = 9): TestFile => ({
  path: name,
  bytes: encodePng(drawCell(cellKinds[seed % cellKinds.length] ?? 'round', 7000 + seed, 32)),
})
export const text = (path: string, bytes = 'no picture'): TestFile => ({ path, bytes: Buffer.from(bytes) })

/** Made before the tests of the file that calls this, and ended after them. */
export function predictionStage() {
  let server: TestServer
  let owner: Awaited<ReturnType<TestServer['signUp']>>
  let runner: Runner | null = null
  let classes: TrainingSet
  let trainedId: string

  const begin = (): void => {
    runner = startRunner(makeWorker(server))
  }
  const rest = async (): Promise<void> => {
    await runner?.stop()
    runner = null
  }
  const ended = (id: string) => until(server, owner, { id, is: hasEnded })

  beforeAll(async () => {
    server = await makeServer()
    owner = await server.signUp({ vipLevel: 4 })
    classes = await makeTrainingSet(server, owner, { items: 30 })
    begin()
    const run = await startQuick(server, owner, { set: classes, hyper: { epochs: 1 } })
    trainedId = (await ended(run.id)).id
  })
  // A test that failed while the queue rested leaves the next ones nobody to run for them.
  afterEach(() => {
    if (runner === null) begin()
  })
  afterAll(async () => {
    await runner?.stop()
    await server.close()
  })

  return {
    get server() {
      return server
    },
    get owner() {
      return owner
    },
    get classes() {
      return classes
    },
    get trainedId() {
      return trainedId
    },
    begin,
    rest,
    ended,
    predict: (body: Body<'runs/predict'>, session: Session = owner) =>
      server.call('runs/predict', body, session),
    put: async (files: TestFile[], session: Session = owner): Promise<string> =>
      (await upload(server, session, { files })) ?? '',
    async csvOf(id: string): Promise<string> {
      const { data } = await server.call('runs/download', { id, kind: 'predictions_csv' }, owner)
      return (await fetch(`${server.url}${data.url}`)).text()
    },
  }
}
