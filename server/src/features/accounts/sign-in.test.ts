import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServer, PASSWORD, type TestServer } from '../../../test/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

test('signs in with e-mail and password and answers the profile with a token', async () => {
  const { account, userId } = await server.signUp({ nickName: 'Ada' })
  const reply = await server.call('user/login', {
    account: account.toUpperCase(),
    password: PASSWORD,
    ocibe: 1,
  })
  expect(reply).toMatchObject({ code: 10200, data: { id: userId, nickName: 'Ada' } })
  expect(reply.data.token).toHaveLength(20)
})
