import type { Body } from '@neuroloom/contract/calls'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { hasEnded, makeTrainingSet, startQuick, type TrainingSet, until } from '../../../../test/training.ts'
import { unzip } from '../../../../test/unzip.ts'
import { upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { cellKinds, drawCell } from '../../../demo/pictures.ts'
import { encodePng } from '../../../demo/png.ts'
import { type Runner, startRunner } from '../../runs/queue/jobs.ts'
import { runInputs, runs } from '../../runs/tables.ts'
import { keepResults } from './results.ts'
import { ownToolResults } from './tables.ts'

type Member = Session & { account: string }

let server: TestServer
let runner: Runner
let owner: Member
let user: Member
let set: TrainingSet
let trainedId: string
let toolId: string

beforeAll(async () => {
  server = await makeServer()
  owner = await server.signUp({ password: null, vipLevel: 4 })
  user = await server.signUp({ password: null, vipLevel: 2 })
  set = await makeTrainingSet(server, owner, { items: 30 })
  runner = startRunner(makeWorker(server))
  const { id } = await startQuick(server, owner, { set, hyper: { epochs: 1 } })
  trainedId = (await until(server, owner, { id, is: hasEnded })).id
  toolId = (await make(owner)).data.id
})
afterAll(async () => {
  await runner.stop()
  await server.close()
})

const make = (who: Session, more: Partial<Body<'toolbox/makeTool'>> = {}) =>
  server.call(
    'toolbox/makeTool',
    { of: 'network', sourceId: trainedId, name: 'Cell finder', picture: 'images', ...more },
    who,
  )
const share = (account: string, who: Session = owner, id = toolId) =>
  server.call('toolbox/shareTool', { id, account }, who)
const project = async (who: Session, task: 'classification' | 'segmentation' = 'classification') =>
  (await server.call('projects/create', { name: `For ${task}`, task }, who)).data.id
const folder = async (who: Session): Promise<string> => {
  const files = Array.from({ length: 4 }, (_, seed) => ({
    path: `patients/${seed}.png`,
    bytes: encodePng(drawCell(cellKinds[seed % cellKinds.length] ?? 'round', 9000 + seed, 32)),
  }))
  return (await upload(server, who, { files })) ?? ''
}
const predict = (
  who: Session,
  projectId: string,
  folderId: string,
  settings: Body<'toolbox/tryTool'>['settings'] = {},
) => server.call('toolbox/predictByTool', { id: toolId, projectId, folderId, settings }, who)

describe('a tool made of a trained network', () => {
  it('is its project owner’s to make, and of a training that has weights', async () => {
    expect((await make(user, { name: 'Mine' })).data.error).toBe('run_missing')
    const grant = { id: set.projectId, account: user.account, permission: 'edit' as const }
    await server.call('projects/share', grant, owner)
    expect((await make(user, { name: 'Mine' })).data.error).toBe('not_allowed')
    const { data } = await server.call('projects/shares', { id: set.projectId }, owner)
    await server.call('projects/unshare', { shareId: data.shares[0]?.id ?? '' }, owner)
    expect((await make(owner, { sourceId: 'nothing' })).data.error).toBe('run_missing')
    // It was trained with images as they are: there is nothing to prepare.
    const open = [{ step: 0, key: 'prepared', label: '', min: null, max: null }]
    expect((await make(owner, { name: 'Open', open })).data.error).toBe('invalid')
    expect((await make(owner)).data.error).toBe('name_taken')
  })

  it('answers into the user’s own project and cloud, and tells nothing of the network', {
    timeout: 120_000,
  }, async () => {
    const [own, folderId] = [await project(user), await folder(user)]
    expect((await predict(user, own, folderId)).data.error).toBe('own_tool_missing')
    await share(user.account)
    const { data: shown } = await server.call('toolbox/ownTool', { id: toolId }, user)
    expect(shown).toMatchObject({ kind: 'network', level: 2, task: 'classification', made: null, fields: [] })
    expect((await predict(user, await project(user, 'segmentation'), folderId)).data.error).toBe(
      'own_tool_task',
    )
    expect((await predict(user, set.projectId, folderId)).data.error).toBe('project_missing')
    expect((await predict(user, own, folderId, { threshold: 1 })).data.error).toBe('invalid')
    expect((await predict(user, own, 'nowhere')).data.error).toBe('missing')
    expect(
      (await server.call('toolbox/predictByTool', { id: toolId, projectId: own }, user)).data.error,
    ).toBe('prediction_source_needed')

    const { data: begun } = await predict(user, own, folderId)
    expect(begun).toMatchObject({ kind: 'predict', projectId: own, parentId: null, tool: 'Cell finder' })
    expect(begun).toMatchObject({ network: '', ownNetwork: null, parameters: null, datasetName: 'patients' })
    const done = await until(server, user, { id: begun.id, is: hasEnded })
    expect(done).toMatchObject({ state: 'done', counts: { predicted: 4 } })
    expect(done.artifacts.map(({ kind }) => kind)).toEqual(['predictions_csv'])
    const { data: status } = await server.call('toolbox/status', { ids: [begun.id] }, user)
    expect(status.jobs).toMatchObject([
      { kind: 'predict', state: 'done', result: { kind: 'run', id: begun.id } },
    ])
    const { data: history } = await server.call('toolbox/history', {}, user)
    expect(history.uses[0]).toMatchObject({ tool: `own:${toolId}`, toolName: 'Cell finder', jobId: begun.id })

    // The owner of the network sees nothing of it: these are another's patients.
    expect((await server.call('runs/detail', { id: begun.id }, owner)).data.error).toBe('run_missing')
    const { data: list } = await server.call('runs/list', { projectId: set.projectId }, owner)
    expect(list.runs.map(({ id }) => id)).toEqual([trainedId])
    for (const path of ['runs/detail', 'runs/program'] as const)
      expect((await server.call(path, { id: trainedId }, user)).data.error).toBe('run_missing')
    const weights = await server.call('runs/download', { id: begun.id, kind: 'weights' }, user)
    expect(weights.data.error).toBe('missing')
    expect((await server.call('runs/rerun', { id: begun.id }, user)).data.error).toBe('run_by_tool')

    // However often the job is done, the answers come once.
    const worker = makeWorker(server)
    for (let time = 0; time < 2; time += 1) await keepResults(worker, begun.id)
    const { data: cloud } = await server.call('files/list', { folderId: null }, user)
    const kept = cloud.entries.filter(({ name }) => name === 'patients – Cell finder')
    expect(kept).toHaveLength(1)
    const { data: inside } = await server.call('files/list', { folderId: kept[0]?.id ?? '' }, user)
    expect(inside.entries.map(({ name }) => name)).toEqual([
      'For classification-prediction-1-predictions.csv',
    ])

    // Where they have no room, that is told once.
    await server.ctx.db.delete(ownToolResults).where(eq(ownToolResults.runId, begun.id))
    await server.ctx.pool.query('update user_storage set used_bytes = 1e15 where user_id = $1', [user.userId])
    for (let time = 0; time < 2; time += 1) await keepResults(worker, begun.id)
    worker.engine.close()
    const { data: told } = await server.call('notice/list', {}, user)
    expect(told.items.filter(({ kind }) => kind === 'tool_answers_no_room')).toMatchObject([
      { params: { tool: 'Cell finder', name: 'patients' } },
    ])

    const archive = await archiveOf(user)
    const [inputs] = await server.ctx.db.select().from(runInputs).where(eq(runInputs.runId, begun.id))
    for (const secret of [inputs?.planHash, inputs?.weightsSha256, 'small_resnet', '"nodes"'])
      expect({ secret, isTold: archive.includes(secret ?? 'nothing') }).toEqual({ secret, isTold: false })
  })

  it('asks for bronze', async () => {
    const ordinary = await server.signUp({ password: null })
    await share(ordinary.account)
    const refused = await predict(ordinary, await project(ordinary), await folder(ordinary))
    expect(refused.data.error).toBe('application_unavailable')
    expect(refused.message).toBe('Application not available (upgrade membership).')
  })

  it('counts as a shared model, once with its project, until it is withdrawn', async () => {
    const used = async () => (await server.call('plans/shared', {}, owner)).data.models.used
    expect(await used()).toBe(1)
    const { data: second } = await make(owner, { name: 'The same again' })
    await share(user.account, owner, second.id)
    expect(await used()).toBe(1)
    await server.call('projects/setPublic', { id: set.projectId, isPublic: true }, owner)
    expect(await used()).toBe(1)
    await server.call('projects/setPublic', { id: set.projectId, isPublic: false }, owner)

    for (const id of [toolId, second.id]) {
      const { data: tool } = await server.call('toolbox/ownTool', { id }, owner)
      for (const { id: shareId } of tool.made?.shares ?? [])
        await server.call('toolbox/unshareTool', { id, shareId }, owner)
    }
    expect(await used()).toBe(0)
  })

  it('is not shared beyond the level of its owner', async () => {
    const setLevel = (level: number) =>
      server.ctx.pool.query('update users set vip_level = $1 where id = $2', [level, owner.userId])
    // An ordinary member shares no models.
    await setLevel(1)
    const refused = await share(user.account)
    expect(refused.data).toMatchObject({ error: 'shared_models_limit', params: { used: 0, limit: 0 } })
    await setLevel(4)
    expect((await share(user.account)).code).toBe(10200)
  })

  it('stops when the training is deleted; what was begun comes to its end', {
    timeout: 120_000,
  }, async () => {
    const { data: projects } = await server.call('projects/list', {}, user)
    const own = projects.projects.find(({ task }) => task === 'classification')?.id ?? ''
    const { data: files } = await server.call('files/list', { folderId: null }, user)
    const folderId = files.entries.find(({ name }) => name === 'patients')?.id ?? ''
    const { data: begun } = await predict(user, own, folderId)
    await server.call('runs/remove', { id: trainedId }, owner)
    expect((await predict(user, own, folderId)).data.error).toBe('own_tool_source_gone')
    expect((await server.call('toolbox/ownTool', { id: toolId }, user)).data.state).toBe('source_gone')
    expect((await until(server, user, { id: begun.id, is: hasEnded })).state).toBe('done')
    expect(await server.ctx.db.$count(runs, eq(runs.id, trainedId))).toBe(0)
  })
})

async function archiveOf(who: Session): Promise<string> {
  const { data } = await server.call('user/export', {}, who)
  const entries = await unzip(Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer()))
  return [...entries].map(([path, { bytes }]) => `${path}\n${bytes}`).join('\n')
}
