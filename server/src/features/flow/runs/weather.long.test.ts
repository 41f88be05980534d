/** Flow where bytes lie in S3, the disk fills up, and the clock jumps. */
import type { ChildProcess } from 'node:child_process'
import { files as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { acrossPipe, asked, flowSteps, png } from '../../../../test/flow-runs.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { type S3Server, startS3 } from '../../../../test/s3-server.ts'
import { gone, spawnWorker } from '../../../../test/training.ts'
import { sha256 } from '../../../../test/uploads.ts'
import { createRoom } from '../../../infra/room.ts'
import { sweepOrphans } from '../../../infra/storage/blobs.ts'

/** The disk as the server is told of it. */
const disk = { freeBytes: 1e12, totalBytes: 1e12 }
let s3: S3Server
let server: TestServer
let steps: ReturnType<typeof flowSteps>
let worker: ChildProcess
let me: Session
let at: { projectId: string; studyId: string }
let done: string
beforeAll(async () => {
  s3 = await startS3()
  const room = createRoom({ folder: '/', minFreeBytes: 2e9, probe: async () => ({ ...disk }), knownMs: 0 })
  const enginePython = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'
  server = await makeServer({ enginePython, s3: s3.config }, { room })
  steps = flowSteps(server)
  worker = await spawnWorker(server)
  me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
  const studyId = await steps.study(me)
  at = { studyId, projectId: await steps.project(me, studyId) }
  done = (await steps.ended(me, (await steps.start(me, at)).id)).id
})
afterAll(async () => {
  worker.kill('SIGTERM')
  await gone(worker)
  await server.close()
  await s3.close()
})

const fetched = async (url: string | null): Promise<Buffer> => {
  const response = await fetch(new URL(url ?? '', server.url))
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}
const isStored = (digest: string): boolean => [...s3.objects.keys()].some((key) => key.includes(digest))

it('values, planes, pictures and copies in the cloud come from S3, and go with the project', async () => {
  await server.call('flow/keepSections', { runId: done, sections: [acrossPipe(8), acrossPipe(16)] }, me)
  await server.call('flow/keepFigure', { runId: done, caption: 'Peak flow', png: png() }, me)
  const { run, values, before, figures, sections } = await steps.measured(me, done)
  expect(sections.map(({ refusal }) => refusal)).toEqual([null, null])
  const digestOf = (wanted: string) => run.artifacts.find(({ kind }) => kind === wanted)?.sha256 ?? ''
  expect(sha256(await fetched(values), 'hex')).toBe(digestOf('flow_study'))
  expect((await fetched(before)).length).toBeGreaterThan(1000)
  expect((await fetched(figures[0]?.url ?? null)).subarray(1, 4).toString()).toBe('PNG')
  const kept = await server.call('flow/keepFile', { runId: done, kind: 'flow_mask' }, me)
  const opened = await server.call('files/open', { id: kept.data.fileId, download: true }, me)
  expect((await fetched(opened.data.url)).length).toBeGreaterThan(100)
  const digest = digestOf('flow_lines')
  expect(isStored(digest)).toBe(true)

  const other = await steps.project(me, at.studyId)
  const second = await steps.ended(me, (await steps.start(me, { ...at, projectId: other })).id)
  expect(second.state).toBe('done')
  await server.call('runs/remove', { id: second.id }, me)
  await server.call('runs/purge', { ids: [second.id] }, me)
  server.forward(2 * limits.orphanMs)
  await sweepOrphans(server.ctx)
  // The first run has the same bytes.
  expect(isStored(digest)).toBe(true)
  await server.call('runs/remove', { id: done }, me)
  await server.call('runs/purge', { ids: [done] }, me)
  server.forward(2 * limits.orphanMs)
  await sweepOrphans(server.ctx)
  expect(isStored(digest)).toBe(false)
})

it('a full disk refuses what would fill it further, and loses nothing', async () => {
  const run = await steps.ended(me, (await steps.start(me, at)).id)
  disk.freeBytes = 2e9 - 1
  const refused = [
    await server.call('flow/phantom', { phantom: 'poiseuille', scan: {} }, me),
    await server.call('flow/start', { ...at, asked }, me),
    await server.call('flow/keepFigure', { runId: run.id, caption: 'Peak flow', png: png() }, me),
  ]
  for (const { status, data } of refused) expect([status, data.error]).toEqual([507, 'disk_full'])
  const planes = { runId: run.id, sections: [acrossPipe(12)] }
  expect((await server.call('flow/keepSections', planes, me)).code).toBe(10200)
  disk.freeBytes = 1e12
  const { sections, figures, values } = await steps.measured(me, run.id)
  expect([sections.length, figures.length]).toEqual([1, 0])
  expect((await fetched(values)).length).toBeGreaterThan(1000)
})

it('a clock that jumps by twenty minutes, there and back, ends no run and gives none twice', async () => {
  for (const minutes of [20, -20]) {
    const { id } = await steps.start(me, at)
    server.forward(minutes * 60_000)
    const run = await steps.ended(me, id)
    expect(run).toMatchObject({ state: 'done', error: null, resumed: 0 })
    await server.call('flow/keepSections', { runId: id, sections: [acrossPipe(12)] }, me)
    const { sections } = await steps.measured(me, id)
    expect(sections[0]?.numbers?.rate).toHaveLength(3)
  }
})
