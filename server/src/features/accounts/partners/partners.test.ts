import { roles } from '@neuroloom/contract/accounts/roles'
import { partners as limits, loginKey } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { auditEvents } from '../../../infra/audit.ts'
import { partners, users } from '../tables.ts'

const SUCCESS = 10200
type Member = Session & { account: string }
type Partner = { id: string; secret: string }

let server: TestServer
let boss: Session
let who: Member
let partner: Partner
beforeAll(async () => {
  server = await makeServer()
  boss = await server.signUp({ role: roles.administrator })
})
beforeEach(async () => {
  await server.ctx.db.delete(partners)
  who = await server.signUp()
  partner = await make('City Hospital')
})
afterAll(() => server.close())

async function make(name: string): Promise<Partner> {
  const { code, message, data } = await server.call('partners/create', { name }, boss)
  expect(code, message).toBe(SUCCESS)
  return { id: data.partner.id, secret: data.secret }
}
const add = (account: string, to = partner) => server.call('partners/addMember', { id: to.id, account }, boss)
const ask = (account: string, { id, secret } = partner, path = '/projectHome') =>
  server.call('partner/key', { partner: id, secret, account, path }, null)
const errorOf = async (reply: ReturnType<TestServer['call']>) => (await reply).data.error
const listed = async () => (await server.call('partners/list', {}, boss)).data.partners
const eventsOf = async (subject: string) =>
  (
    await server.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.subject, subject))
      .orderBy(auditEvents.id)
  ).map(({ actor, action }) => [actor, action])

describe('a partner', () => {
  it('signs its member in by a link that is good once, and within a minute', async () => {
    expect((await add(who.account)).code).toBe(SUCCESS)
    const { data } = await ask(who.account)
    expect(data.url).toBe(`/projectHome?key=${data.key}`)
    expect((await server.call('user/login', { key: data.key })).data.id).toBe(who.userId)
    expect(await errorOf(server.call('user/login', { key: data.key }))).toBe('key_expired')
    const { data: late } = await ask(who.account)
    server.forward(loginKey.validMs)
    expect(await errorOf(server.call('user/login', { key: late.key }))).toBe('key_expired')
    expect(await listed()).toMatchObject([{ name: 'City Hospital', members: 1 }])
    expect((await listed())[0]?.usedAt).not.toBeNull()
    expect(await eventsOf(`user:${who.userId}`)).toEqual([
      [boss.userId, 'member.partner'],
      [null, 'key.ask'],
      [null, 'session.open_by_key'],
      [null, 'key.ask'],
    ])
  })

  it('reaches nobody but its own members, and never an administrator', async () => {
    const [stranger, other] = [await server.signUp(), await make('Other Hospital')]
    const chief = await server.signUp({ role: roles.administrator })
    await add(stranger.account, other)
    expect(await errorOf(add(chief.account))).toBe('not_allowed')
    expect(await errorOf(add(stranger.account))).toBe('partner_elsewhere')
    expect(await errorOf(add('nobody@example.test'))).toBe('account_missing')
    for (const account of [who.account, stranger.account, chief.account, 'nobody@example.test'])
      expect(await errorOf(ask(account)), account).toBe('account_missing')
    await add(who.account)
    await server.ctx.db.update(users).set({ role: roles.administrator }).where(eq(users.id, who.userId))
    expect(await errorOf(ask(who.account))).toBe('not_allowed')
  })

  it('shows its own secret, which is stored only as a digest', async () => {
    await add(who.account)
    const other = await make('Other Hospital')
    for (const wrong of [
      { id: partner.id, secret: other.secret },
      { id: other.id, secret: partner.secret },
      { id: partner.id, secret: 'nlp_' },
    ])
      expect(await errorOf(ask(who.account, wrong))).toBe('partner_refused')
    const { rows } = await server.ctx.pool.query('select * from partners')
    expect(JSON.stringify(rows)).not.toContain(partner.secret)
  })

  it('gets as many links a minute as it may, also when it asks for all of them at once', async () => {
    await add(who.account)
    const replies = await Promise.all(
      Array.from({ length: limits.keysPerMinute + 10 }, () => ask(who.account)),
    )
    expect(replies.filter(({ code }) => code === SUCCESS)).toHaveLength(limits.keysPerMinute)
    expect(replies.filter(({ data }) => data.error === 'rate_limited')).toHaveLength(10)
    server.forward(loginKey.validMs)
    expect((await ask(who.account)).code).toBe(SUCCESS)
  })

  it('loses its links with its secret, with a member, and when it is revoked', async () => {
    await add(who.account)
    const use = async (key: string) => errorOf(server.call('user/login', { key }))
    const first = (await ask(who.account)).data.key
    const { data: renewed } = await server.call('partners/secret', { id: partner.id }, boss)
    expect(await use(first)).toBe('key_expired')
    expect(await errorOf(ask(who.account))).toBe('partner_refused')
    partner = { id: partner.id, secret: renewed.secret }
    const second = (await ask(who.account)).data.key
    const out = { id: partner.id, memberId: who.userId }
    expect((await server.call('partners/removeMember', out, boss)).code).toBe(SUCCESS)
    expect(await errorOf(server.call('partners/removeMember', out, boss))).toBe('member_missing')
    expect(await use(second)).toBe('key_expired')
    expect(await errorOf(ask(who.account))).toBe('account_missing')
    await add(who.account)
    const third = (await ask(who.account)).data.key
    expect((await server.call('partners/revoke', { id: partner.id }, boss)).code).toBe(SUCCESS)
    expect(await use(third)).toBe('key_expired')
    expect(await errorOf(ask(who.account))).toBe('partner_refused')
    expect(await listed()).toEqual([])
    expect((await server.call('user/info', {}, who)).code).toBe(SUCCESS)
    expect(await eventsOf(`partner:${partner.id}`)).toEqual([
      [boss.userId, 'partner.make'],
      [boss.userId, 'partner.secret'],
      [boss.userId, 'partner.revoke'],
    ])
  })

  it('leads below this server alone', async () => {
    await add(who.account)
    for (const path of ['//evil.example', '/\\evil.example', 'https://evil.example', 'projectHome'])
      expect((await ask(who.account, partner, path)).code, path).toBe(10422)
  })
})

describe('members of a partner', () => {
  it('are told, find it in their history and their archive, and are listed with their accounts', async () => {
    await add(who.account)
    const { items } = (await server.call('notice/list', {}, who)).data
    expect(items).toMatchObject([{ kind: 'partner_joined', params: { partner: 'City Hospital' } }])
    await ask(who.account)
    const { data } = await server.call('user/history', {}, who)
    expect(data.items.map(({ deed }) => deed)).toEqual(['link_asked', 'partner_changed'])
    const { data: page } = await server.call('partners/members', { id: partner.id }, boss)
    expect(page).toMatchObject({ members: [{ id: who.userId, account: who.account }], total: 1 })
  })

  it('and partners are the administrators’ alone', async () => {
    expect((await server.call('partners/list', {}, who)).code).toBe(10403)
    expect((await server.call('partners/create', { name: 'Mine' }, who)).code).toBe(10403)
    expect(
      (await server.call('partners/addMember', { id: partner.id, account: who.account }, who)).code,
    ).toBe(10403)
    expect((await server.call('partners/revoke', { id: partner.id }, null)).code).toBe(10401)
  })

  it('are no more than so many partners', async () => {
    const rows = Array.from({ length: limits.most - 1 }, (_, index) => ({
      ...{ id: `p${index}`, name: 'One', secretHash: Buffer.from(`p${index}`), madeAt: server.ctx.now() },
    }))
    await server.ctx.db.insert(partners).values(rows)
    expect(await errorOf(server.call('partners/create', { name: 'One more' }, boss))).toBe('partner_many')
  })
})
