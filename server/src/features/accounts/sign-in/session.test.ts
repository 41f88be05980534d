import { session as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { headersOf, makeServer, PASSWORD, type Session, type TestServer } from '../../../../test/harness.ts'
import { auditEvents } from '../../../infra/audit.ts'
import { sweep } from '../jobs.ts'
import { sessions } from '../tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const MINUTE = 60_000
const codeOf = async (who: Session | null): Promise<number> => (await server.call('user/info', {}, who)).code

async function login(account: string): Promise<Session> {
  const proof = await drag(server)
  const { data } = await server.call('user/login', { account, password: PASSWORD, proof })
  return { userId: data.id, token: data.token }
}

describe('a token', () => {
  test('of nobody, cut, changed or in another case is not signed in, never replaced', async () => {
    const { token, userId } = await server.signUp()
    const wrong = ['', 'x'.repeat(20), token.slice(1), `${token}x`, swapCase(token), 'y'.repeat(5000)]
    for (const one of wrong) expect(await codeOf({ userId, token: one }), one.slice(0, 30)).toBe(10401)
    expect(await codeOf(null)).toBe(10401)
  })

  test('with the id of somebody else is refused and written down, in header and body', async () => {
    const [me, other] = [await server.signUp(), await server.signUp()]
    expect(await codeOf({ ...me, userId: other.userId })).toBe(10403)
    expect((await server.call('user/edit', { userId: other.userId, nickName: 'Mallory' }, me)).code).toBe(
      10403,
    )
    const [last] = await server.ctx.db.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1)
    expect(last).toMatchObject({
      actor: me.userId,
      action: 'session.other_user',
      subject: `user:${other.userId}`,
    })
    expect((await server.call('user/info', {}, other)).data.nickName).toBe('Test member')
  })

  test('is stored only as a digest', async () => {
    const { token } = await server.signUp()
    const { rows } = await server.ctx.pool.query('select row_to_json(sessions)::text as text from sessions')
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('a second sign-in', () => {
  test('ends the first session, which answers 10500 for a day', async () => {
    const first = await server.signUp()
    const second = await login(first.account)
    expect(await codeOf(first)).toBe(10500)
    expect(await codeOf(second)).toBe(10200)
    server.forward(limits.tombstoneMs)
    expect(await codeOf(first)).toBe(10401)
  })

  test('twenty at once leave exactly one valid token', async () => {
    const { account, userId } = await server.signUp()
    const signedIn = await Promise.all(Array.from({ length: 20 }, () => login(account)))
    const codes = await Promise.all(signedIn.map(codeOf))
    expect(codes.filter((code) => code === 10200)).toHaveLength(1)
    expect(codes.filter((code) => code === 10500)).toHaveLength(19)
    const active = and(eq(sessions.userId, userId), isNull(sessions.endedAt))
    expect(await server.ctx.db.$count(sessions, active)).toBe(1)
  })
})

describe('a session ends', () => {
  test('when its owner signs out', async () => {
    const who = await server.signUp()
    expect((await server.call('user/logout', { userId: who.userId }, who)).code).toBe(10200)
    expect(await codeOf(who)).toBe(10401)
  })

  test('after two idle hours, which calls push forward and tickets do not', async () => {
    const who = await server.signUp()
    server.forward(limits.idleMs - MINUTE)
    expect(await codeOf(who)).toBe(10200)
    server.forward(limits.idleMs - MINUTE)
    expect((await server.call('user/ticket', {}, who)).code).toBe(10200)
    server.forward(2 * MINUTE)
    expect(await codeOf(who)).toBe(10401)
  })

  test('a day after the sign-in, however busy', async () => {
    const who = await server.signUp()
    for (let hours = 0; hours < 23; hours += 1) {
      server.forward(60 * MINUTE)
      expect(await codeOf(who)).toBe(10200)
    }
    server.forward(61 * MINUTE)
    expect(await codeOf(who)).toBe(10401)
  })

  test('and one that ran out does not claim to have been replaced', async () => {
    const first = await server.signUp()
    server.forward(limits.idleMs + MINUTE)
    await login(first.account)
    expect(await codeOf(first)).toBe(10401)
  })
})

describe('a browser', () => {
  const browserLogin = async (account: string): Promise<{ who: Session; cookie: string; header: string }> => {
    const response = await fetch(`${server.url}/AI/api/user/login`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ account, password: PASSWORD, proof: await drag(server) }),
    })
    const { data } = (await response.json()) as { data: { id: string; token: string } }
    const header = response.headers.get('set-cookie') ?? ''
    return { who: { userId: data.id, token: data.token }, cookie: header.split(';')[0] ?? '', header }
  }
  const withCookie = async (who: Session, cookie: string): Promise<number> => {
    const headers = { ...headersOf(who), cookie }
    const response = await fetch(`${server.url}/AI/api/user/info`, { method: 'POST', headers })
    const { code } = (await response.json()) as { code: number }
    return code
  }

  test('gets a cookie as well, and its token is useless without it', async () => {
    const { account } = await server.signUp()
    const { who, cookie, header } = await browserLogin(account)
    expect(header).toMatch(/^session=.*HttpOnly.*SameSite=Strict/)
    expect(await withCookie(who, cookie)).toBe(10200)
    expect(await codeOf(who)).toBe(10401)
    expect(await withCookie(who, `${cookie}x`)).toBe(10401)
  })

  test('is never let in by the cookie alone', async () => {
    const { account } = await server.signUp()
    const { who, cookie } = await browserLogin(account)
    expect(await withCookie({ ...who, token: '' }, cookie)).toBe(10401)
  })

  test('gets a cookie bound to the host where the product is reached by https', async () => {
    const secure = await makeServer({ publicUrl: 'https://neuroloom.example' })
    const { account } = await secure.signUp()
    const response = await fetch(`${secure.url}/AI/api/user/login`, {
      method: 'POST',
      headers: { origin: 'https://neuroloom.example' },
      body: new URLSearchParams({ account, password: PASSWORD }),
    })
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-session=[^;]+; Path=\/; HttpOnly; Secure;/)
    await secure.close()
  })
})

test('the hourly sweep forgets what has no effect any more and spares live sessions', async () => {
  const who = await server.signUp()
  await server.call('user/ticket', {}, who)
  await server.call('user/login', {
    account: 'nobody@example.test',
    password: 'x',
    proof: await drag(server),
  })
  await sweep(server.ctx)
  expect(await codeOf(who)).toBe(10200)
  server.forward(100 * 24 * 60 * MINUTE)
  await sweep(server.ctx)
  await sweep(server.ctx)
  for (const table of ['live_tickets', 'used_challenges', 'sign_in_tries']) {
    const { rows } = await server.ctx.pool.query(`select count(*)::int as left from ${table}`)
    expect(rows, table).toEqual([{ left: 0 }])
  }
})

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
