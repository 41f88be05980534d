import { roles } from '@neuroloom/contract/accounts/roles'
import { calls, type Path } from '@neuroloom/contract/calls'
import { secondFactor as limits, loginKey } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { headersOf, makeServer, PASSWORD, type Session, type TestServer } from '../../../../test/harness.ts'
import { codeFor } from '../../../../test/outbox.ts'
import { codesOf, nextStep, secondStep, setUpFactor, ticketFor } from '../../../../test/second-factor.ts'
import { rows } from '../../../app.ts'
import { sweep } from '../jobs.ts'
import { commands } from '../members/console.ts'
import * as session from '../sign-in/session.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const makeMember = async (more: Parameters<TestServer['signUp']>[0] = {}) => {
  const who = await server.signUp(more)
  const app = await setUpFactor(server, who)
  nextStep(server)
  return { ...who, app }
}
const isSignedIn = async (who: Session) => (await server.call('user/info', {}, who)).code === 10200
const sessionsOf = async ({ userId }: Session): Promise<number> =>
  (
    await server.ctx.pool.query('select id from sessions where user_id = $1 and started_at > $2', [
      userId,
      new Date(server.ctx.now().getTime() - 1000),
    ])
  ).rows.length
const actions = async ({ userId }: Session): Promise<string[]> =>
  (
    await server.ctx.pool.query<{ action: string }>(
      'select action from audit_events where subject = $1 order by id',
      [`user:${userId}`],
    )
  ).rows.map(({ action }) => action)
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
/** As a browser that keeps the cookie by which it is known. */
async function from(device: string, path: Path, body: object, who?: Session) {
  const response = await fetch(`${server.url}/AI/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `device=${device}`, ...headersOf(who) },
    body: JSON.stringify(body),
  })
  // The envelope of every answer.
  return (await response.json()) as { code: number; data: { error?: string; params?: { ticket?: string } } }
}
const deviceOf = (headers: Headers): string =>
  /device=([^;]+)/.exec(headers.getSetCookie().join('\n'))?.[1] ?? ''

describe('setting a second factor up', () => {
  it('takes the password, then a code, and answers ten recovery codes; before the code nothing asks for it', async () => {
    const { account, ...who } = await server.signUp()
    const state = async () => (await server.call('user/secondFactorState', {}, who)).data
    expect(await state()).toEqual({ isOn: false, codesLeft: 0, asks: 'nothing' })
    expect((await server.call('user/secondFactorStart', { password: 'not mine' }, who)).data.error).toBe(
      'password_wrong',
    )
    const { data } = await server.call('user/secondFactorStart', { password: PASSWORD }, who)
    expect(decodeURIComponent(data.address)).toContain(account)
    const code = codesOf(server, data.secret)
    expect((await server.call('user/login', { account, password: PASSWORD })).code).toBe(10200)
    const again = { userId: who.userId, token: '' }
    again.token = (await server.call('user/login', { account, password: PASSWORD })).data.token
    expect((await server.call('user/secondFactorConfirm', { code: wrong(code()) }, again)).data.error).toBe(
      'second_factor_wrong',
    )
    const confirmed = await server.call('user/secondFactorConfirm', { code: code() }, again)
    expect(new Set(confirmed.data.recoveryCodes).size).toBe(limits.recoveryCodes)
    expect((await server.call('user/secondFactorState', {}, again)).data).toMatchObject({
      isOn: true,
      codesLeft: limits.recoveryCodes,
    })
    expect((await server.call('user/secondFactorStart', { password: PASSWORD }, again)).data.error).toBe(
      'second_factor_on',
    )
    expect((await server.call('user/secondFactorConfirm', { code: code(1) }, again)).data.error).toBe(
      'second_factor_on',
    )
    expect(await actions(who)).toContain('account.second_factor_on')
  })

  it('ends after a quarter of an hour, and stores neither secret nor recovery codes as text', async () => {
    const who = await server.signUp()
    const { data } = await server.call('user/secondFactorStart', { password: PASSWORD }, who)
    const code = codesOf(server, data.secret)
    server.forward(limits.setUpMs)
    expect((await server.call('user/secondFactorConfirm', { code: code() }, who)).data.error).toBe(
      'second_factor_late',
    )
    const { app } = await makeMember()
    const { rows: stored } = await server.ctx.pool.query(
      `select encode(secret_seal, 'escape') as secret, code_mac from second_factors left join recovery_codes using (user_id)`,
    )
    const text = JSON.stringify(stored)
    expect(text).not.toContain(data.secret)
    for (const one of app.recoveryCodes) expect(text).not.toContain(one.slice(0, 5))
  })
})

describe('signing in with a second factor', () => {
  it('asks for the code after the right password alone, and opens one session by it', async () => {
    const { account, app, ...who } = await makeMember()
    expect((await server.call('user/login', { account, password: 'not mine' })).data.error).toBe(
      'wrong_credentials',
    )
    const asked = await server.call('user/login', { account, password: PASSWORD })
    expect(asked.data).toMatchObject({
      error: 'second_factor_needed',
      params: { ticket: expect.any(String) },
    })
    expect(JSON.stringify(asked)).not.toContain('token')
    expect(await isSignedIn(who)).toBe(true)
    const { code, data } = await secondStep(server, String(asked.data.params?.ticket), app.code())
    expect(code).toBe(10200)
    expect(await isSignedIn({ userId: data.id, token: data.token })).toBe(true)
    expect((await actions(who)).slice(-3)).toEqual([
      'session.wrong_password',
      'session.code_asked',
      'session.open',
    ])
  })

  it('takes no code twice, nor an earlier one after a later one', async () => {
    const { account, app } = await makeMember()
    const used = app.code()
    const late = app.code(1)
    expect((await secondStep(server, await ticketFor(server, account), used)).code).toBe(10200)
    expect((await secondStep(server, await ticketFor(server, account), used)).data.error).toBe(
      'second_factor_wrong',
    )
    expect((await secondStep(server, await ticketFor(server, account), late)).code).toBe(10200)
    nextStep(server)
    expect((await secondStep(server, await ticketFor(server, account), used)).data.error).toBe(
      'second_factor_wrong',
    )
  })

  it('opens exactly one session by one code that comes ten times at once', async () => {
    const { account, app, ...who } = await makeMember()
    server.forward(2000)
    const tickets = await Promise.all(Array.from({ length: 5 }, () => ticketFor(server, account)))
    const code = app.code()
    const answers = await Promise.all(
      [...tickets, ...tickets].map((ticket) => secondStep(server, ticket, code)),
    )
    expect(answers.filter((answer) => answer.code === 10200)).toHaveLength(1)
    expect(await sessionsOf(who)).toBe(1)
  })

  it('burns a ticket by five wrong codes, by its age, by use and by a new password', async () => {
    const { account, app, ...who } = await makeMember()
    const burned = await ticketFor(server, account)
    for (let round = 0; round < limits.ticketTries; round += 1)
      expect((await secondStep(server, burned, wrong(app.code()))).data.error).toBe('second_factor_wrong')
    expect((await secondStep(server, burned, app.code())).data.error).toBe('second_factor_late')
    const old = await ticketFor(server, account)
    server.forward(limits.ticketMs)
    expect((await secondStep(server, old, app.code())).data.error).toBe('second_factor_late')
    const used = await ticketFor(server, account)
    const before = await ticketFor(server, account)
    const { data } = await secondStep(server, used, app.code())
    nextStep(server)
    expect((await secondStep(server, used, app.code())).data.error).toBe('second_factor_late')
    const now = { userId: who.userId, token: data.token }
    expect(
      (await server.call('user/password', { old: PASSWORD, password: 'another horse 2' }, now)).code,
    ).toBe(10200)
    expect((await secondStep(server, before, app.code())).data.error).toBe('second_factor_late')
    for (const nothing of ['x', 'a'.repeat(43)])
      expect((await secondStep(server, nothing, app.code())).data.error).toBe('second_factor_late')
  })

  it('ends guessing after ten codes in an hour, also of many tickets at once; the owner’s own browser goes on', async () => {
    const { account, app } = await makeMember()
    const first = await secondStep(server, await ticketFor(server, account), app.code())
    const device = deviceOf(first.headers)
    nextStep(server)
    const tickets = await Promise.all(Array.from({ length: 4 }, () => ticketFor(server, account)))
    const guesses = tickets.flatMap((ticket) =>
      Array.from({ length: 4 }, () => secondStep(server, ticket, '000000')),
    )
    const errors = (await Promise.all(guesses)).map(({ data }) => data.error)
    expect(errors.filter((error) => error === 'second_factor_wrong')).toHaveLength(limits.tries.account)
    expect(errors.filter((error) => error === 'second_factor_tries')).toHaveLength(16 - limits.tries.account)
    const late = await ticketFor(server, account)
    expect((await secondStep(server, late, app.code())).data.error).toBe('second_factor_tries')
    expect((await from(device, 'user/secondFactor', { ticket: late, code: app.code() })).code).toBe(10200)
    server.forward(limits.triesMs)
    expect((await secondStep(server, await ticketFor(server, account), app.code())).code).toBe(10200)
  })

  it('takes each recovery code once, however it is typed, and says how many are left', async () => {
    const { account, app, ...who } = await makeMember()
    const [one = '', two = ''] = app.recoveryCodes
    const typed = one.toLowerCase().replace('-', ' ')
    const both = await Promise.all([ticketFor(server, account), ticketFor(server, account)])
    const answers = await Promise.all(both.map((ticket) => secondStep(server, ticket, typed)))
    expect(answers.map(({ code }) => code).sort()).toEqual([10200, 20035])
    const { data } = await secondStep(server, await ticketFor(server, account), two)
    const now = { userId: who.userId, token: data.token }
    expect((await server.call('user/secondFactorState', {}, now)).data.codesLeft).toBe(
      limits.recoveryCodes - 2,
    )
    const { items } = (await server.call('notice/list', {}, now)).data
    const told = items.filter(({ kind }) => kind === 'recovery_code_used').map(({ params }) => params.left)
    expect(told).toEqual(['8', '9'])
  })

  it('is asked for again after 12 hours and in another browser, not before', async () => {
    const { account, app } = await makeMember()
    const first = await secondStep(server, await ticketFor(server, account), app.code())
    const device = deviceOf(first.headers)
    const again = async (which: string) =>
      (await from(which, 'user/login', { account, password: PASSWORD, proof: await drag(server) })).code
    expect(await again(device)).toBe(10200)
    expect(await again('b'.repeat(43))).toBe(20032)
    expect(await again('')).toBe(20032)
    server.forward(limits.againMs - 60_000)
    expect(await again(device)).toBe(10200)
    server.forward(60_000)
    expect(await again(device)).toBe(20032)
  })
})

describe('every other way into an account with a second factor', () => {
  it('by the link of an administrator asks for the code, and still says who made the link', async () => {
    const boss = await server.signUp({ role: roles.administrator })
    const { account, app, ...who } = await makeMember()
    const { key } = (await server.call('user/key', { account, path: '/' }, boss)).data
    const { data } = await server.call('user/login', { key })
    expect(data.error).toBe('second_factor_needed')
    expect((await server.call('user/login', { key })).data.error).toBe('key_expired')
    server.forward(loginKey.validMs)
    expect((await secondStep(server, String(data.params?.ticket), app.code())).code).toBe(10200)
    const { rows: last } = await server.ctx.pool.query(
      `select actor from audit_events where subject = $1 and action = 'session.open_by_key'`,
      [`user:${who.userId}`],
    )
    expect(last).toEqual([{ actor: boss.userId }])
  })

  it('by a link whose maker was blocked meanwhile opens nothing', async () => {
    const [boss, other] = [
      await server.signUp({ role: roles.administrator }),
      await server.signUp({ role: roles.administrator }),
    ]
    const { account, app } = await makeMember()
    const { key } = (await server.call('user/key', { account, path: '/' }, boss)).data
    const ticket = String((await server.call('user/login', { key })).data.params?.ticket)
    await server.call('members/block', { id: boss.userId, isBlocked: true }, other)
    expect((await secondStep(server, ticket, app.code())).data.error).toBe('second_factor_late')
  })

  it('by a code sent to the member sets a password, opens no session and leaves the factor', async () => {
    const account = 'forgotten@hospital.test'
    const { app } = await makeMember({ account })
    const code = await codeFor(server, account, 'forget')
    const renewed = await server.call('user/forgetpwd', { email: account, code, password: 'another horse 2' })
    expect(renewed.code).toBe(10200)
    const ticket = await ticketFor(server, account, 'another horse 2')
    expect((await secondStep(server, ticket, app.code())).code).toBe(10200)
  })

  it('by a changed password goes on in the session in hand alone', async () => {
    const { account, app, ...who } = await makeMember()
    const { data } = await server.call('user/password', { old: PASSWORD, password: 'another horse 2' }, who)
    expect(await isSignedIn({ userId: who.userId, token: data.token })).toBe(true)
    const ticket = await ticketFor(server, account, 'another horse 2')
    expect((await secondStep(server, ticket, app.code())).code).toBe(10200)
  })

  it('that forgot to ask is refused where sessions are opened', async () => {
    const { userId } = await makeMember()
    const guest = { address: '127.0.0.1', agent: '', browser: false }
    const open = server.ctx.db.transaction((tx) => session.open(server.ctx, tx, { userId, from: guest }))
    await expect(open).rejects.toMatchObject({ failure: 'not_allowed' })
  })
})

describe('ending a second factor', () => {
  it('takes password and code; afterwards the password alone signs in', async () => {
    const { account, app, ...who } = await makeMember()
    const off = (password: string, code: string) =>
      server.call('user/secondFactorOff', { password, code }, who)
    expect((await off('not mine', app.code())).data.error).toBe('password_wrong')
    expect((await off(PASSWORD, wrong(app.code()))).data.error).toBe('second_factor_wrong')
    expect((await server.call('user/secondFactorState', {}, who)).data.isOn).toBe(true)
    expect((await off(PASSWORD, app.code())).code).toBe(10200)
    expect((await off(PASSWORD, app.code())).data.error).toBe('second_factor_off')
    expect((await server.call('user/login', { account, password: PASSWORD })).code).toBe(10200)
    expect(await actions(who)).toContain('account.second_factor_off')
  })

  it('new recovery codes make the ones of before worthless', async () => {
    const { account, app, ...who } = await makeMember()
    const { data } = await server.call(
      'user/secondFactorCodes',
      { password: PASSWORD, code: app.code() },
      who,
    )
    const codes = [app.recoveryCodes[0], data.recoveryCodes[0]]
    const answers: number[] = []
    for (const code of codes)
      answers.push((await secondStep(server, await ticketFor(server, account), code ?? '')).code)
    expect(answers).toEqual([20035, 10200])
  })

  it('is done by another administrator or the operator, ends the session and is told; never of oneself', async () => {
    const { app: _, ...boss } = await makeMember({ role: roles.administrator })
    const { account, app: lost, ...who } = await makeMember()
    const off = (id: string) => server.call('members/secondFactorOff', { id }, boss)
    expect((await off(boss.userId)).data.error).toBe('not_allowed')
    const { rows: before } = await server.ctx.pool.query('select 1 from second_factors where user_id = $1', [
      who.userId,
    ])
    expect(before).toHaveLength(1)
    expect((await off(who.userId)).data).toMatchObject({ hasSecondFactor: false })
    expect(await isSignedIn(who)).toBe(false)
    expect((await off(who.userId)).data.error).toBe('second_factor_off')
    const { data } = await server.call('user/login', { account, password: PASSWORD })
    const [notice] = (await server.call('notice/list', {}, { userId: data.id, token: data.token })).data.items
    expect(notice?.kind).toBe('second_factor_taken')
    expect(lost.recoveryCodes).toHaveLength(10)
    const said = await commands['second-factor']?.run(server.ctx, ['off', boss.account])
    expect(said).toBe(`${boss.account} signs in by the password alone.`)
    expect(await isSignedIn(boss)).toBe(false)
    await expect(commands['second-factor']?.run(server.ctx, ['on', boss.account])).rejects.toThrow('off')
  })

  it('sweeps tickets that are too old', async () => {
    const { account } = await makeMember()
    await ticketFor(server, account)
    server.forward(2 * limits.ticketMs)
    await sweep(server.ctx)
    expect((await server.ctx.pool.query('select 1 from second_factor_tickets')).rows).toEqual([])
  })
})

describe('where administrators need a second factor', () => {
  let strict: TestServer
  beforeAll(async () => {
    strict = await makeServer({ adminSecondFactor: 'required', deployment: 'private' })
  })
  afterAll(() => strict.close())
  // Object.keys loses the key type that the table of calls has.
  const ofOffice = (Object.keys(calls) as Path[]).filter((path) => rows[path].access === 'administrator')
  const codesOfAll = async (who: Session) => {
    const codes = new Set<number>()
    for (const path of ofOffice) {
      const response = await fetch(`${strict.url}/AI/api/${path}`, {
        method: 'POST',
        headers: headersOf(who),
      })
      // The envelope of every answer.
      codes.add(((await response.json()) as { code: number }).code)
    }
    return [...codes]
  }

  it('every call of the back-office asks to set it up first, then for a code every 12 hours', async () => {
    const boss = await strict.signUp({ role: roles.administrator })
    expect(ofOffice.length).toBeGreaterThan(30)
    expect(await codesOfAll(boss)).toEqual([20033])
    expect((await strict.call('user/secondFactorState', {}, boss)).data.asks).toBe('setUp')
    const app = await setUpFactor(strict, boss)
    expect((await strict.call('members/list', {}, boss)).code).toBe(10200)
    for (let hour = 0; hour < limits.againMs / 3_600_000; hour += 1) {
      strict.forward(3_600_000)
      await strict.call('user/info', {}, boss)
    }
    expect(await codesOfAll(boss)).toEqual([20034])
    expect((await strict.call('user/secondFactorState', {}, boss)).data.asks).toBe('code')
    const again = (code: string) => strict.call('user/secondFactorAgain', { code }, boss)
    expect((await again(wrong(app.code()))).data.error).toBe('second_factor_wrong')
    expect((await again(app.code())).code).toBe(10200)
    expect((await strict.call('members/list', {}, boss)).code).toBe(10200)
  })

  it('members, and calls that are not of the back-office, go on without one', async () => {
    const boss = await strict.signUp({ role: roles.administrator })
    expect((await strict.call('user/info', {}, boss)).code).toBe(10200)
    const member = await strict.signUp()
    expect((await strict.call('members/list', {}, member)).data.error).toBe('not_allowed')
  })
})
