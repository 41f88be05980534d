import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const folder = async (session: Session, name: string, parentId: string | null = null): Promise<string> => {
  const { data, code } = await server.call('files/createFolder', { parentId, name }, session)
  expect(code).toBe(10200)
  return data.id
}
const namesIn = async (session: Session, folderId: string | null, search = ''): Promise<string[]> => {
  const { data } = await server.call('files/list', { folderId, search }, session)
  return data.entries.map(({ name }) => name)
}
const bytes = (text: string) => Buffer.from(text)

describe('folders', () => {
  it('creates, lists with the path, renames', async () => {
    const session = await server.signUp()
    const top = await folder(session, '肺部 影像')
    const inner = await folder(session, 'Снимки', top)
    const { data } = await server.call('files/list', { folderId: inner }, session)
    expect(data.folder).toEqual({ id: inner, name: 'Снимки' })
    expect(data.path.map(({ name }) => name)).toEqual(['肺部 影像', 'Снимки'])
    const renamed = await server.call('files/rename', { id: inner, name: 'CT' }, session)
    expect(renamed.data).toMatchObject({ id: inner, kind: 'folder', name: 'CT', modifiedBy: 'Test member' })
  })

  it('lists folders first and numbers as people count, a page at a time', async () => {
    const session = await server.signUp()
    const names = Array.from({ length: 150 }, (_, n) => `scan ${n}.png`)
    const files = [...names].reverse().map((name) => ({ path: `set/${name}`, bytes: bytes(name) }))
    const set = await upload(server, session, { files })
    await folder(session, 'zz', set)
    const first = await server.call('files/list', { folderId: set }, session)
    expect(first.data.total).toBe(151)
    expect(first.data.entries[0]?.name).toBe('zz')
    const after = first.data.next
    const second = await server.call('files/list', { folderId: set, after }, session)
    expect(second.data.next).toBeNull()
    const listed = [...first.data.entries, ...second.data.entries].slice(1).map(({ name }) => name)
    expect(listed).toEqual(names)
  })

  it('searches without regard to case, and takes wildcards as letters', async () => {
    const session = await server.signUp()
    const top = await folder(session, 'top')
    for (const name of ['Лёгкие', 'лёгкие 2', '100%', '100x']) await folder(session, name, top)
    expect(await namesIn(session, top, 'ЛЁГ')).toEqual(['лёгкие 2', 'Лёгкие'].sort())
    expect(await namesIn(session, top, '100%')).toEqual(['100%'])
  })

  it('keeps the sizes of all folders above up to date', async () => {
    const session = await server.signUp()
    const set = await upload(server, session, {
      files: [
        { path: 'set/a/1.png', bytes: bytes('12345') },
        { path: 'set/a/b/2.png', bytes: bytes('123') },
        { path: 'set/3.png', bytes: bytes('') },
      ],
    })
    const top = await server.call('files/list', { folderId: null }, session)
    expect(top.data.entries[0]).toMatchObject({ name: 'set', sizeBytes: 8, fileCount: 3 })
    const inside = await server.call('files/list', { folderId: set }, session)
    expect(inside.data.entries[0]).toMatchObject({ name: 'a', sizeBytes: 8, fileCount: 2 })
    await server.call('files/remove', { ids: [inside.data.entries[0]?.id ?? ''] }, session)
    const later = await server.call('files/list', { folderId: null }, session)
    expect(later.data.entries[0]).toMatchObject({ sizeBytes: 0, fileCount: 1 })
  })
})

describe('refusals', () => {
  it('refuses a name that is in use, in either spelling, but not in other letters', async () => {
    const session = await server.signUp()
    const top = await folder(session, 'top')
    await folder(session, 'caf\u00e9', top)
    const twin = await server.call('files/createFolder', { parentId: top, name: 'cafe\u0301' }, session)
    expect(twin.data.error).toBe('name_taken')
    const other = await server.call('files/createFolder', { parentId: top, name: 'CAF\u00c9' }, session)
    expect(other.code).toBe(10200)
    const clash = await server.call('files/rename', { id: other.data.id, name: 'caf\u00e9' }, session)
    expect(clash.data.error).toBe('name_taken')
  })

  it('lets one of many parallel creations of one name win', async () => {
    const session = await server.signUp()
    const top = await folder(session, 'top')
    const tries = await Promise.all(
      Array.from({ length: 10 }, () =>
        server.call('files/createFolder', { parentId: top, name: 'same' }, session),
      ),
    )
    expect(tries.filter(({ code }) => code === 10200)).toHaveLength(1)
    expect(tries.filter(({ data }) => data.error === 'name_taken')).toHaveLength(9)
  })

  it('gives an ordinary member exactly three folders at the top, also in parallel', async () => {
    const session = await server.signUp({ vipLevel: 1 })
    const tries = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        server.call('files/createFolder', { parentId: null, name: `folder ${n}` }, session),
      ),
    )
    expect(tries.filter(({ code }) => code === 10200)).toHaveLength(3)
    const refused = tries.find(({ code }) => code !== 10200)
    expect(refused?.data).toMatchObject({ error: 'plan_limit', params: { limit: 3 } })
  })

  it.each(['', ' ', 'a/b', '..', 'x'.repeat(201), 'a\u0007'])('refuses the name %j', async (name) => {
    const session = await server.signUp()
    const { data } = await server.call('files/createFolder', { parentId: null, name }, session)
    expect(data.error).toBe('invalid')
  })

  it('answers a foreign, a removed and an unknown folder alike', async () => {
    const [owner, stranger] = [await server.signUp(), await server.signUp()]
    const top = await folder(owner, 'private')
    const inner = await folder(owner, 'inner', top)
    const removed = await folder(owner, 'removed')
    await server.call('files/remove', { ids: [removed] }, owner)
    const answers = [
      await server.call('files/list', { folderId: inner }, stranger),
      await server.call('files/list', { folderId: removed }, owner),
      await server.call('files/list', { folderId: 'unknown' }, stranger),
      await server.call('files/rename', { id: inner, name: 'x' }, stranger),
      await server.call('files/remove', { ids: [inner] }, stranger),
      await server.call('files/restore', { ids: [removed] }, stranger),
      await server.call('files/open', { id: inner }, owner),
      await server.call('files/createFolder', { parentId: inner, name: 'x' }, stranger),
    ]
    expect(answers.map(({ data }) => data.error)).toEqual(answers.map(() => 'missing'))
    expect(await namesIn(owner, top)).toEqual(['inner'])
  })

  it('refuses everybody who is not signed in', async () => {
    const { data } = await server.call('files/list', { folderId: null })
    expect(data.error).toBe('not_signed_in')
  })
})

describe('the recycle station', () => {
  it('takes a whole folder out of sight and brings it back as it was', async () => {
    const session = await server.signUp()
    const set = await upload(server, session, { files: [{ path: 'set/a/1.png', bytes: bytes('12345') }] })
    const removed = await server.call('files/remove', { ids: [set ?? ''] }, session)
    expect(removed.data).toEqual({ removed: 1, recycleDays: 7 })
    expect(await namesIn(session, null)).toEqual([])
    expect((await server.call('user/size', {}, session)).data.storageSize).toBe(5)
    await server.call('files/restore', { ids: [set ?? ''] }, session)
    const { data } = await server.call('files/list', { folderId: null }, session)
    expect(data.entries[0]).toMatchObject({ name: 'set', sizeBytes: 5, fileCount: 1 })
    expect(await namesIn(session, set)).toEqual(['a'])
  })

  it('gives a number to a name that was taken meanwhile', async () => {
    const session = await server.signUp()
    const first = await folder(session, 'set')
    await server.call('files/remove', { ids: [first] }, session)
    await folder(session, 'set')
    await server.call('files/restore', { ids: [first] }, session)
    expect(await namesIn(session, null)).toEqual(['set', 'set (2)'])
  })

  it('removes a folder and something inside it in one go', async () => {
    const session = await server.signUp()
    const files = [
      { path: 'set/a/1.png', bytes: bytes('12345') },
      { path: 'set/2.png', bytes: bytes('12') },
    ]
    const set = (await upload(server, session, { files })) ?? ''
    const { data } = await server.call('files/list', { folderId: set }, session)
    const a = data.entries[0]?.id ?? ''
    await server.call('files/remove', { ids: [a, set] }, session)
    await server.call('files/restore', { ids: [set] }, session)
    const top = await server.call('files/list', { folderId: null }, session)
    expect(top.data.entries[0]).toMatchObject({ sizeBytes: 7, fileCount: 2 })
  })

  it('counts right when something inside was removed before its folder', async () => {
    const session = await server.signUp()
    const files = [
      { path: 'set/a/1.png', bytes: bytes('12345') },
      { path: 'set/2.png', bytes: bytes('12') },
    ]
    const set = (await upload(server, session, { files })) ?? ''
    const { data } = await server.call('files/list', { folderId: set }, session)
    const a = data.entries[0]?.id ?? ''
    await server.call('files/remove', { ids: [a] }, session)
    await server.call('files/remove', { ids: [set] }, session)
    await server.call('files/restore', { ids: [set, a] }, session)
    const top = await server.call('files/list', { folderId: null }, session)
    expect(top.data.entries[0]).toMatchObject({ sizeBytes: 7, fileCount: 2 })
  })

  it('does not restore past the limit of folders at the top', async () => {
    const session = await server.signUp()
    const first = await folder(session, 'one')
    await server.call('files/remove', { ids: [first] }, session)
    for (const name of ['two', 'three', 'four']) await folder(session, name)
    const { data } = await server.call('files/restore', { ids: [first] }, session)
    expect(data.error).toBe('plan_limit')
  })

  it('changes nothing when one of several is not there', async () => {
    const session = await server.signUp()
    const top = await folder(session, 'kept')
    const { data } = await server.call('files/remove', { ids: [top, 'unknown'] }, session)
    expect(data.error).toBe('missing')
    expect(await namesIn(session, null)).toEqual(['kept'])
  })
})
