import { mulberry32 } from '@neuroloom/contract/statistics/random'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { ledger } from './feature.ts'
import { balanceOf, type Entry, findFaults, platform, post } from './service.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

let count = 0
let who: string
beforeEach(() => {
  count += 1
  who = `member-${count}`
})

const at = new Date('2026-11-26T08:00:00Z')
const write = (entry: Entry) => server.ctx.db.transaction((tx) => post(tx, entry))
const wallet = () => balanceOf(server.ctx.db, { owner: who, kind: 'wallet', unit: 'fen' })
/** So many fen from outside to the member's wallet. */
const paid = (source: string, amount: number): Entry => ({
  ...{ kind: 'plan_paid', source, at },
  postings: [
    { owner: 'alipay', kind: 'outside', unit: 'fen', amount: -amount },
    { owner: who, kind: 'wallet', unit: 'fen', amount },
  ],
})
const refused = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => String(error.cause ?? error),
  )

test('the operator is told that the books balance', async () => {
  await write(paid(`order ${who}`, 5))
  expect(await ledger.commands?.books?.run(server.ctx, [])).toBe('The books balance.')
})

test('the same happens once, however often and at once it is told', async () => {
  const told = await Promise.all(Array.from({ length: 20 }, () => write(paid(`order ${who}`, 500_000))))
  expect(told.filter(Boolean)).toHaveLength(1)
  expect(await wallet()).toBe(500_000)
})

test('what is rolled back never happened, and can happen then', async () => {
  const { db } = server.ctx
  const entry = paid(`order ${who}`, 100)
  await refused(
    db.transaction(async (tx) => {
      await post(tx, entry)
      throw new Error('the process ended')
    }),
  )
  expect(await wallet()).toBe(0)
  expect(await write(entry)).toBe(true)
  expect(await wallet()).toBe(100)
})

test('an entry that does not sum to zero is refused, also where two units together would', async () => {
  const postings = (unit: 'fen' | 'point') =>
    [
      { owner: 'alipay', kind: 'outside', unit: 'fen', amount: -7 },
      { owner: who, kind: 'points', unit, amount: unit === 'fen' ? 6 : 7 },
    ] as const
  for (const unit of ['fen', 'point'] as const) {
    const entry = { kind: 'plan_paid', source: `${unit} ${who}`, at, postings: postings(unit) } as const
    expect(await refused(write(entry))).toMatch(/does not sum to zero/)
  }
  expect(await findFaults(server.ctx.db)).toEqual([])
})

test('a member’s money never falls below zero; of many at once as many go through as there is money', async () => {
  await write(paid(`in ${who}`, 1000))
  const out = (number: number): Entry => ({ ...paid(`out ${number} ${who}`, -300), kind: 'plan_refunded' })
  const outcomes = await Promise.all(Array.from({ length: 8 }, (_, number) => refused(write(out(number)))))
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(3)
  expect(outcomes.filter((one) => /check constraint/.test(one))).toHaveLength(5)
  expect(await wallet()).toBe(100)
})

describe('by hand, past the program,', () => {
  const byHand = (text: string) => refused(server.ctx.pool.query(text))
  test.each([
    [
      'an unbalanced entry',
      /does not sum to zero/,
      'insert into ledger_postings select e.id, a.id, 5 from ledger_entries e, ledger_accounts a order by e.id desc, a.id limit 1',
    ],
    ['a changed amount', /only ever added to/, 'update ledger_postings set amount = amount + 1'],
    ['a changed note', /only ever added to/, `update ledger_entries set note = '{}'`],
    ['an entry taken out', /only ever added to/, 'delete from ledger_entries'],
    ['postings taken out', /only ever added to/, 'delete from ledger_postings'],
    ['emptied books', /only ever added to/, 'truncate ledger_postings, ledger_entries cascade'],
    ['an account taken out', /only ever added to/, 'delete from ledger_accounts'],
    ['a written balance', /sum of its postings/, 'update ledger_accounts set balance = 1000000'],
    ['an account given to somebody else', /sum of its postings/, `update ledger_accounts set owner = 'me'`],
  ])('%s is refused by the database', async (_, why, text) => {
    await write({ ...paid(`one ${who}`, 10) })
    // Another entry, so that the row written by hand meets none of its own.
    await write({ kind: 'plan_paid', source: `empty ${who}`, at, postings: [] })
    expect(await byHand(text)).toMatch(why)
    expect(await findFaults(server.ctx.db)).toEqual([])
  })
})

test('hundreds of random entries at once, half of them refused, conserve all to the fen', async () => {
  const owners = ['a', 'b', 'c', 'd'].map((name) => `${name} ${who}`)
  const random = mulberry32(5)
  const draw = (most: number): number => Math.floor(random() * (most + 1))
  const entries = Array.from({ length: 600 }, (_, number): Entry => {
    const amount = 1 + draw(99_999)
    const [from, to] = [owners[draw(3)] ?? who, owners[draw(3)] ?? who]
    const fee = Math.floor((amount * 3 + 50) / 100)
    const source =
      draw(9) === 0
        ? ({ owner: 'wechat', kind: 'outside' } as const)
        : ({ owner: from, kind: 'wallet' } as const)
    return {
      ...{ kind: 'plan_paid', source: `${number} ${who}`, at },
      postings:
        source.owner === to
          ? []
          : [
              { ...source, unit: 'fen', amount: -amount },
              { owner: to, kind: 'wallet', unit: 'fen', amount: amount - fee },
              { owner: platform, kind: 'fees', unit: 'fen', amount: fee },
            ],
    }
  })
  // As many at once as the pool has connections, and some that wait.
  const outcomes: string[] = []
  while (entries.length > 0)
    outcomes.push(...(await Promise.all(entries.splice(0, 40).map((entry) => refused(write(entry))))))
  expect(outcomes.filter((one) => one !== 'done' && !/check constraint/.test(one))).toEqual([])
  expect(outcomes.filter((one) => one === 'done').length).toBeGreaterThan(60)
  expect(await findFaults(server.ctx.db)).toEqual([])
  const { rows } = await server.ctx.db.execute<{ least: number }>(
    sql`select min(balance)::int as least from ledger_accounts where kind = 'wallet'`,
  )
  expect(rows[0]?.least).toBeGreaterThanOrEqual(0)
})
