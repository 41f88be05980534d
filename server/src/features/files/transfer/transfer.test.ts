import { files as limits } from '@neuroloom/contract/limits'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { idAt, pathsIn, wrongSums } from '../../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { makeFolder } from '../../../../test/sharing.ts'
import { upload } from '../../../../test/uploads.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterEach(async () => {
  expect(await wrongSums(server)).toEqual([])
})
afterAll(() => server.close())

const member = () => server.signUp({ vipLevel: 4 })
/** Files whose content is their path, so that it is known again wherever it goes. */
const put = (session: Session, paths: string[], parentId: string | null = null) =>
  upload(server, session, { parentId, files: paths.map((path) => ({ path, bytes: Buffer.from(path) })) })
const paths = (session: Session, folderId: string | null = null) => pathsIn(server, session, folderId)
const at = (session: Session, path: string, folderId: string | null = null) =>
  idAt(server, session, path, folderId)
const used = async (session: Session) => (await server.call('user/size', {}, session)).data.storageSize
const contentOf = async (session: Session, id: string): Promise<string> => {
  const { data } = await server.call('files/open', { id, download: true }, session)
  return (await fetch(server.url + data.url)).text()
}
const recycledNames = async (session: Session) =>
  (await server.call('files/recycled', {}, session)).data.entries.map(({ name }) => name).sort()
const share = async (owner: Session, id: string, to: { account: string }, permission: 'view' | 'edit') => {
  const { code, message } = await server.call('files/share', { id, account: to.account, permission }, owner)
  if (code !== 10200) throw new Error(message)
}

describe('moving', () => {
  it('takes files and folders along with all that lies in them', async () => {
    const me = await member()
    await put(me, ['a/b/1.txt', 'a/2.txt', 'c/3.txt'])
    const before = await used(me)
    const ids = [await at(me, 'a/b'), await at(me, 'a/2.txt')]
    const { data } = await server.call(
      'files/move',
      { ids, targetId: await at(me, 'c'), sameName: 'ask' },
      me,
    )
    expect(data).toEqual({ conflicts: [], done: 2 })
    expect(await paths(me)).toEqual(['a/', 'c/', 'c/2.txt', 'c/3.txt', 'c/b/', 'c/b/1.txt'])
    expect(await used(me)).toBe(before)
  })

  it('asks about taken names and changes nothing meanwhile', async () => {
    const me = await member()
    await put(me, ['a/1.txt', 'a/2.txt', 'b/1.txt'])
    const ids = [await at(me, 'a/1.txt'), await at(me, 'a/2.txt')]
    const { data } = await server.call(
      'files/move',
      { ids, targetId: await at(me, 'b'), sameName: 'ask' },
      me,
    )
    expect(data).toEqual({ conflicts: ['1.txt'], done: 0 })
    expect(await paths(me)).toEqual(['a/', 'a/1.txt', 'a/2.txt', 'b/', 'b/1.txt'])
  })

  it('skips, numbers or replaces; what is replaced waits in the recycle station', async () => {
    const me = await member()
    await put(me, ['a/1.txt', 'b/1.txt'])
    const [id, targetId] = [await at(me, 'a/1.txt'), await at(me, 'b')]
    const move = (sameName: 'skip' | 'rename' | 'overwrite', from = id) =>
      server.call('files/move', { ids: [from], targetId, sameName }, me)
    expect((await move('skip')).data).toEqual({ conflicts: [], done: 0 })
    await move('rename')
    expect(await paths(me, targetId)).toEqual(['1 (2).txt', '1.txt'])
    await put(me, ['a/1.txt'])
    const again = await at(me, 'a/1.txt')
    await move('overwrite', again)
    expect(await paths(me, targetId)).toEqual(['1 (2).txt', '1.txt'])
    expect(await at(me, 'b/1.txt')).toBe(again)
    expect(await recycledNames(me)).toEqual(['1.txt'])
  })

  it('merges folders of one name, level by level, and keeps what differs in kind', async () => {
    const me = await member()
    await put(me, ['a/set/same.txt', 'a/set/x/1.txt', 'a/set/x/y/2.txt', 'a/set/kind/3.txt'])
    await put(me, ['b/set/same.txt', 'b/set/x/1.txt', 'b/set/x/9.txt', 'b/set/kind'])
    const [id, targetId] = [await at(me, 'a/set'), await at(me, 'b')]
    const { data } = await server.call('files/move', { ids: [id], targetId, sameName: 'overwrite' }, me)
    expect(data.done).toBe(1)
    expect(await paths(me)).toEqual([
      ...['a/', 'b/', 'b/set/', 'b/set/kind', 'b/set/kind (2)/', 'b/set/kind (2)/3.txt', 'b/set/same.txt'],
      ...['b/set/x/', 'b/set/x/1.txt', 'b/set/x/9.txt', 'b/set/x/y/', 'b/set/x/y/2.txt'],
    ])
    expect(await contentOf(me, await at(me, 'b/set/x/1.txt'))).toBe('a/set/x/1.txt')
    expect(await recycledNames(me)).toEqual(['1.txt', 'same.txt'])
  })

  it('keeps what was removed from a merged folder, to come back into the other one', async () => {
    const me = await member()
    await put(me, ['a/set/gone.txt', 'a/set/1.txt', 'b/set/2.txt'])
    const gone = await at(me, 'a/set/gone.txt')
    await server.call('files/remove', { ids: [gone] }, me)
    const body = { ids: [await at(me, 'a/set')], targetId: await at(me, 'b'), sameName: 'overwrite' as const }
    await server.call('files/move', body, me)
    await server.call('files/restore', { ids: [gone] }, me)
    expect(await paths(me)).toEqual(['a/', 'b/', 'b/set/', 'b/set/1.txt', 'b/set/2.txt', 'b/set/gone.txt'])
  })

  it('never merges a folder into one that it lies in, and loses nothing of twins that come together', async () => {
    const me = await member()
    await put(me, ['x/a/x/a/x/1.txt', 'x/a/x/1.txt', 'x/1.txt'])
    const inner = await at(me, 'x/a/x')
    await server.call('files/move', { ids: [inner], targetId: null, sameName: 'overwrite' }, me)
    expect(await paths(me)).toEqual([
      ...['x (2)/', 'x (2)/1.txt', 'x (2)/a/', 'x (2)/a/x/', 'x (2)/a/x/1.txt', 'x/', 'x/1.txt', 'x/a/'],
    ])
    const target = await makeFolder(server, me, 'target')
    const ids = [await at(me, 'x/1.txt'), await at(me, 'x (2)/1.txt')]
    await server.call('files/move', { ids, targetId: target, sameName: 'overwrite' }, me)
    expect(await paths(me, target)).toEqual(['1 (2).txt', '1.txt'])
  })

  it.each(['move', 'copy'] as const)('refuses to %s a folder into itself or below', async (deed) => {
    const me = await member()
    await put(me, ['a/b/1.txt'])
    const [id, inner] = [await at(me, 'a'), await at(me, 'a/b')]
    for (const targetId of [id, inner]) {
      const { data } = await server.call(`files/${deed}`, { ids: [id], targetId, sameName: 'rename' }, me)
      expect(data.error).toBe('folder_into_itself')
    }
  })

  it('keeps to the depth of folders and to the folders at the top', async () => {
    const me = await server.signUp({ vipLevel: 1 })
    const deep = Array.from({ length: limits.depth - 2 }, (_, level) => `d${level}`).join('/')
    await put(me, [`${deep}/x.txt`, 'a/b/1.txt', 'c/2.txt'])
    const targetId = await at(me, deep)
    const [ab, a] = [await at(me, 'a/b'), await at(me, 'a')]
    const tooDeep = await server.call('files/move', { ids: [a], targetId, sameName: 'ask' }, me)
    expect(tooDeep.data.error).toBe('too_deep')
    const fits = await server.call('files/copy', { ids: [ab], targetId, sameName: 'ask' }, me)
    expect(fits.data.done).toBe(1)
    const top = await server.call('files/move', { ids: [ab], targetId: null, sameName: 'ask' }, me)
    expect(top.data).toMatchObject({ error: 'plan_limit', params: { limit: 3 } })
    const file = await server.call(
      'files/move',
      { ids: [await at(me, 'c/2.txt')], targetId: null, sameName: 'ask' },
      me,
    )
    expect(file.data.done).toBe(1)
  })
})

describe('copying', () => {
  it('makes new files of the same bytes, which take space of their own', async () => {
    const me = await member()
    await put(me, ['a/b/1.txt', 'a/2.txt', 'a/gone.txt'])
    await server.call('files/remove', { ids: [await at(me, 'a/gone.txt')] }, me)
    const target = await makeFolder(server, me, 'c')
    const before = await used(me)
    const body = { ids: [await at(me, 'a')], targetId: target, sameName: 'ask' as const }
    expect((await server.call('files/copy', body, me)).data).toEqual({ conflicts: [], done: 1 })
    expect(await paths(me, target)).toEqual(['a/', 'a/2.txt', 'a/b/', 'a/b/1.txt'])
    expect(await used(me)).toBe(before + 'a/b/1.txt'.length + 'a/2.txt'.length)
    expect(await contentOf(me, await at(me, 'c/a/b/1.txt'))).toBe('a/b/1.txt')
  })

  it('beside the original gets a number, whatever was said about taken names', async () => {
    const me = await member()
    await put(me, ['a/1.txt'])
    const [id, targetId] = [await at(me, 'a/1.txt'), await at(me, 'a')]
    for (const sameName of ['ask', 'overwrite', 'skip'] as const) {
      await server.call('files/copy', { ids: [id], targetId, sameName }, me)
    }
    expect(await paths(me, targetId)).toEqual(['1 (2).txt', '1 (3).txt', '1 (4).txt', '1.txt'])
  })

  it('merges and replaces as moving does, and leaves the original alone', async () => {
    const me = await member()
    await put(me, ['a/set/1.txt', 'a/set/2.txt', 'b/set/1.txt'])
    const body = { ids: [await at(me, 'a/set')], targetId: await at(me, 'b'), sameName: 'overwrite' as const }
    await server.call('files/copy', body, me)
    expect(await paths(me)).toEqual([
      ...['a/', 'a/set/', 'a/set/1.txt', 'a/set/2.txt', 'b/', 'b/set/', 'b/set/1.txt', 'b/set/2.txt'],
    ])
    expect(await contentOf(me, await at(me, 'b/set/1.txt'))).toBe('a/set/1.txt')
    expect(await recycledNames(me)).toEqual(['1.txt'])
  })

  it('is refused, whole, when the space does not reach', async () => {
    const me = await server.signUp({ vipLevel: 1 })
    await put(me, ['a/1.txt'])
    const gigabyte = 1024 ** 3
    await server.ctx.pool.query(`update files set size_bytes = $2 where owner_id = $1`, [
      me.userId,
      gigabyte * 0.625,
    ])
    await server.ctx.pool.query(`update user_storage set used_bytes = $2 where user_id = $1`, [
      me.userId,
      gigabyte * 0.625,
    ])
    const body = { ids: [await at(me, 'a/1.txt')], targetId: null, sameName: 'ask' as const }
    expect((await server.call('files/copy', body, me)).data.error).toBe('storage_full')
    expect(await paths(me)).toEqual(['a/', 'a/1.txt'])
  })
})

describe('in folders that somebody shared', () => {
  it('lets an editor move, rename, create and remove inside, in the owner’s cloud and space', async () => {
    const [owner, editor] = [await member(), await member()]
    await put(owner, ['shared/a/1.txt', 'shared/b/2.txt'])
    const top = await at(owner, 'shared')
    await share(owner, top, editor, 'edit')
    const [one, b] = [await at(owner, 'shared/a/1.txt'), await at(owner, 'shared/b')]
    expect(
      (await server.call('files/move', { ids: [one], targetId: b, sameName: 'ask' }, editor)).data.done,
    ).toBe(1)
    await makeFolder(server, editor, 'new', top)
    await server.call('files/rename', { id: top, name: 'ours' }, editor)
    await server.call('files/remove', { ids: [await at(owner, 'ours/a')] }, editor)
    expect(await paths(owner)).toEqual(['ours/', 'ours/b/', 'ours/b/1.txt', 'ours/b/2.txt', 'ours/new/'])
    expect(await recycledNames(owner)).toEqual(['a'])
    expect(await recycledNames(editor)).toEqual([])
    expect(await used(editor)).toBe(0)
  })

  it('leaves what was shared itself where its owner put it', async () => {
    const [owner, editor] = [await member(), await member()]
    await put(owner, ['shared/a/1.txt', 'other/2.txt'])
    const top = await at(owner, 'shared')
    await share(owner, top, editor, 'edit')
    const inner = await at(owner, 'shared/a')
    const answers = [
      await server.call('files/remove', { ids: [top] }, editor),
      await server.call('files/move', { ids: [top], targetId: null, sameName: 'ask' }, editor),
      // Out of the owner's cloud, or into it.
      await server.call('files/move', { ids: [inner], targetId: null, sameName: 'ask' }, editor),
    ]
    const mine = await makeFolder(server, editor, 'mine')
    answers.push(await server.call('files/move', { ids: [mine], targetId: top, sameName: 'ask' }, editor))
    expect(answers.map(({ data }) => data.error)).toEqual(answers.map(() => 'not_allowed'))
    expect(await paths(owner)).toEqual(['other/', 'other/2.txt', 'shared/', 'shared/a/', 'shared/a/1.txt'])
  })

  it('lets a viewer copy out, and nothing else', async () => {
    const [owner, viewer] = [await member(), await member()]
    await put(owner, ['shared/a/1.txt'])
    const top = await at(owner, 'shared')
    await share(owner, top, viewer, 'view')
    const inner = await at(owner, 'shared/a')
    const refused = [
      await server.call('files/createFolder', { parentId: top, name: 'x' }, viewer),
      await server.call('files/rename', { id: inner, name: 'x' }, viewer),
      await server.call('files/remove', { ids: [inner] }, viewer),
      await server.call('files/move', { ids: [inner], targetId: top, sameName: 'ask' }, viewer),
      await server.call('files/copy', { ids: [inner], targetId: top, sameName: 'rename' }, viewer),
    ]
    expect(refused.map(({ data }) => data.error)).toEqual(refused.map(() => 'not_allowed'))
    const copied = await server.call('files/copy', { ids: [inner], targetId: null, sameName: 'ask' }, viewer)
    expect(copied.data.done).toBe(1)
    expect(await paths(viewer)).toEqual(['a/', 'a/1.txt'])
    expect(await used(viewer)).toBe('shared/a/1.txt'.length)
  })

  it('takes an editor’s copies into the owner’s space, not past its plan', async () => {
    const [owner, editor] = [await member(), await member()]
    const top = await makeFolder(server, owner, 'shared')
    await share(owner, top, editor, 'edit')
    await put(editor, ['mine/1.txt'])
    const body = { ids: [await at(editor, 'mine')], targetId: top, sameName: 'ask' as const }
    expect((await server.call('files/copy', body, editor)).data.done).toBe(1)
    expect(await paths(owner)).toEqual(['shared/', 'shared/mine/', 'shared/mine/1.txt'])
    expect(await used(owner)).toBe('mine/1.txt'.length)
  })
})

it('refuses the whole call when one of the things is not there or somebody else’s', async () => {
  const [me, stranger] = [await member(), await member()]
  await put(me, ['a/1.txt', 'b/2.txt'])
  await put(stranger, ['s/3.txt'])
  const [mine, theirs] = [await at(me, 'a/1.txt'), await at(stranger, 's/3.txt')]
  const targetId = await at(me, 'b')
  for (const deed of ['move', 'copy'] as const) {
    for (const ids of [
      [mine, theirs],
      [mine, 'unknown'],
    ]) {
      const { data } = await server.call(`files/${deed}`, { ids, targetId, sameName: 'rename' }, me)
      expect(data.error).toBe('missing')
    }
    const into = { ids: [mine], targetId: await at(stranger, 's'), sameName: 'rename' as const }
    expect((await server.call(`files/${deed}`, into, me)).data.error).toBe('missing')
  }
  expect(await paths(me)).toEqual(['a/', 'a/1.txt', 'b/', 'b/2.txt'])
})
