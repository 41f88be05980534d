import { afterAll, beforeAll, expect, test } from 'vitest'
import { drag } from '../../../test/drag.ts'
import { makeServer, PASSWORD, type TestServer } from '../../../test/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

test('an account tells its owner what happened to it, newest first, and nobody else', async () => {
  const { account, ...owner } = await server.signUp()
  const other = await server.signUp()
  await server.call('user/edit', { nickName: 'Ward seven' }, owner)
  await server.call('user/edit', { showIntroduce: '2' }, owner)
  await server.call('user/login', { account, password: 'not the one', proof: await drag(server) })
  const { data } = await server.call('user/password', { old: PASSWORD, password: 'another horse 2' }, owner)
  const now = { userId: owner.userId, token: data.token }
  const deedsOf = async (who: typeof now) =>
    (await server.call('user/history', {}, who)).data.items.map(({ deed }: { deed: string }) => deed)
  expect(await deedsOf(now)).toEqual(['new_password', 'wrong_password', 'edit'])
  expect(await deedsOf(other)).toEqual([])
  expect((await server.call('user/history', {}, now)).data.items[0]).toMatchObject({ address: '127.0.0.1' })
  expect((await server.call('user/history', {})).code).toBe(10401)
})
