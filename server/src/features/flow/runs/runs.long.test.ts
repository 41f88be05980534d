/** A flow run computed once more when its study is gone. */
import type { ChildProcess } from 'node:child_process'
import type { Run } from '@neuroloom/contract/runs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asked, flowSteps, makeFlowServer } from '../../../../test/flow-runs.ts'
import type { Session, TestServer } from '../../../../test/harness.ts'
import { gone, spawnWorker } from '../../../../test/training.ts'

let server: TestServer
let steps: ReturnType<typeof flowSteps>
let worker: ChildProcess
let me: Session
beforeAll(async () => {
  server = await makeFlowServer()
  steps = flowSteps(server)
  worker = await spawnWorker(server)
  me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
})
afterAll(async () => {
  worker.kill('SIGTERM')
  await gone(worker)
  await server.close()
})

describe('a run', () => {
  it('is computed once more on the very same bytes, when its study is gone', async () => {
    const other = await steps.study(me, { frames: 1 })
    const project = await steps.project(me, other)
    const first = await steps.ended(me, (await steps.start(me, { projectId: project, studyId: other })).id)
    await server.call('flow/remove', { id: other }, me)
    expect((await server.call('flow/projectStudies', { projectId: project }, me)).data.studies).toEqual([])
    const { data: queued } = await server.call('runs/rerun', { id: first.id }, me)
    expect(queued).toMatchObject({ number: 2, kind: 'flow', state: 'queued' })
    const second = await steps.ended(me, queued.id)
    expect(second.state).toBe('done')
    expect(bytesOf(second)).toEqual(bytesOf(first))
    expect((await steps.run(me, second.id)).study).toMatchObject({ id: null, name: 'poiseuille' })
    const none = await server.call('flow/start', { projectId: project, studyId: other, asked }, me)
    expect(none.data.error).toBe('study_missing')
  })
})

const bytesOf = ({ artifacts }: Run) =>
  Object.fromEntries(
    // What a file of numbers or a NIfTI tells is the same; a gzip head may tell a time.
    artifacts
      .filter(({ kind }) => kind !== 'flow_mask' && kind !== 'flow_angiogram')
      .map((one) => [one.kind, one.sha256]),
  )
