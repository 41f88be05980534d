import { afterAll, beforeAll, expect, it } from 'vitest'
import { idAt, pathsIn, wrongSums } from '../../../test/cloud.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const put = (session: Session, paths: string[], parentId: string | null = null) =>
  upload(server, session, { parentId, files: paths.map((path) => ({ path, bytes: Buffer.from(path) })) })
const at = (session: Session, path: string) => idAt(server, session, path)

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
