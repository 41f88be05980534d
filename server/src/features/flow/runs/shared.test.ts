/** Flow in a project that others see: what they see, what they may not do, and that it ends with the share. */
import { planLimits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { acrossPipe, asked, flowSteps, makeFlowServer, png } from '../../../../test/flow-runs.ts'
import type { Session, TestServer } from '../../../../test/harness.ts'
import { startWorker, type TestWorker } from '../../../../test/worker.ts'

type Member = Session & { account: string }

let server: TestServer
let steps: ReturnType<typeof flowSteps>
let worker: TestWorker
let owner: Member
let viewer: Member
let editor: Member
let stranger: Member
let at: { projectId: string; studyId: string }
let done: string
beforeAll(async () => {
  server = await makeFlowServer()
  steps = flowSteps(server)
  worker = await startWorker(server)
  owner = await server.signUp({ vipLevel: 4, vipSuper: 1 })
  ;[viewer, editor, stranger] = [
    await server.signUp({ vipLevel: 2 }),
    await server.signUp({ vipLevel: 2 }),
    await server.signUp({ vipLevel: 2 }),
  ]
  const studyId = await steps.study(owner, { frames: 2 })
  at = { studyId, projectId: await steps.project(owner, studyId) }
  await share(viewer, 'view')
  await share(editor, 'edit')
  done = (await steps.ended(owner, (await steps.start(owner, at)).id)).id
})
afterAll(async () => {
  await worker.stop()
  await server.close()
})

const share = ({ account }: Member, permission: 'view' | 'edit') =>
  server.call('projects/share', { id: at.projectId, account, permission }, owner)

const errorOf = async (reply: Promise<{ code: number; data: object }>): Promise<string> => {
  const { code, data } = await reply
  return 'error' in data ? String(data.error) : String(code)
}

it('whoever may look sees all of it and changes nothing', async () => {
  await server.call('flow/keepSections', { runId: done, sections: [acrossPipe(8)] }, owner)
  await server.call('flow/keepFigure', { runId: done, caption: 'Pipe', png: png() }, owner)
  const own = await steps.measured(owner, done)
  const seen = await steps.run(viewer, done)
  expect(seen).toMatchObject({ results: own.results, sections: own.sections, study: own.study })
  for (const url of [seen.values, seen.mask, seen.derived, seen.before, seen.figures[0]?.url])
    expect((await fetch(server.url + url)).status).toBe(200)
  const { data } = await server.call('flow/projectStudies', { projectId: at.projectId }, viewer)
  expect(data.studies).toMatchObject([{ id: at.studyId, isOwn: false, fromId: null }])
  const denied = [
    errorOf(server.call('flow/start', { ...at, asked }, viewer)),
    errorOf(server.call('flow/keepSections', { runId: done, sections: [] }, viewer)),
    errorOf(server.call('flow/keepFigure', { runId: done, caption: 'x', png: png() }, viewer)),
    errorOf(server.call('flow/removeFigure', { runId: done, figureId: seen.figures[0]?.id ?? '' }, viewer)),
    errorOf(server.call('flow/takeFromProject', at, viewer)),
  ]
  expect(await Promise.all(denied)).toEqual(Array.from({ length: 5 }, () => 'not_allowed'))
  expect(await errorOf(server.call('flow/study', { id: at.studyId }, viewer))).toBe('study_missing')
  // Into the own cloud they may take it, and not into another's.
  const { data: file } = await server.call('flow/keepFile', { runId: done, kind: 'flow_angiogram' }, viewer)
  expect(file.name).toBe('poiseuille 1 angiogram.nii.gz')
})

it('whoever may edit starts runs, brings own studies and takes out those alone', async () => {
  const own = await steps.study(editor, { frames: 1 })
  expect(await errorOf(server.call('flow/addToProject', { ...at, studyId: own }, editor))).toBe('10200')
  expect(await errorOf(server.call('flow/addToProject', { ...at, studyId: own }, owner))).toBe(
    'study_missing',
  )
  const run = await steps.start(editor, { ...at, studyId: own })
  expect((await steps.ended(owner, run.id)).state).toBe('done')
  expect(await errorOf(server.call('flow/takeFromProject', at, editor))).toBe('not_allowed')
  expect(await errorOf(server.call('flow/takeFromProject', { ...at, studyId: own }, editor))).toBe('10200')
  expect((await steps.run(owner, run.id)).study).toMatchObject({ id: null, name: 'poiseuille' })
  // A copy takes along what is one's own.
  await server.call('flow/addToProject', { ...at, studyId: own }, editor)
  const { data: copied } = await server.call('projects/copy', { id: at.projectId, name: 'Copy' }, editor)
  expect(copied).toMatchObject({ leftOut: 1, project: { task: 'flow', counts: { testSets: 1, runs: 0 } } })
})

it('a stranger gets nothing, and neither does whoever lost the share, by no address', async () => {
  const before = await steps.run(viewer, done)
  const urls = [before.values, before.mask, before.before, before.figures[0]?.url]
  expect(await errorOf(server.call('flow/run', { id: done }, stranger))).toBe('run_missing')
  expect(await errorOf(server.call('flow/keepFile', { runId: done, kind: 'flow_mask' }, stranger))).toBe(
    'run_missing',
  )
  const { data } = await server.call('projects/shares', { id: at.projectId }, owner)
  const given = data.shares.find(({ permission }) => permission === 'view')
  await server.call('projects/unshare', { shareId: given?.id ?? '' }, owner)
  for (const url of urls) expect((await fetch(server.url + url)).status).toBe(404)
  expect(await errorOf(server.call('flow/run', { id: done }, viewer))).toBe('run_missing')
  // Public: every member may look.
  await server.call('projects/setPublic', { id: at.projectId, isPublic: true }, owner)
  expect((await steps.run(stranger, done)).run.id).toBe(done)
  await server.call('projects/setPublic', { id: at.projectId, isPublic: false }, owner)
})

it('bytes of another run are not to be had by the address of one', async () => {
  const { values } = await steps.run(owner, done)
  expect(
    (await fetch(server.url + values?.replace(/sha256=[0-9a-f]{8}/, 'sha256=00000000'))).status,
  ).not.toBe(200)
})

it('studies count among the data sets that others have', async () => {
  const level = { vipLevel: 2, vipSuper: 0 }
  const limit = planLimits(level).sharedDatasets ?? 0
  const giver = await server.signUp(level)
  const insert = `insert into flow_studies (id, owner_id, name, source_ids, step, state, created_at)
    select $1 || n, $1, 'x', '{}', 'look', 'asked', now() from generate_series(0, $2) n`
  await server.ctx.pool.query(insert, [giver.userId, limit])
  const project = await steps.project(giver)
  await server.call('projects/setPublic', { id: project, isPublic: true }, giver)
  for (let number = 0; number < limit; number += 1) {
    const studyId = `${giver.userId}${number}`
    const added = server.call('flow/addToProject', { projectId: project, studyId }, giver)
    expect(await errorOf(added)).toBe('10200')
  }
  const beyond = { projectId: project, studyId: `${giver.userId}${limit}` }
  expect(await errorOf(server.call('flow/addToProject', beyond, giver))).toBe('shared_datasets_limit')
  const { data } = await server.call('plans/shared', {}, giver)
  expect(data.datasets).toEqual({ used: limit, limit })
  // A project that is removed takes waiting runs along.
  const queued = await steps.start(owner, at)
  await server.call('projects/remove', { id: at.projectId }, owner)
  expect(await errorOf(server.call('flow/run', { id: queued.id }, owner))).toBe('run_missing')
})
