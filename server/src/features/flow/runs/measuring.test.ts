/** Planes whose measuring fails: tried three times, then told why, live, and measured once somebody asks again. */
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { acrossPipe, flowSteps, makeFlowServer } from '../../../../test/flow-runs.ts'
import type { Session, TestServer } from '../../../../test/harness.ts'
import { makeWorker, startWorker } from '../../../../test/worker.ts'
import { createEngine } from '../../../infra/engine/engine.ts'
import { measure } from './sections.ts'

let server: TestServer
let steps: ReturnType<typeof flowSteps>
let me: Session
let runId: string
beforeAll(async () => {
  server = await makeFlowServer()
  steps = flowSteps(server)
  const worker = await startWorker(server)
  me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
  const studyId = await steps.study(me)
  const projectId = await steps.project(me, studyId)
  runId = (await steps.ended(me, (await steps.start(me, { projectId, studyId })).id)).id
  await worker.stop()
})
afterAll(() => server.close())

const keep = () => server.call('flow/keepSections', { runId, sections: [acrossPipe(6), acrossPipe(16)] }, me)
const refusals = ({ sections }: FlowRunDetail) => sections.map(({ refusal }) => refusal)
const toldKept = async (): Promise<number> => {
  const { rows } = await server.ctx.pool.query(
    `select count(*)::int as count from live_events where type = 'kept' and topic like $1`,
    [`%${runId}%`],
  )
  return rows[0].count
}

it('tries three times, then says that it could not', async () => {
  await keep()
  const { config, log } = server.ctx
  // A program that ends without a word, as a broken installation does.
  const engine = createEngine({ python: '/bin/false', workFolder: config.dataDir, log })
  const broken = { ...server.ctx, engine }
  const before = await toldKept()
  for (const _ of [1, 2]) {
    await measure(broken, runId)
    expect(await steps.run(me, runId)).toMatchObject({ isMeasuring: true })
    expect(await toldKept()).toBe(before)
  }
  await measure(broken, runId)
  const told = await steps.run(me, runId)
  expect(told.isMeasuring).toBe(false)
  expect(refusals(told)).toEqual(['not_measured', 'not_measured'])
  expect(await toldKept()).toBe(before + 1)
  // Nobody takes it up by itself any more.
  await measure(broken, runId)
  expect(refusals(await steps.run(me, runId))).toEqual(['not_measured', 'not_measured'])
  engine.close()
})

it('measures when it is asked again', async () => {
  await keep()
  expect(await steps.run(me, runId)).toMatchObject({ isMeasuring: true, sections: [{ refusal: null }, {}] })
  const worker = makeWorker(server)
  await measure(worker, runId)
  worker.engine.close()
  const { sections, isMeasuring } = await steps.run(me, runId)
  expect(isMeasuring).toBe(false)
  expect(sections.map(({ numbers }) => numbers?.rate.length)).toEqual([3, 3])
})
