import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeText } from '../../../test/networks.ts'
import { addDataset, makeTrainingSet, startQuick } from '../../../test/training.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

/** A project of a member of this level, and an editor of another. */
async function makeTeam({ ownerLevel = 4, editorLevel = 4 } = {}) {
  const owner = await server.signUp({ password: null, vipLevel: ownerLevel, nickName: 'Owner' })
  const editor = await server.signUp({ password: null, vipLevel: editorLevel, nickName: 'Editor' })
  const set = await makeTrainingSet(server, owner, { items: 24 })
  const share = { id: set.projectId, account: editor.account, permission: 'edit' } as const
  const { data } = await server.call('projects/share', share, owner)
  const start = (who: Session) =>
    server.call(
      'runs/start',
      { projectId: set.projectId, parts: set.parts, network: 'small_resnet', force: true },
      who,
    )
  return { owner, editor, set, start, shareId: data.id }
}

describe('a training that an editor starts', () => {
  it('belongs to the project, and stays when the editor goes', async () => {
    const { owner, editor, set, start, shareId } = await makeTeam()
    const { data: run } = await start(editor)
    const ids = async (who: Session, projectId: string | null) =>
      (await server.call('runs/list', { projectId }, who)).data.runs?.map(({ id }) => id)
    expect(await ids(owner, null)).toEqual([run.id])
    expect(await ids(editor, null)).toEqual([])
    expect(await ids(editor, set.projectId)).toEqual([run.id])
    const { rows } = await server.ctx.pool.query('select user_id, started_by from runs where id = $1', [
      run.id,
    ])
    expect(rows).toEqual([{ user_id: owner.userId, started_by: editor.userId }])
    expect((await server.call('runs/remove', { id: run.id }, editor)).data.error).toBe('not_allowed')
    await server.call('projects/unshare', { shareId }, owner)
    await server.ctx.pool.query('delete from users where id = $1', [editor.userId])
    expect(await ids(owner, set.projectId)).toEqual([run.id])
    expect((await server.call('runs/stop', { id: run.id }, owner)).data.state).toBe('stopped')
  })

  it('leaves a message when somebody else stops it, and none to who stopped it', async () => {
    const { owner, editor, start } = await makeTeam()
    const { data: run } = await start(editor)
    await server.call('runs/stop', { id: run.id }, owner)
    const endsTold = async (who: Session) =>
      (await server.call('notice/list', {}, who)).data.items.filter(({ kind }) => kind.startsWith('run_'))
    const params = { run: run.id, what: 'train', number: '1', project: 'Project of cells' }
    expect(await endsTold(editor)).toMatchObject([{ kind: 'run_stopped', params }])
    expect(await endsTold(owner)).toEqual([])
  })

  it('counts against the owner’s models, whoever starts it and however many at once', async () => {
    const { owner, editor, start } = await makeTeam({ ownerLevel: 2 })
    // A machine with other work may turn some away for the moment, and says so.
    const untilAnswered = async (who: Session): ReturnType<typeof start> => {
      const answer = await start(who)
      return answer.data.error === 'busy' ? untilAnswered(who) : answer
    }
    // Of the three that the level keeps it shares two.
    const alone = await makeTrainingSet(server, owner, { name: 'alone', items: 24 })
    const first = { projectId: alone.projectId, parts: alone.parts, network: 'small_resnet', force: true }
    expect((await server.call('runs/start', first, owner)).code).toBe(10200)
    const tries = await Promise.all([editor, owner, editor, owner, editor].map(untilAnswered))
    expect(tries.filter(({ code }) => code === 10200)).toHaveLength(2)
    expect(tries.find(({ code }) => code !== 10200)?.data).toMatchObject({
      error: 'plan_limit',
      params: { limit: 3 },
    })
    // Nothing of it counts against the editor's own.
    const own = await makeTrainingSet(server, editor, { name: 'own' })
    expect((await startQuick(server, editor, { set: own })).state).toBe('queued')
  })

  it('has other settings only by the editor’s own level', async () => {
    const { owner, editor, set } = await makeTeam({ editorLevel: 1 })
    const { projectId, parts } = set
    const body = { projectId, parts, network: 'small_resnet', force: true, hyper: { epochs: 3 } }
    expect((await server.call('runs/start', body, editor)).data.error).toBe('tuning_gold_only')
    expect((await server.call('runs/start', body, owner)).code).toBe(10200)
    const ask = { projectId: set.projectId, datasetId: set.datasetId }
    expect((await server.call('runs/suggest', ask, editor)).data.mayTune).toBe(false)
  })

  it('may use a network of the editor’s own and data that the editor brought', async () => {
    const { owner, editor, set } = await makeTeam()
    const made = { task: 'classification', items: 24, size: 32, name: 'brought', seed: 3 } as const
    const brought = await addDataset(server, editor, { projectId: set.projectId, ...made })
    const { data: list } = await server.call('datasets/list', { projectId: set.projectId }, owner)
    expect(list.datasets.map(({ owner: whose }) => whose).sort()).toEqual(['', 'Editor'])
    const folder = list.datasets.find(({ id }) => id === brought.datasetId)?.folderId ?? ''
    expect((await server.call('files/list', { folderId: folder }, owner)).data.error).toBe('missing')
    const network = await server.call('networks/create', { name: 'Mine', text: makeText() }, editor)
    const { data: run } = await server.call(
      'runs/start',
      { projectId: set.projectId, parts: brought.parts, network: network.data.id, force: true },
      editor,
    )
    expect(run.ownNetwork).toEqual({ name: 'Mine', version: 1 })
    const foreign = { projectId: set.projectId, parts: set.parts, network: network.data.id, force: true }
    expect((await server.call('runs/start', foreign, owner)).data.error).toBe('network_unfit')
    // The project's owner may take out what others brought; it stays theirs.
    const taken = { id: brought.datasetId, projectId: set.projectId }
    expect((await server.call('datasets/remove', taken, owner)).code).toBe(10200)
    expect((await server.call('datasets/detail', { id: brought.datasetId }, owner)).data.error).toBe(
      'dataset_missing',
    )
    expect((await server.call('datasets/detail', { id: brought.datasetId }, editor)).code).toBe(10200)
  })
})

describe('a project that goes to the recycle station', () => {
  it('leaves no training in the queue, also one that is started at that moment', async () => {
    const { owner, editor, set, start } = await makeTeam()
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([
        start(editor),
        server.call('projects/remove', { id: set.projectId }, owner),
        start(owner),
      ])
      const { rows } = await server.ctx.pool.query(
        `select id from runs where project_id = $1 and state = 'queued'`,
        [set.projectId],
      )
      expect(rows).toEqual([])
      await server.call('projects/restore', { id: set.projectId }, owner)
    }
  })
})
