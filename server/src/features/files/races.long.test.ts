/** A hundred deeds at once leave sums that are right. */
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
