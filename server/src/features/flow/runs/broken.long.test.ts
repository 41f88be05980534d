/** A flow run that is stopped, paused, or whose worker is ended without a word: nothing is lost, nothing half-done is shown. */
import type { ChildProcess } from 'node:child_process'
import type { Run } from '@neuroloom/contract/runs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { acrossPipe, flowSteps, makeFlowServer } from '../../../../test/flow-runs.ts'
import type { Session, TestServer } from '../../../../test/harness.ts'
import { gone, hasEnded, spawnWorker, until } from '../../../../test/training.ts'

/** Long enough to be met under way, short enough for a test. */
const scan = { phantom: 'womersley', side: 64, frames: 10 } as const

let server: TestServer
let steps: ReturnType<typeof flowSteps>
let worker: ChildProcess
let me: Session
let at: { projectId: string; studyId: string }
let unbroken: Run
beforeAll(async () => {
  server = await makeFlowServer()
  steps = flowSteps(server)
  worker = await spawnWorker(server)
  me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
  const studyId = await steps.study(me, scan)
  at = { studyId, projectId: await steps.project(me, studyId) }
  unbroken = await steps.ended(me, (await steps.start(me, at)).id)
})
afterAll(async () => {
  worker.kill('SIGTERM')
  await gone(worker)
  await server.close()
})

const isUnderWay = (run: Run): boolean => (run.progress?.step ?? 0) >= 4 || hasEnded(run)
const valuesOf = ({ artifacts, state, error }: Run): string =>
  artifacts.find(({ kind }) => kind === 'flow_study')?.sha256 ?? `${state} ${JSON.stringify(error)}`

async function underWay(): Promise<Run> {
  const { id } = await steps.start(me, at)
  const run = await until(server, me, { id, is: isUnderWay })
  expect(run.state).toBe('running')
  return run
}

async function killed(): Promise<void> {
  worker.kill('SIGKILL')
  await gone(worker)
  worker = await spawnWorker(server)
}

it('a killed worker costs nothing: the same values as unbroken', async () => {
  const { id } = await underWay()
  await killed()
  const done = await steps.ended(me, id)
  expect(done).toMatchObject({ state: 'done', resumed: 1 })
  expect(valuesOf(done)).toBe(valuesOf(unbroken))
})

it('a paused run goes on where it was; the device is free meanwhile', async () => {
  const { id } = await underWay()
  await server.call('runs/pause', { id }, me)
  await until(server, me, { id, is: ({ state }) => state === 'paused' })
  const other = await steps.ended(me, (await steps.start(me, at)).id)
  expect(other.state).toBe('done')
  await server.call('runs/resume', { id }, me)
  const done = await steps.ended(me, id)
  expect(done).toMatchObject({ state: 'done', resumed: 0 })
  expect(valuesOf(done)).toBe(valuesOf(unbroken))
})

it('a stopped run shows nothing half-done', async () => {
  const { id } = await underWay()
  await server.call('runs/stop', { id }, me)
  const stopped = await steps.ended(me, id)
  expect(stopped).toMatchObject({ state: 'stopped', artifacts: [], error: null })
  expect(await steps.run(me, id)).toMatchObject({ results: null, values: null, mask: null, before: null })
})

it('planes are measured by the next worker, once', async () => {
  const { id } = unbroken
  const stateOf = async () =>
    (await server.ctx.pool.query('select state, attempts from run_flow where run_id = $1', [id])).rows[0]
  await server.call(
    'flow/keepSections',
    { runId: id, sections: [20, 40].map((z) => acrossPipe(z, scan)) },
    me,
  )
  await expect.poll(stateOf, { interval: 5, timeout: 20_000 }).toEqual({ state: 'running', attempts: 1 })
  worker.kill('SIGKILL')
  await gone(worker)
  expect((await steps.run(me, id)).isMeasuring).toBe(true)
  await server.ctx.pool.query('update run_flow set lease_until = now() where run_id = $1', [id])
  worker = await spawnWorker(server)
  const { sections } = await steps.measured(me, id)
  expect(sections).toHaveLength(2)
  for (const { numbers } of sections) expect(numbers?.rate).toHaveLength(scan.frames)
  expect(await stateOf()).toEqual({ state: 'idle', attempts: 2 })
})
