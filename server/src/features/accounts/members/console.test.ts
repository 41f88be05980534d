import { roles } from '@neuroloom/contract/accounts/roles'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { makeServer, type TestServer } from '../../../../test/harness.ts'
import { admin, refusalOf } from '../../../../test/program.ts'
import { Misuse } from '../../../infra/command.ts'
import { commands } from './console.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer({ deployment: 'private' })
})
afterAll(() => server.close())

/** What the program does with its words, without a program of its own for each: that takes seconds. */
const said = async (name: string, ...words: string[]): Promise<string | undefined> =>
  commands[name]?.run(server.ctx, words)
const login = async (account: string, password: string) =>
  server.call('user/login', { account, password, proof: await drag(server) })
const drawn = (answer = ''): string => /: (\w{20})\s*$/.exec(answer)?.[1] ?? ''

describe('at the console', () => {
  it('an operator makes an account, gives it a password, a role, a level, and closes and opens it', async () => {
    const account = 'doctor@hospital.example'
    const made = await said('create', account, 'Dr Li')
    expect(made).toMatch(
      /^doctor@hospital\.example was made\. Password, to be changed at the first sign-in: /,
    )
    const { data: first } = await login(account, drawn(made))
    expect(first).toMatchObject({ nickName: 'Dr Li', role: roles.member })
    const { stdout: renewed } = await admin(server, 'password', account)
    // The server that runs beside it hears of it.
    expect((await server.call('user/info', {}, { userId: first.id, token: first.token })).code).toBe(10401)
    expect((await login(account, drawn(made))).data.error).toBe('wrong_credentials')
    expect(await said('role', account, '2')).toBe(`${account} now has role 2.`)
    expect(await said('level', account, '3', '2999-12-31')).toBe(
      `${account} now has level 3 until 2999-12-31.`,
    )
    expect(await said('super', account, 'yes')).toBe(`${account} is a super member.`)
    expect((await login(account, drawn(renewed))).data).toMatchObject({ role: 2, vipLevel: 3, vipSuper: 1 })
    await expect(said('block', account)).rejects.toMatchObject({ failure: 'last_administrator' })
    await expect(said('role', account, '0')).rejects.toMatchObject({ failure: 'last_administrator' })
    await server.signUp({ password: null, role: roles.administrator, nickName: 'Second' })
    expect(await said('block', account)).toBe(`${account} cannot sign in any more, until it is unlocked.`)
    expect((await login(account, drawn(renewed))).data.error).toBe('account_blocked')
    expect(await said('accounts', 'dr li')).toBe(`${account}\tDr Li\tadministrator\tsuper\tblocked`)
    expect(await said('unlock', account)).toBe(`${account} can sign in again.`)
    expect((await login(account, drawn(renewed))).code).toBe(10200)
    const { rows } = await server.ctx.pool.query(
      `select action, actor, address, before, after from audit_events where action like 'member.%' order by id`,
    )
    const changeOf = (name: string) => {
      const { before, after } = rows.find(({ action }) => action === `member.${name}`)
      return [before, after]
    }
    expect(changeOf('role')).toEqual([{ role: roles.member }, { role: 2 }])
    expect(changeOf('super')).toEqual([{ vipSuper: 0 }, { vipSuper: 1 }])
    expect(changeOf('password')).toEqual([{}, {}])
    expect(rows.map(({ action }) => action)).toEqual(
      ['create', 'password', 'role', 'level', 'super', 'block', 'unlock', 'open'].map(
        (one) => `member.${one}`,
      ),
    )
    expect(new Set(rows.map(({ actor, address }) => `${actor} ${address}`))).toEqual(
      new Set(['null console']),
    )
  })

  it.each([
    [['create', 'nonsense', 'X'], '“nonsense” is no e-mail address and no phone number with its area code.'],
    [['create', 'a@hospital.example', ' '], '“ ” is no name that people can be called by.'],
    [
      ['role', 'a@hospital.example', '9'],
      '“9” is no role: 0 member, 1 service provider, 2 administrator, 3 partner.',
    ],
    [['level', 'a@hospital.example', 'gold'], '“gold” is no level: 0 to 4.'],
    [['level', 'a@hospital.example', '4', '2027-06-31'], '“2027-06-31” is no day, such as 2027-12-31.'],
    [['level', 'a@hospital.example', '4', '2020-01-01'], '2020-01-01 is over.'],
    [['super', 'a@hospital.example', 'maybe'], '“maybe” is neither yes nor no.'],
  ])('%j is refused with a sentence', async ([name = '', ...words], sentence) => {
    await expect(said(name, ...words)).rejects.toEqual(new Misuse(sentence))
  })

  it('says all that there is', async () => {
    const said = await refusalOf(server, 'help')
    for (const command of [
      'accounts',
      'create',
      'password',
      'unlock',
      'block',
      'role',
      'level',
      'super',
      'key',
      'clock',
      'move-bytes',
      'audit',
      'backup',
      'restore',
      'verify',
    ])
      expect(said).toMatch(new RegExp(`^  ${command}( |$)`, 'm'))
  })
})
