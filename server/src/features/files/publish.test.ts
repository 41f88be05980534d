import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idAt, pathsIn, wrongSums } from '../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const administrator = () => server.signUp({ role: 2, nickName: 'Administrator', vipLevel: 4 })
const put = (session: Session, paths: string[]) =>
  upload(server, session, { files: paths.map((path) => ({ path, bytes: Buffer.from(path) })) })
const at = (session: Session, path: string) => idAt(server, session, path)
const listed = async (session: Session, search = '') =>
  (await server.call('files/public', { search }, session)).data.entries.map(({ entry }) => entry.name)

describe('public data', () => {
  it('is read and copied by every member, and changed by none', async () => {
    const [admin, member] = [await administrator(), await server.signUp({ vipLevel: 4 })]
    await put(admin, ['Chest X-ray/normal/1.txt'])
    const id = await at(admin, 'Chest X-ray')
    const inner = await at(admin, 'Chest X-ray/normal')
    expect((await server.call('files/list', { folderId: id }, member)).data.error).toBe('missing')
    await server.call('files/publish', { id, isPublic: true }, admin)
    const { data } = await server.call('files/public', {}, member)
    expect(data.entries[0]).toMatchObject({
      owner: 'Administrator',
      entry: { id, name: 'Chest X-ray', fileCount: 1 },
      isOwn: false,
    })
    const list = await server.call('files/list', { folderId: inner }, member)
    expect(list.data).toMatchObject({
      access: 'view',
      place: { kind: 'public', owner: 'Administrator' },
      total: 1,
    })
    const refused = [
      await server.call('files/rename', { id: inner, name: 'x' }, member),
      await server.call('files/remove', { ids: [inner] }, member),
      await server.call('files/createFolder', { parentId: id, name: 'x' }, member),
      await server.call('files/move', { ids: [inner], targetId: null, sameName: 'ask' }, member),
    ]
    expect(refused.map((reply) => reply.data.error)).toEqual(refused.map(() => 'not_allowed'))
    await server.call('files/copy', { ids: [id], targetId: null, sameName: 'ask' }, member)
    expect(await pathsIn(server, member)).toEqual([
      ...['Chest X-ray/', 'Chest X-ray/normal/', 'Chest X-ray/normal/1.txt'],
    ])
    expect(await wrongSums(server)).toEqual([])
    // The copy is the member's own and nobody else's.
    expect(await listed(member, 'chest')).toEqual(['Chest X-ray'])
  })

  it('is seen no more once it is private again, removed, or its folder is', async () => {
    const [admin, member] = [await administrator(), await server.signUp()]
    await put(admin, ['around/one/1.txt', 'around/two/2.txt'])
    const [one, two, around] = [
      await at(admin, 'around/one'),
      await at(admin, 'around/two'),
      await at(admin, 'around'),
    ]
    for (const id of [one, two]) await server.call('files/publish', { id, isPublic: true }, admin)
    expect(new Set(await listed(member))).toEqual(expect.objectContaining(new Set(['one', 'two'])))
    await server.call('files/publish', { id: one, isPublic: false }, admin)
    expect(await listed(member, 'one')).toEqual([])
    expect((await server.call('files/list', { folderId: one }, member)).data.error).toBe('missing')
    await server.call('files/remove', { ids: [around] }, admin)
    expect(await listed(member, 'two')).toEqual([])
    await server.call('files/restore', { ids: [around] }, admin)
    expect(await listed(member, 'two')).toEqual(['two'])
  })

  it('is made by administrators of their own folders alone', async () => {
    const [admin, member, stranger] = [await administrator(), await server.signUp(), await server.signUp()]
    await put(member, ['mine/1.txt'])
    await put(admin, ['set/2.txt'])
    const mine = await at(member, 'mine')
    const answers = [
      await server.call('files/publish', { id: mine, isPublic: true }, member),
      await server.call('files/publish', { id: mine, isPublic: true }, stranger),
      await server.call('files/publish', { id: mine, isPublic: true }, admin),
      await server.call('files/publish', { id: await at(admin, 'set/2.txt'), isPublic: true }, admin),
      await server.call('files/public', {}),
    ]
    expect(answers.map(({ data }) => data.error)).toEqual([
      ...['not_allowed', 'not_allowed', 'missing', 'missing', 'not_signed_in'],
    ])
  })
})
