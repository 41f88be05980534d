import { passwordTries } from '@neuroloom/contract/limits'
import { desc } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { headersOf, makeServer, PASSWORD, type Session, type TestServer } from '../../../../test/harness.ts'
import { auditEvents } from '../../../infra/audit.ts'

const FRESH = 'another horse 2'
let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const change = (who: Session | null, old = PASSWORD, password = FRESH) =>
  server.call('user/password', { old, password }, who)
const codeOf = async (who: Session): Promise<number> => (await server.call('user/info', {}, who)).code
const login = async (account: string, password: string): Promise<number> =>
  (await server.call('user/login', { account, password, proof: await drag(server) })).code

test('a changed password ends the token in hand, answers a new one and is the only one that signs in', async () => {
  const { account, ...who } = await server.signUp()
  const { code, data } = await change(who)
  expect(code).toBe(10200)
  const now = { userId: who.userId, token: data.token }
  expect(await codeOf(who)).toBe(10401)
  expect(await codeOf(now)).toBe(10200)
  const [last] = await server.ctx.db.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1)
  expect(last).toMatchObject({
    actor: who.userId,
    action: 'account.new_password',
    subject: `user:${who.userId}`,
  })
  const box = (await server.call('notice/list', {}, now)).data
  expect(box.items).toMatchObject([{ kind: 'password_changed', params: { address: '127.0.0.1' } }])

  await server.call('user/closing', { closing: data.closing })
  server.forward(11_000)
  expect(await codeOf(now)).toBe(10401)
  expect(await login(account, PASSWORD)).toBe(20001)
  expect(await login(account, FRESH)).toBe(10200)
})

test('a wrong old password, a weak new one and nobody change nothing', async () => {
  const { account, ...who } = await server.signUp()
  expect((await change(who, 'not the old one')).code).toBe(20013)
  expect((await change(null)).code).toBe(10401)
  for (const [password, problem] of [
    ['short1', 'form.password_rule'],
    ['onlyletters', 'form.password_rule'],
    ['密码密码密码12', 'form.password_no'],
    ['', 'form.enter_password'],
  ] as const) {
    const { code, data } = await change(who, PASSWORD, password)
    expect({ code, fields: data.fields }).toEqual({ code: 10422, fields: { password: problem } })
  }
  expect(await codeOf(who)).toBe(10200)
  expect(await login(account, PASSWORD)).toBe(10200)
})

test('guessing the old password ends at its limit, without a word of what others tried at the sign-in', async () => {
  const { account, ...who } = await server.signUp()
  const guessed = (kind: string, times: number) =>
    server.ctx.pool.query(
      `insert into sign_in_tries (account_mac, place, kind, at)
       select $1, '127.0.0.1', $2, $3 from generate_series(1, $4)`,
      [server.ctx.links.mac('account', account), kind, server.ctx.now(), times],
    )
  await guessed('password', 1000)
  await guessed('again', passwordTries.again - 2)
  const codes = await Promise.all(Array.from({ length: 4 }, () => change(who, 'guess')))
  expect(codes.map(({ code }) => code).sort()).toEqual([20003, 20003, 20013, 20013])
  expect((await change(who)).code).toBe(20003)
  server.forward(passwordTries.windowMs)
  expect((await change(who)).code).not.toBe(20003)
})

test('of two changes at once from the same old password one counts', async () => {
  const { account, ...who } = await server.signUp()
  const replies = await Promise.all([
    change(who, PASSWORD, 'first horse 1'),
    change(who, PASSWORD, 'second horse 2'),
  ])
  const codes = replies.map(({ code }) => code).sort()
  expect(codes[0]).toBe(10200)
  expect(codes[1]).not.toBe(10200)
  const works = [await login(account, 'first horse 1'), await login(account, 'second horse 2')]
  expect(works.sort()).toEqual([10200, 20001])
})

test('a browser gets a new cookie with its new token', async () => {
  const { account } = await server.signUp()
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const response = await fetch(`${server.url}/AI/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { code: number; data: { id: string; token: string } }
    return { ...answer, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const first = await post('user/login', { account, password: PASSWORD }, {})
  const who = { userId: first.data.id, token: first.data.token }
  const headers = { ...headersOf(who), cookie: first.cookie }
  const second = await post('user/password', { old: PASSWORD, password: FRESH }, headers)
  expect(second.cookie).not.toBe(first.cookie)
  const fresh = headersOf({ ...who, token: second.data.token })
  expect((await post('user/info', {}, { ...fresh, cookie: first.cookie })).code).toBe(10401)
  expect((await post('user/info', {}, { ...fresh, cookie: second.cookie })).code).toBe(10200)
})
