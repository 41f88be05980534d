import { challenge as challengeLimits, passwordTries } from '@neuroloom/contract/limits'
import { desc } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drag } from '../../../test/drag.ts'
import { makeServer, PASSWORD, type TestServer } from '../../../test/harness.ts'
import { auditEvents } from '../../infra/audit.ts'
import { createUser } from './account.ts'

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

  test('takes about as long for an unknown account as for a wrong password', async () => {
    const { account } = await server.signUp()
    const timeOf = async (name: string): Promise<number> => {
      const times: number[] = []
      for (let round = 0; round < 5; round += 1) {
        const proof = await drag(server)
        const start = performance.now()
        await server.call('user/login', { account: name, password: 'wrong', proof })
        times.push(performance.now() - start)
      }
      return times.sort((a, b) => a - b)[2] ?? 0
    }
    const [known, unknown] = [await timeOf(account), await timeOf('nobody@example.test')]
    // Without the dummy hash an unknown account answers about ten times faster.
    expect(unknown).toBeGreaterThan(known / 3)
  })

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
  const guess = async (account: string, times: number): Promise<number[]> => {
    const guesses = Array.from({ length: times }, async () => {
      const reply = await server.call('user/login', { account, password: 'guess', proof: await drag(server) })
      return reply.code
    })
    return Promise.all(guesses)
  }

  /** As if somebody had guessed before. */
  const guessedBefore = (account: string, from: string, times: number) =>
    server.ctx.pool.query(
      `insert into sign_in_tries (account_mac, address, kind, at)
       select $1, $2, 'password', $3 from generate_series(1, $4)`,
      [server.ctx.links.mac('account', account), from, server.ctx.now(), times],
    )

  test('ends at the limit, even in parallel, for real accounts and others alike', async () => {
    const owner = 'owner@example.test'
    // An account that never signed in from here.
    await createUser(server.ctx.db, { account: owner, password: PASSWORD, nickName: 'Owner' })
    for (const account of [owner, 'ghost@example.test']) {
      await guessedBefore(account, '203.0.113.9', passwordTries.perAccount - 3)
      const codes = await guess(account, 6)
      expect(codes.sort()).toEqual([20001, 20001, 20001, 20003, 20003, 20003])
    }
    expect((await login(owner)).code).toBe(20003)
  })

  test('never locks the owner out at an address from which the owner signed in before', async () => {
    const { account } = await server.signUp()
    await guessedBefore(account, '203.0.113.9', passwordTries.perAccount)
    expect((await login(account)).code).toBe(10200)
  })

  test('ends at the limit of an address that tries many accounts', async () => {
    await server.ctx.pool.query(
      `insert into sign_in_tries (account_mac, address, kind, at)
       select 'account ' || n, '127.0.0.1', 'password', $1 from generate_series(1, $2) n`,
      [server.ctx.now(), passwordTries.perAddress],
    )
    const { account } = await server.signUp()
    expect((await login(account)).code).toBe(20003)
    server.forward(passwordTries.windowMs)
    expect((await login(account)).code).toBe(10200)
  })
})
