import { afterAll, beforeAll, expect, it } from 'vitest'
import { idAt, pathsIn, wrongSums } from '../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'

const TIMES = 100

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const put = (session: Session, paths: string[], parentId: string | null = null) =>
  upload(server, session, { parentId, files: paths.map((path) => ({ path, bytes: Buffer.from(path) })) })
const at = (session: Session, path: string) => idAt(server, session, path)

/** The same deeds in another order at each run, and the same order for the same number. */
function makeDraw(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

it('leaves sizes, counts and space the sums of what there is after a hundred deeds at once', async () => {
  const [owner, editor] = [await server.signUp({ vipLevel: 4 }), await server.signUp({ vipLevel: 4 })]
  await put(owner, [
    'all/a/1.txt',
    'all/a/b/2.txt',
    'all/a/b/c/3.txt',
    'all/x/1.txt',
    'all/x/b/2.txt',
    'all/y/4.txt',
  ])
  const all = await at(owner, 'all')
  await server.call('files/share', { id: all, account: editor.account, permission: 'edit' }, owner)
  const paths = ['a', 'a/b', 'a/b/c', 'x', 'x/b', 'y', 'a/1.txt', 'a/b/2.txt', 'x/1.txt', 'y/4.txt']
  const ids = await Promise.all(paths.map((path) => at(owner, `all/${path}`)))
  const draw = makeDraw(7)
  const one = () => [ids[draw(ids.length)] ?? '']
  const target = () => [all, ...ids.slice(0, 6)][draw(7)] ?? all
  const sameName = () => (['overwrite', 'skip', 'rename', 'ask'] as const)[draw(4)] ?? 'ask'
  const deeds = [
    (who: Session) =>
      server.call('files/move', { ids: one(), targetId: target(), sameName: sameName() }, who),
    (who: Session) =>
      server.call('files/copy', { ids: one(), targetId: target(), sameName: sameName() }, who),
    (who: Session) => server.call('files/remove', { ids: one() }, who),
    () => server.call('files/restore', { ids: one() }, owner),
    (who: Session) => server.call('files/move', { ids: one(), targetId: all, sameName: sameName() }, who),
    () => server.call('files/purge', { ids: one() }, owner),
  ]
  const answers = await Promise.all(
    Array.from({ length: TIMES }, () => {
      const who = draw(2) === 0 ? owner : editor
      // Purged things are gone for all that follow: seldom enough that there is something left to do.
      const deed = deeds[draw(20) === 0 ? 5 : draw(5)]
      return deed?.(who)
    }),
  )
  const outcomes = answers.map((answer) => (answer?.code === 10200 ? 'done' : answer?.data.error))
  expect(outcomes.filter((outcome) => outcome === 'done').length).toBeGreaterThan(TIMES / 10)
  expect(new Set(outcomes)).not.toContain('internal')
  expect(await wrongSums(server)).toEqual([])
  // A page and a zip still go through the whole of it.
  await pathsIn(server, owner)
})

it('lets one of many movers of one thing win, and gives each of many copies a name', async () => {
  const me = await server.signUp({ vipLevel: 4 })
  await put(me, ['from/1.txt', ...Array.from({ length: 5 }, (_, n) => `to${n}/x.txt`), 'copies/x.txt'])
  const [id, copies] = [await at(me, 'from/1.txt'), await at(me, 'copies')]
  const targets = await Promise.all(Array.from({ length: 5 }, (_, n) => at(me, `to${n}`)))
  await Promise.all([
    ...targets.map((targetId) => server.call('files/move', { ids: [id], targetId, sameName: 'rename' }, me)),
    ...Array.from({ length: 20 }, () =>
      server.call('files/copy', { ids: [id], targetId: copies, sameName: 'rename' }, me),
    ),
  ])
  const paths = await pathsIn(server, me)
  expect(paths.filter((path) => /^(to\d|from)\/1\.txt$/.test(path))).toHaveLength(1)
  expect(paths.filter((path) => /^copies\/1( \(\d+\))?\.txt$/.test(path))).toHaveLength(20)
  expect(await wrongSums(server)).toEqual([])
})

it('never passes the plan’s space with copies at once', async () => {
  const me = await server.signUp({ vipLevel: 1 })
  await put(me, ['a/1.txt'])
  const part = 1024 ** 3 / 16
  for (const table of ['files set size_bytes', 'user_storage set used_bytes']) {
    const whose = table.startsWith('files') ? 'owner_id' : 'user_id'
    await server.ctx.pool.query(`update ${table} = $2 where ${whose} = $1`, [me.userId, part])
  }
  const [id, targetId] = [await at(me, 'a/1.txt'), await at(me, 'a')]
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      server.call('files/copy', { ids: [id], targetId, sameName: 'rename' }, me),
    ),
  )
  expect(answers.filter(({ code }) => code === 10200)).toHaveLength(15)
  expect(answers.filter(({ data }) => data.error === 'storage_full')).toHaveLength(25)
  expect((await server.call('user/size', {}, me)).data.storageSize).toBe(1024 ** 3)
  expect(await wrongSums(server)).toEqual([])
})

it('keeps to the folders of the plan with moves and copies to the top at once', async () => {
  const me = await server.signUp({ vipLevel: 1 })
  await put(me, ['a/b/1.txt'])
  const id = await at(me, 'a/b')
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      server.call('files/copy', { ids: [id], targetId: null, sameName: 'rename' }, me),
    ),
  )
  expect(answers.filter(({ code }) => code === 10200)).toHaveLength(2)
  expect(answers.filter(({ data }) => data.error === 'plan_limit')).toHaveLength(18)
})
