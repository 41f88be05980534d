/** A study that the memory of the engine would not do for: refused before anything is queued, with what helps. */
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asked, flowSteps, makeFlowServer } from '../../../../test/flow-runs.ts'
import type { Session, TestServer } from '../../../../test/harness.ts'

let server: TestServer
let me: Session
beforeAll(async () => {
  server = await makeFlowServer()
  me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
})
afterAll(() => server.close())

const headOf = (size: FlowStudy['size'], frames: number) => ({
  ...{ v: 1, source: 'phantom', vendor: null, size, frames, spacing: [2, 2, 2], isPlaced: false },
  ...{ velocityScale: 0.001, venc: [1, 1, 1], period: 1, gating: 'retrospective', sources: 'a'.repeat(64) },
})

async function ready(id: string, size: FlowStudy['size'], frames: number) {
  const { pool } = server.ctx
  const sha256 = id.padEnd(64, '0')
  await pool.query(`insert into blobs (sha256, size_bytes) values ($1, 8)`, [sha256])
  await pool.query(
    `insert into flow_studies (id, owner_id, name, source_ids, step, state, created_at, head, sha256)
     values ($1, $2, 'x', '{}', 'make', 'ready', now(), $3, $4)`,
    [id, me.userId, JSON.stringify(headOf(size, frames)), sha256],
  )
  return { studyId: id, projectId: await flowSteps(server).project(me, id) }
}

it('tells how many frames would do, and queues nothing', async () => {
  const at = await ready('a1', [160, 160, 40], 80)
  const { data } = await server.call('flow/start', { ...at, asked }, me)
  expect(data).toMatchObject({
    error: 'flow_options_refused',
    params: { field: 'frames', reason: 'frames_many', frames: 55, given: 4 },
  })
  const { data: list } = await server.call('runs/list', { projectId: at.projectId }, me)
  expect(list.runs).toEqual([])
})

it('takes the largest that would', async () => {
  const at = await ready('b2', [160, 160, 40], 55)
  const { data } = await server.call('flow/start', { ...at, asked }, me)
  expect(data).toMatchObject({ kind: 'flow', state: 'queued' })
})
