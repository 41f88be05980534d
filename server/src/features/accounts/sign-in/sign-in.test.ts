import { challenge as challengeLimits, passwordTries } from '@neuroloom/contract/limits'
import { desc } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { makeServer, PASSWORD, type TestServer } from '../../../../test/harness.ts'
import { auditEvents } from '../../../infra/audit.ts'
import { createUser } from '../account.ts'
import { hash } from './password.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const login = (account: string, password = PASSWORD) =>
  server.call('user/login', { account, password, ocibe: 1 })

describe('signing in', () => {
  test('takes e-mail and password and answers the profile with a token', async () => {
    const { account, userId } = await server.signUp({ nickName: 'Ada' })
    const { code, data } = await login(account.toUpperCase())
    expect(code).toBe(10200)
    expect(data).toMatchObject({ id: userId, nickName: 'Ada', email: account })
    expect(data.token).toMatch(/^[\x21-\x7e]{20}$/)
    const who = { userId, token: data.token }
    expect((await server.call('user/info', { userId }, who)).code).toBe(10200)
  })

  test('puts the profile at the top level too, where the specified client reads it', async () => {
    const { account, userId } = await server.signUp()
    const response = await fetch(`${server.url}/AI/api/user/login`, {
      method: 'POST',
      body: new URLSearchParams({ account, password: PASSWORD, ocibe: '1' }),
    })
    expect(await response.json()).toMatchObject({ code: 10200, id: userId, token: expect.any(String) })
  })

  test('knows a phone number however it is written', async () => {
    await server.signUp({ account: '+86 13800138000' })
    for (const written of ['+8613800138000', '8613800138000', '0086 138-0013-8000']) {
      expect((await login(written)).code, written).toBe(10200)
    }
  })

  test('answers an unknown account and a wrong password alike, and writes the second down', async () => {
    const { account, userId } = await server.signUp()
    const wrong = await login(account, 'not the password')
    const unknown = await login('nobody@example.test', 'not the password')
    expect(wrong.code).toBe(20001)
    expect({ ...unknown, headers: null }).toEqual({ ...wrong, headers: null })
    const last = await server.ctx.db.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(2)
    expect(last[1]).toMatchObject({
      actor: null,
      action: 'session.wrong_password',
      subject: `user:${userId}`,
    })
  })

  test.each(['known', 'unknown'])(
    'looks at a password of an %s account, and so takes as long',
    async (which) => {
      const account = which === 'known' ? (await server.signUp()).account : 'nobody@example.test'
      const proof = await drag(server)
      let looked = 0
      const before = Array.from({ length: 40 }, async () => {
        await hash('another password')
        looked += 1
      })
      const { code } = await server.call('user/login', { account, password: 'wrong', proof })
      // It stood in line behind all of these; the last one may be looked at beside it.
      expect({ code, isBehind: looked >= before.length - 1 }).toEqual({ code: 20001, isBehind: true })
      await Promise.all(before)
    },
  )

  test('takes five sign-ins without the slider in a quarter of an hour, then asks for it', async () => {
    const { account } = await server.signUp()
    const codes: number[] = []
    for (let round = 0; round <= challengeLimits.unprovenTries; round += 1)
      codes.push((await login(account)).code)
    expect(codes).toEqual([10200, 10200, 10200, 10200, 10200, 20002])
    server.forward(challengeLimits.unprovenWindowMs)
    expect((await login(account)).code).toBe(10200)
  })

  test('refuses a second account for the same e-mail in another spelling', async () => {
    const { account } = await server.signUp()
    const twin = { account: account.toUpperCase(), password: PASSWORD, nickName: 'Twin' }
    await expect(createUser(server.ctx.db, twin)).rejects.toThrow()
  })
})

describe('guessing passwords', () => {
  /** As if somebody had guessed before. */
  const guessedBefore = (account: string, place: string, times: number) =>
    server.ctx.pool.query(
      `insert into sign_in_tries (account_mac, place, kind, at)
       select $1, $2, 'password', $3 from generate_series(1, $4)`,
      [server.ctx.links.mac('account', account), place, server.ctx.now(), times],
    )
  const proven = async (account: string, password: string, proof: string) =>
    (await server.call('user/login', { account, password, proof })).code
  const sizeFor = async (account: string): Promise<number> =>
    (await server.call('user/challenge', { purpose: 'login', account })).data.maxNumber

  test('from one address without the slider ends soon, whatever accounts are tried', async () => {
    const fresh = await makeServer()
    const names = Array.from(
      { length: challengeLimits.unprovenPerPlace + 10 },
      (_, index) => `a${index}@b.test`,
    )
    const codes = await Promise.all(
      names.map(async (account) => (await fresh.call('user/login', { account, password: 'guess' })).code),
    )
    expect(codes.filter((code) => code === 20001)).toHaveLength(challengeLimits.unprovenPerPlace)
    expect(codes.filter((code) => code === 20002)).toHaveLength(10)
    await fresh.close()
  })

  test('makes the puzzles harder for that account there, and for no other', async () => {
    const [{ account }, other] = [await server.signUp(), await server.signUp()]
    expect(await sizeFor(account)).toBe(challengeLimits.maxNumber)
    await guessedBefore(account, '127.0.0.1', passwordTries.free.here)
    expect(await sizeFor(account)).toBe(2 * challengeLimits.maxNumber)
    await guessedBefore(account, '127.0.0.1', passwordTries.free.here)
    expect(await sizeFor(account)).toBe(4 * challengeLimits.maxNumber)
    expect(await sizeFor(other.account)).toBe(challengeLimits.maxNumber)
    expect((await login(other.account)).code).toBe(10200)
  })

  test.each([
    ['an account', 'account'],
    ['an account that does not exist', 'ghost'],
  ])('(at %s) asks for the harder puzzle, and takes no right password without', async (_, which) => {
    const account = which === 'ghost' ? 'ghost@example.test' : (await server.signUp()).account
    const easy = await drag(server, 'login', 'somebody@else.test')
    await guessedBefore(account, '203.0.113.9', passwordTries.free.account)
    expect((await login(account)).code).toBe(20002)
    expect(await proven(account, PASSWORD, easy)).toBe(20030)
    expect(await sizeFor(account)).toBe(2 * challengeLimits.maxNumber)
  })

  test('never keeps a right password with a fresh proof out, not even where all the guessing was done', async () => {
    const { account } = await server.signUp()
    await guessedBefore(account, '127.0.0.1', 400)
    await guessedBefore('others@example.test', '127.0.0.1', 400)
    expect(await proven(account, 'guess', await drag(server, 'login', account))).toBe(20001)
    server.forward(passwordTries.windowMs)
    await guessedBefore(account, '127.0.0.1', 20)
    const another = (await server.signUp()).account
    await guessedBefore(another, '127.0.0.1', 20)
    expect(await proven(another, PASSWORD, await drag(server, 'login', another))).toBe(10200)
  })

  test('is nothing to a browser that the account is known by, until it guesses itself', async () => {
    const { account, userId } = await server.signUp()
    const post = async (path: string, body: object, device?: string) => {
      const headers = {
        'content-type': 'application/json',
        ...(device ? { cookie: `device=${device}` } : {}),
      }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(`${server.url}/AI/api/${path}`, init)
      const { code, data } = (await response.json()) as { code: number; data: { maxNumber: number } }
      const cookie = response.headers.getSetCookie().find((one) => one.startsWith('device=')) ?? ''
      return { code, data, cookie, device: /^device=([^;]*)/.exec(cookie)?.[1] ?? '' }
    }
    const first = await post('user/login', { account, password: PASSWORD })
    expect(first.cookie).toMatch(/; Max-Age=15552000; Path=\/AI\/api\/user; HttpOnly; SameSite=Strict/)
    await guessedBefore(account, '127.0.0.1', 400)
    await guessedBefore('others@example.test', '127.0.0.1', 4000)

    const known = await post('user/login', { account, password: PASSWORD }, first.device)
    expect(known).toMatchObject({ code: 10200, device: first.device })
    const puzzle = { purpose: 'login', account }
    expect((await post('user/challenge', puzzle, first.device)).data.maxNumber).toBe(
      challengeLimits.maxNumber,
    )
    const other = { purpose: 'login', account: (await server.signUp()).account }
    expect((await post('user/challenge', other, first.device)).data.maxNumber).toBeGreaterThan(2 ** 17)
    expect((await post('user/login', { account, password: PASSWORD }, 'x'.repeat(43))).code).toBe(20002)

    await server.ctx.pool.query(
      `insert into sign_in_tries (account_mac, place, kind, at)
       select $1, 'device ' || translate(encode(hash, 'base64'), '+/=', '-_'), 'device', $2
       from known_devices, generate_series(1, $3) where user_id = $4`,
      [server.ctx.links.mac('account', account), server.ctx.now(), passwordTries.free.here, userId],
    )
    expect((await post('user/login', { account, password: PASSWORD }, first.device)).code).toBe(20002)
  })

  test('makes no device of an account known by another one’s secret, and a new password forgets them', async () => {
    const { account, userId } = await server.signUp()
    server.forward(passwordTries.windowMs)
    expect((await login(account)).code).toBe(10200)
    const known = async () =>
      (await server.ctx.pool.query('select 1 from known_devices where user_id = $1', [userId])).rowCount
    expect(await known()).toBe(1)
    const { data } = await login(account)
    expect(await known()).toBe(2)
    const who = { userId, token: data.token }
    expect(
      (await server.call('user/password', { old: PASSWORD, password: 'another horse 2' }, who)).code,
    ).toBe(10200)
    expect(await known()).toBe(0)
  })
})
