/** The worker's own process is ended without a word, in the middle of a look and of making: another one goes on. */
import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agreed, type FlowTest, makeFlowTest, scanned } from '../../../test/flow.ts'
import { gone, spawnWorker } from '../../../test/training.ts'

let at: FlowTest
let worker: ChildProcess
beforeAll(async () => {
  at = await makeFlowTest()
  worker = await spawnWorker(at.server)
})
afterAll(async () => {
  worker.kill('SIGTERM')
  await gone(worker)
  await at.close()
})

const rowOf = async (id: string) =>
  (await at.server.ctx.pool.query('select state, attempts from flow_studies where id = $1', [id])).rows[0]

/** Kills the worker while it is at it; the next one takes over with the lease's end. */
async function killAndGoOn(id: string): Promise<void> {
  const isAtIt = { state: 'running', attempts: 1 }
  await expect.poll(() => rowOf(id), { interval: 5 }).toEqual(isAtIt)
  worker.kill('SIGKILL')
  await gone(worker)
  expect(await rowOf(id)).toEqual(isAtIt)
  await at.server.ctx.pool.query('update flow_studies set lease_until = now() where id = $1', [id])
  worker = await spawnWorker(at.server)
  await expect.poll(async () => (await rowOf(id)).state).not.toMatch(/waiting|running/)
}

it('a study is looked at and made all the same, and its space is counted once', async () => {
  const me = await at.server.signUp({ vipLevel: 2 })
  const { data } = await at.server.call('flow/open', { ids: [await at.put(me, scanned('siemens'))] }, me)
  await killAndGoOn(data.id)
  const found = await at.look(me, data.id)
  expect(found.state).toBe('asked')
  const before = await at.used(me)
  await at.server.call('flow/settle', { id: data.id, answer: agreed(found) }, me)
  await killAndGoOn(data.id)
  const made = await at.look(me, data.id)
  expect(made.state).toBe('ready')
  expect(await at.used(me)).toEqual({ used: before.used + made.sizeBytes, reserved: 0 })
  const bytes = Buffer.from(await (await fetch(at.server.url + made.values)).arrayBuffer())
  expect(bytes).toHaveLength(made.sizeBytes)
})
