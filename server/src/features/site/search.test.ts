import { search as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeText } from '../../../test/networks.ts'
import { makeFolder, put } from '../../../test/sharing.ts'
import { makeTrainingSet, startQuick } from '../../../test/training.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const member = () => server.signUp({ password: null, vipLevel: 4 })
const find = async (who: Session, text: string) => (await server.call('search/all', { text }, who)).data
const nothing = { projects: [], files: [], networks: [], runs: [], covers: {} }

async function makeBelongings(name: string) {
  const owner = await member()
  const project = (
    await server.call('projects/create', { name: `${name} project`, task: 'classification' }, owner)
  ).data
  const folder = await makeFolder(server, owner, `${name} folder`)
  const inner = await makeFolder(server, owner, 'inner', folder)
  const file = await put(server, owner, {
    parentId: inner,
    name: `${name} scan.png`,
    bytes: Buffer.from('x'),
  })
  const drawn = { name: `${name} network`, text: makeText({}) }
  const network = (await server.call('networks/create', drawn, owner)).data
  return { owner, project, folder, inner, file, network }
}

describe('the search over all', () => {
  it('finds own projects, folders, files and networks by a part of the name, whatever the letters', async () => {
    const { owner, project, folder, inner, file, network } = await makeBelongings('Почка 50%')
    expect(await find(owner, ' оЧКА 50% ')).toEqual({
      projects: [{ id: project.id, name: 'Почка 50% project', owner: '' }],
      files: [
        { id: folder, kind: 'folder', name: 'Почка 50% folder', folder: null, owner: '' },
        {
          id: file,
          kind: 'file',
          name: 'Почка 50% scan.png',
          folder: { id: inner, name: 'inner' },
          owner: '',
        },
      ],
      networks: [{ id: network.id, name: 'Почка 50% network' }],
      runs: [],
      covers: {},
    })
    expect(await find(owner, 'Почка 5_%')).toEqual(nothing)
  })

  it('finds runs by what they are called on the pages, their project, data and network', async () => {
    const owner = await member()
    const set = await makeTrainingSet(server, owner, { name: 'lungs' })
    const { id } = await startQuick(server, owner, { set })
    const run = { id, kind: 'train', number: 1, project: 'Project of lungs', dataset: 'lungs' }
    for (const text of ['training 1', 'lungs', '1 PROJECT', 'small resnet', 'lungs resnet'])
      expect((await find(owner, text)).runs, text).toEqual([run])
    for (const text of ['training 2', 'test 1', 'lungs unet'])
      expect((await find(owner, text)).runs, text).toEqual([])
    await server.call('projects/remove', { id: set.projectId }, owner)
    expect(await find(owner, 'project')).toMatchObject({ projects: [], runs: [] })
  })

  it('finds what was given to the member, and nothing above it', async () => {
    const { owner, project, folder, inner, file } = await makeBelongings('Spleen')
    const friend = await member()
    expect(await find(friend, 'spleen')).toEqual(nothing)
    const given = { account: friend.account, permission: 'view' } as const
    await server.call('files/share', { id: inner, ...given }, owner)
    await server.call('projects/share', { id: project.id, ...given }, owner)
    const shown = await find(friend, 'spleen')
    expect(shown).toMatchObject({ projects: [{ id: project.id }], networks: [], runs: [] })
    expect(shown.files).toMatchObject([{ id: file, folder: { id: inner, name: 'inner' } }])
    expect(shown.files[0]?.owner).not.toBe('')
    expect((await find(friend, 'inner')).files).toMatchObject([{ id: inner, folder: null }])
    await server.call('files/remove', { ids: [folder] }, owner)
    expect((await find(friend, 'spleen')).files).toEqual([])
    expect((await find(owner, 'spleen')).files).toEqual([])
  })

  it('never tells of others, not of what is public either', async () => {
    const { owner, project, folder } = await makeBelongings('Canary')
    await server.call('projects/setPublic', { id: project.id, isPublic: true }, owner)
    await server.call('files/publish', { id: folder, isPublic: true }, owner)
    expect(await find(await member(), 'canary')).toEqual(nothing)
    expect((await server.call('search/all', { text: 'canary' })).data.error).toBe('not_signed_in')
  })

  it('shows a few of each', async () => {
    const owner = await member()
    for (let made = 0; made <= limits.perKind; made += 1) await makeFolder(server, owner, `many ${made}`)
    const { files } = await find(owner, 'many')
    expect(files.map(({ name }) => name)).toEqual(['many 0', 'many 1', 'many 2', 'many 3', 'many 4'])
  })

  it.each([
    [{ text: '   ' }, { text: 'form.required' }],
    [{ text: 'x'.repeat(limits.textLength + 1) }, { text: 'form.too_big' }],
    [{}, { text: 'form.required' }],
    [{ text: ['a'] }, { text: 'form.invalid' }],
  ])('%j is refused', async (body, fields) => {
    const answer = await server.call('search/all', body as { text: string }, await member())
    expect(answer.data).toMatchObject({ error: 'invalid', fields })
  })
})
