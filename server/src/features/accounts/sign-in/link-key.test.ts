import { loginKey as limits } from '@neuroloom/contract/limits'
import { desc } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { admin } from '../../../../test/program.ts'
import { auditEvents } from '../../../infra/audit.ts'
import { sweep } from '../jobs.ts'

let server: TestServer
let administrator: Session & { account: string }
beforeAll(async () => {
  server = await makeServer()
  administrator = await server.signUp({ role: 2 })
})
afterAll(() => server.close())

const make = (account: string, path = '/projectHome', who: Session | null = administrator) =>
  server.call('user/key', { account, path }, who)
const use = (key: string) => server.call('user/login', { key })
const lastAudit = async () =>
  (await server.ctx.db.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1))[0]

describe('a key', () => {
  test('signs its member in, once, and says who made it', async () => {
    const member = await server.signUp({ nickName: 'Ada' })
    const { data, code } = await make(member.account)
    expect(code).toBe(10200)
    expect(data.url).toBe(`/projectHome?key=${data.key}`)
    expect(data.expiresAt - server.ctx.now().getTime()).toBeLessThanOrEqual(limits.validMs)
    const subject = `user:${member.userId}`
    expect(await lastAudit()).toMatchObject({ actor: administrator.userId, action: 'key.make', subject })

    const signedIn = await use(data.key)
    expect(signedIn.data).toMatchObject({ id: member.userId, nickName: 'Ada' })
    expect(await lastAudit()).toMatchObject({
      actor: administrator.userId,
      action: 'session.open_by_key',
      subject,
    })
    const who = { userId: member.userId, token: signedIn.data.token }
    expect((await server.call('user/info', {}, who)).code).toBe(10200)
    expect((await use(data.key)).code).toBe(20012)
    expect((await server.call('user/info', {}, who)).code).toBe(10200)
  })

  test('that is used by ten at once signs one of them in', async () => {
    const { account } = await server.signUp()
    const { key } = (await make(account)).data
    const replies = await Promise.all(Array.from({ length: 10 }, () => use(key)))
    expect(replies.map(({ code }) => code).sort()).toEqual([10200, ...Array(9).fill(20012)])
  })

  test('is too old after a minute', async () => {
    const { account } = await server.signUp()
    const [early, late] = [(await make(account)).data, (await make(account)).data]
    server.forward(limits.validMs - 2000)
    expect((await use(early.key)).code).toBe(10200)
    server.forward(2000)
    expect((await use(late.key)).code).toBe(20012)
  })

  test('is no user id, no empty text and nothing made up', async () => {
    const { userId } = await server.signUp()
    for (const key of [userId, '', 'x', 'a'.repeat(43)]) expect((await use(key)).code, key).toBe(20012)
    expect((await use('a'.repeat(201))).code).toBe(10422)
  })

  test('is stored only as a digest, and swept', async () => {
    const { account } = await server.signUp()
    const { key } = (await make(account)).data
    const stored = async () => (await server.ctx.pool.query('select hash::text from login_keys')).rows
    expect(JSON.stringify(await stored())).not.toContain(Buffer.from(key).toString('hex'))
    server.forward(3 * limits.validMs)
    await sweep(server.ctx)
    expect(await stored()).toEqual([])
  })
})

describe('a link', () => {
  test('keeps what its path says besides, and stands on the public address', async () => {
    const open = await makeServer({ publicUrl: 'https://neuroloom.example' })
    const who = await open.signUp({ role: 2 })
    const { account } = await open.signUp()
    const { data } = await open.call('user/key', { account, path: '/cloudHome?nbr=7#top' }, who)
    expect(data.url).toBe(`https://neuroloom.example/cloudHome?nbr=7&key=${data.key}#top`)
    await open.close()
  })

  test.each(['//evil.example', '/\\evil.example', '/\t/evil.example', 'https://evil.example', 'projectHome'])(
    'to %j is refused',
    async (path) => {
      const { account } = await server.signUp()
      const { code, data } = await make(account, path)
      expect(code).toBe(10422)
      expect(data.fields).toHaveProperty('path')
    },
  )

  test('is made by administrators alone, for accounts that exist and are no administrator', async () => {
    const { account, ...member } = await server.signUp()
    const colleague = await server.signUp({ role: 2 })
    expect((await make(account, '/', null)).code).toBe(10401)
    expect((await make(account, '/', member)).code).toBe(10403)
    expect((await make('nobody@example.test')).code).toBe(20014)
    expect((await make(colleague.account)).code).toBe(10403)
    expect((await make(administrator.account)).code).toBe(10403)
  })

  test('is printed at the console for the operator', async () => {
    // The console has the real clock.
    const fresh = await makeServer()
    const { account, userId } = await fresh.signUp()
    const said = await admin(fresh, 'key', account, '/projectHome')
    const [link = '', note] = said.stdout.split('\n')
    expect(note).toBe('Good once, for 60 seconds.')
    const url = new URL(link)
    expect(`${url.origin}${url.pathname}`).toBe('http://localhost:8080/projectHome')
    const key = url.searchParams.get('key') ?? ''
    expect((await fresh.call('user/login', { key })).data.id).toBe(userId)
    await expect(admin(fresh, 'key', 'nobody@example.test', '/')).rejects.toMatchObject({
      code: 1,
      stderr: 'There is no account with this phone number or e-mail address.\n',
    })
    await fresh.close()
  })
})
