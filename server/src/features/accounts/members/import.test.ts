import { roles } from '@neuroloom/contract/accounts/roles'
import { memberImport as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'

let server: TestServer
let boss: Session
beforeAll(async () => {
  server = await makeServer({ deployment: 'private' })
  boss = await server.signUp({ role: roles.administrator })
})
afterAll(() => server.close())

const fileOf = (text: string | Buffer): string => Buffer.from(text).toString('base64')
const preview = async (text: string | Buffer) =>
  (await server.call('members/preview', { file: fileOf(text) }, boss)).data
const make = (text: string | Buffer, only: 'all' | 'good') =>
  server.call('members/import', { file: fileOf(text), only }, boss)
const countUsers = async (): Promise<number> =>
  Number((await server.ctx.pool.query<{ count: string }>('select count(*) from users')).rows[0]?.count)
const problemsOf = ({ lines }: Awaited<ReturnType<typeof preview>>) =>
  Object.fromEntries(
    lines.flatMap(({ line, problems }) =>
      problems.length === 0
        ? []
        : [[line, problems.map(({ problem, other }) => (other ? `${problem} ${other}` : problem))]],
    ),
  )

describe('a table of accounts', () => {
  it('is shown line by line with what is wrong in which line, and makes nothing', async () => {
    const { account } = await server.signUp()
    const before = await countUsers()
    const shown = await preview(
      [
        'Account,Name,Role,Level,Institution,Shoe size',
        'one@hospital.example,Ward 1,0,2,City Hospital,42',
        'broken,Ward 2,7,gold,,',
        'ONE@hospital.example,Again,,,,',
        `${account},Known,,,,`,
        '"+86 138 0013 8001","Dr ""Li"", chief",administrator,,,',
      ].join('\r\n'),
    )
    expect(problemsOf(shown)).toEqual({
      3: ['account_wrong', 'role_wrong'],
      4: ['account_twice 2'],
      5: ['account_taken'],
    })
    expect(shown).toMatchObject({ good: 2, unknown: ['Shoe size'] })
    expect(shown.lines[4]).toMatchObject({
      line: 6,
      account: '+86 138 0013 8001',
      nickName: 'Dr "Li", chief',
    })
    expect(await countUsers()).toBe(before)
  })

  it('with a problem makes nothing unless the good ones are meant, and these at once', async () => {
    const text =
      'account;name;role;level\nfirst@hospital.example;First;3;3\nfirst@hospital.example;Twin;;\nsecond@hospital.example;;;'
    const before = await countUsers()
    expect((await make(text, 'all')).data).toMatchObject({ error: 'import_problems', params: { count: 1 } })
    expect(await countUsers()).toBe(before)
    const { data } = await make(text, 'good')
    expect(data.made.map(({ account, nickName }) => [account, nickName])).toEqual([
      ['first@hospital.example', 'First'],
      ['second@hospital.example', 'second'],
    ])
    const [first] = data.made
    const proof = await drag(server)
    const signedIn = await server.call('user/login', {
      account: 'first@hospital.example',
      password: first?.password,
      proof,
    })
    expect(signedIn.data).toMatchObject({
      nickName: 'First',
      role: 3,
      vipLevel: 3,
      mustChangePassword: true,
      type: 0,
    })
    const { rows } = await server.ctx.pool.query(
      `select action from audit_events where actor = $1 and action like 'member.%' order by id desc limit 3`,
      [boss.userId],
    )
    expect(rows.map(({ action }) => action)).toEqual(['member.import', 'member.create', 'member.create'])
    expect((await make(text, 'good')).data.error).toBe('import_no_accounts')
  })

  it('that two administrators send at the same time makes each account once', async () => {
    const text = 'account\nboth1@hospital.example\nboth2@hospital.example'
    const before = await countUsers()
    const answers = await Promise.all([make(text, 'all'), make(text, 'all')])
    expect(answers.map(({ data }) => data.error ?? 'made').sort()).toEqual(['import_problems', 'made'])
    expect(await countUsers()).toBe(before + 2)
  })

  it.each([
    ['UTF-8 with its mark', Buffer.from('\uFEFF账号,姓名\nli@hospital.example,李医生')],
    ['UTF-8 without it', Buffer.from('账号;姓名\nli@hospital.example;李医生')],
    [
      'GBK',
      // 账号,姓名 / li@hospital.example,李医生
      Buffer.concat([
        Buffer.from('d5cbbac52cd0d5c3fb0a', 'hex'),
        Buffer.from('li@hospital.example,'),
        Buffer.from('c0eed2bdc9fa', 'hex'),
      ]),
    ],
  ])('is read in %s', async (_, bytes) => {
    const { lines, good } = await preview(bytes)
    expect(good).toBe(1)
    expect(lines[0]).toMatchObject({ account: 'li@hospital.example', nickName: '李医生' })
  })

  it('names the line of a quote that never ends, and refuses what is no such table', async () => {
    const error = async (text: string | Buffer) => {
      const { error, params } = (await server.call('members/preview', { file: fileOf(text) }, boss)).data
      return [error, params]
    }
    expect(await error('account,name\na@b.example,"never')).toEqual(['import_unreadable', { line: 2 }])
    expect(await error(Buffer.from('PK\u0003\u0004\u0000\u0000'))).toEqual(['import_unreadable', { line: 1 }])
    expect(await error('name,role\nSomebody,0')).toEqual(['import_no_accounts', {}])
    expect(await error('account')).toEqual(['import_no_accounts', {}])
    const many = Array.from({ length: limits.rows + 1 }, (_, index) => `a${index}@hospital.example`)
    expect(await error(['account', ...many].join('\n'))).toEqual(['import_too_long', { limit: limits.rows }])
    expect((await server.call('members/preview', { file: '%%%' }, boss)).code).toBe(10422)
  })
})
