/** A training on flows that is killed or stopped, and a study that its network makes finer. */
import type { ChildProcess } from 'node:child_process'
import { gunzipSync } from 'node:zlib'
import type { Run } from '@neuroloom/contract/runs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { learnFlow } from '../../../../test/flow-learning.ts'
import { makeFlowServer } from '../../../../test/flow-runs.ts'
import type { TestServer } from '../../../../test/harness.ts'
import { gone, hasEnded, spawnWorker, until } from '../../../../test/training.ts'

let server: TestServer
let worker: ChildProcess
let learned: Awaited<ReturnType<typeof learnFlow>>
beforeAll(async () => {
  server = await makeFlowServer()
  worker = await spawnWorker(server)
  learned = await learnFlow(server)
})
afterAll(async () => {
  worker.kill('SIGTERM')
  await gone(worker)
  await server.close()
})

const weightsOf = ({ artifacts, state, error }: Run): string =>
  artifacts.find(({ kind }) => kind === 'weights')?.sha256 ?? `${state} ${JSON.stringify(error)}`
const isPast = (epoch: number) => (run: Run) => (run.progress?.epoch ?? 0) >= epoch || hasEnded(run)

it('whose worker is killed loses nothing: the same weights as unbroken', async () => {
  const { me, steps, train, unbroken } = learned
  const { id } = await train(3)
  // Early: where the disk is slow the last epochs are over before they are seen.
  await until(server, me, { id, is: isPast(1) })
  worker.kill('SIGKILL')
  await gone(worker)
  worker = await spawnWorker(server)
  const done = await steps.ended(me, id)
  expect(done).toMatchObject({ state: 'done', resumed: 1 })
  expect(weightsOf(done)).toBe(weightsOf(unbroken))
})

it('that is stopped keeps what it learned', async () => {
  const { me, projectId, steps, train } = learned
  // Looked at after every third epoch.
  const { id } = await train(60)
  await until(server, me, { id, is: isPast(5) })
  await server.call('runs/stop', { id }, me)
  const stopped = await steps.ended(me, id)
  expect(stopped).toMatchObject({ state: 'stopped', error: null })
  expect(stopped.artifacts.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['weights', 'flow_training']),
  )
  const { data } = await server.call('flow/sharpeners', { projectId }, me)
  expect(data.sharpeners.map(({ trainingId }) => trainingId)).toContain(id)
})

it('makes a corrected study finer, which is computed as any other and says what it is', async () => {
  const { me, projectId, steps, unbroken } = learned
  const studyId = await steps.study(me, { frames: 2 })
  await server.call('flow/addToProject', { projectId, studyId }, me)
  const run = await steps.ended(me, (await steps.start(me, { projectId, studyId })).id)
  const asked = { runId: run.id, trainingId: unbroken.id }
  // So small a network beats nothing; here it is only asked for what it can.
  await server.ctx.pool.query(
    `update run_flow_training set results = results || '{"wins": true}' where run_id = $1`,
    [unbroken.id],
  )
  const { data: begun } = await server.call('flow/sharpen', asked, me)
  await expect.poll(async () => (await server.call('flow/study', { id: begun.id }, me)).data.state, { timeout: 60_000 }).toBe('ready') // biome-ignore format: one question
  const { data: fine } = await server.call('flow/study', { id: begun.id }, me)
  expect(fine).toMatchObject({ source: 'sharpened', name: 'poiseuille ×2', problems: [] })
  expect(fine.head).toMatchObject({
    spacing: [1, 1, 1],
    sharpened: { ...asked, network: 'Tiny', weights: weightsOf(unbroken), factor: 2, isKnown: true },
  })
  const sizes = await Promise.all(
    [fine.values, fine.interpolated].map(async (url) =>
      Number((await fetch(server.url + url)).headers.get('content-length')),
    ),
  )
  expect(fine.sizeBytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
  const second = await steps.ended(me, (await steps.start(me, { projectId, studyId: begun.id })).id)
  expect(second).toMatchObject({ state: 'done', error: null })
  const { data: told } = await server.call('flow/run', { id: second.id }, me)
  expect(told.study.head.sharpened).toEqual(fine.head?.sharpened)
  // What leaves the house says so, too.
  expect(told.results?.study.sharpened).toEqual(fine.head?.sharpened)
  const leaves = async (kind: 'flow_lines' | 'flow_mask'): Promise<Buffer> => {
    const { data } = await server.call('runs/download', { id: second.id, kind }, me)
    return Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer())
  }
  expect((await leaves('flow_lines')).toString()).toContain('Name="made_finer_by_network"')
  expect(gunzipSync(await leaves('flow_mask')).toString('latin1', 148, 228)).toContain('finer by a network')
  const again = await server.call('flow/sharpen', { ...asked, runId: second.id }, me)
  expect(again.data).toMatchObject({ error: 'flow_sharpened_already' })
  const { data: report } = await server.call('reports/show', { id: second.id, language: 'en' }, me)
  expect(JSON.stringify(report.sections[0])).toContain('the network “Tiny” made the grid 2 times finer')
})
