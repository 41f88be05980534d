import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../test/harness.ts'

let server: TestServer
let chief: Session
beforeAll(async () => {
  server = await makeServer()
  chief = await server.signUp({ role: 2 })
})
afterAll(() => server.close())

const ask = (at: TestServer, headers: Record<string, string> = { 'x-forwarded-for': '203.0.113.9' }) =>
  fetch(`${at.url}/AI/api/setting/public`, { method: 'POST', headers })
const told = async (at: TestServer, who: Session) =>
  (await at.call('notice/list', {}, who)).data.items.filter(({ kind }) => kind === 'proxy_untrusted')

test('administrators learn once of a proxy that is not set up, members do not, and its word is not taken', async () => {
  const member = await server.signUp()
  for (let times = 0; times < 3; times += 1) await ask(server)
  await expect.poll(() => told(server, chief)).toMatchObject([{ params: { address: '127.0.0.1' } }])
  expect(await told(server, member)).toEqual([])
})

test.each([
  ['the standard', { forwarded: 'for=203.0.113.9' }],
  ['one address alone', { 'x-real-ip': '203.0.113.9' }],
])('one that names its visitors by %s is noticed, too', async (_, headers) => {
  const fresh = await makeServer()
  const who = await fresh.signUp({ role: 2 })
  await ask(fresh, headers)
  await expect.poll(() => told(fresh, who)).toHaveLength(1)
  await fresh.close()
})

test('of one that is set up there is nothing to say', async () => {
  const behind = await makeServer({ trustProxy: ['127.0.0.1'] })
  const who = await behind.signUp({ role: 2 })
  await ask(behind)
  expect(await told(behind, who)).toEqual([])
  await behind.close()
})
