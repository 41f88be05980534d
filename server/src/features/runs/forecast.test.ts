import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeTrainingSet, startQuick, type TrainingSet } from '../../../test/training.ts'
import type { Device } from '../../infra/engine/engine.ts'
import { quietOf } from './queue/queue.ts'
import { allRuns, runDevices } from './tables.ts'

let server: TestServer
let session: Session
let set: TrainingSet

const rates = { macs: 1e-10, grouped: 1e-9, elements: 5e-9, calls: 5e-5, weights: 1e-8 }
const device: Device = {
  ...{ kind: 'cpu', index: 0, threads: 2, memoryBytes: 4e9, cores: 2, halfOps: [] },
  rates: { full: rates, half: null },
}

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipSuper: 1 })
  set = await makeTrainingSet(server, session, { items: 24 })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.ctx.db.delete(allRuns)
  await workOn({ others: 0 })
})

/** What the worker last told of itself. */
const workOn = async ({ others }: { others: number }) => {
  await server.ctx.db.delete(runDevices)
  await server.ctx.db.insert(runDevices).values({ worker: 'here', device, others, seenAt: new Date() })
}

/** A training that ended here, as a worker leaves it behind. */
const ended = async ({ busy, quiet, network }: { busy: number; quiet: number; network?: string }) => {
  const { id } = await startQuick(server, session, { set })
  await server.ctx.db
    .update(allRuns)
    .set({
      ...{ state: 'done', computedOn: 'cpu, 2 threads', endedAt: new Date(), busySeconds: busy },
      ...quietOf({ quietSeconds: quiet }),
      ...(network ? { network } : {}),
    })
    .where(eq(allRuns.id, id))
}

const foreseen = async (network = 'small_resnet') => {
  const body = { projectId: set.projectId, datasetId: set.datasetId, network }
  const { data } = await server.call('runs/suggest', body, session)
  return { seconds: data.forecastSeconds ?? 0, isSure: data.forecastIsSure }
}

describe('the forecast of a training', () => {
  it('is the same after a run beside others as after a quiet one', async () => {
    await ended({ busy: 100, quiet: 100 })
    const afterQuiet = await foreseen()
    await server.ctx.db.delete(allRuns)
    await ended({ busy: 900, quiet: 100 })
    const afterLoaded = await foreseen()
    expect(afterLoaded.isSure).toBe(true)
    expect(afterLoaded.seconds).toBeCloseTo(afterQuiet.seconds)
  })

  it('takes nothing over from another network', async () => {
    const before = await foreseen()
    expect(before.isSure).toBe(false)
    await ended({ busy: 9000, quiet: 9000, network: 'resnet18' })
    expect(await foreseen()).toEqual(before)
    expect((await foreseen('resnet18')).seconds).toBeGreaterThan(before.seconds)
  })

  it('grows with the load of others that is there now', async () => {
    const quiet = await foreseen()
    await workOn({ others: 2 })
    expect((await foreseen()).seconds).toBeCloseTo(quiet.seconds * 2)
  })

  it('is kept with the run, to be compared with what the run then tells', async () => {
    const { id } = await startQuick(server, session, { set })
    const { data } = await server.call('runs/detail', { id }, session)
    expect(data.run.foreseenSeconds).toBeCloseTo(data.run.takes?.seconds ?? 0)
  })
})
