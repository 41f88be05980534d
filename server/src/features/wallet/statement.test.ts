import { yuanText } from '@neuroloom/contract/membership/money'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { readPages } from '../../../test/pdf.ts'
import { earn, request } from '../../../test/wallet.ts'
import type { Caller } from '../../http/access.ts'
import { codeOf } from '../../http/fail.ts'
import { decide } from './review.ts'
import { withdraw } from './withdraw.ts'

let server: TestServer
let who: Session
/** Of three rounds of moves, two days apart; at noon. */
const days = ['2026-03-01', '2026-03-03', '2026-03-05'] as const
beforeAll(async () => {
  server = await makeServer()
  who = await server.signUp({ nickName: 'Account Holder' })
  const chief = await server.signUp({ role: 2 })
  for (const day of days) {
    const ctx = { ...server.ctx, now: () => new Date(`${day}T12:00:00Z`) }
    await earn({ ctx }, who, amounts[day], '=HYPERLINK("https://bad.example","x")')
    const { withdrawalNo } = await withdraw(ctx, { ...request(90), bank: '' }, callerOf(who))
    const decision = { is: 'refused', reason: 'x' } as const
    if (day === days[1]) await decide(ctx, { withdrawalNo, decision }, callerOf(chief))
  }
})
afterAll(() => server.close())

const amounts = { '2026-03-01': 100_000, '2026-03-03': 12_345, '2026-03-05': 99 }
const callerOf = ({ userId }: Session): Caller => ({
  user: { id: userId, role: 0, vipLevel: 1, vipSuper: 0, nickName: '', photo: '' },
  ...{ sessionId: '', secondFactorAt: null, address: '127.0.0.1', language: 'en' },
})
const link = async (from: string, to: string, format: 'csv' | 'pdf' = 'csv', of = who) =>
  server.call('wallet/statement', { from, to, format, language: 'en' }, of)
async function fetchFile(from: string, to: string, format: 'csv' | 'pdf' = 'csv'): Promise<Response> {
  const { code, message, data } = await link(from, to, format)
  expect(code, message).toBe(10200)
  return fetch(server.url + data.url)
}
/** Cells as a spreadsheet reads them. */
async function table(from: string, to: string): Promise<string[][]> {
  const response = await fetchFile(from, to)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const lines = bytes.toString('utf8').slice(1).split('\r\n').slice(0, -1)
  return lines.map((line) =>
    [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(([, quoted, plain]) =>
      quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
    ),
  )
}
const fen = (text: string | undefined): number => Math.round(Number(text || 0) * 100)

test('as CSV it is the ledger: every move of the wallet, each balance, and what it was before and after', async () => {
  const { rows: postings } = await server.ctx.db.execute<{ amount: number; number: string }>(sql`
    select p.amount::int as amount, e.source as number
    from ledger_postings p
    join ledger_accounts a on a.id = p.account_id
    join ledger_entries e on e.id = p.entry_id
    where a.owner = ${who.userId} and a.kind = 'wallet' and a.unit = 'fen'
    order by e.id`)
  const [head, opening, ...rest] = await table(days[0], days[2])
  const [closing, moves] = [rest.at(-1), rest.slice(0, -1)]
  expect(head).toHaveLength(8)
  expect(moves.map((cells) => fen(cells[4]) - fen(cells[5]))).toEqual(postings.map(({ amount }) => amount))
  expect(moves.map((cells) => cells[3])).toEqual(postings.map(({ number }) => `No. ${number}`))
  let sum = 0
  const sums = postings.map(({ amount }) => {
    sum += amount
    return yuanText(sum)
  })
  expect(moves.map((cells) => cells[6])).toEqual(sums)
  expect([opening?.[6], closing?.[6]]).toEqual(['0.00', sums.at(-1)])
  const { data } = await server.call('wallet/balance', {}, who)
  expect(closing?.[6]).toBe(yuanText(data.availableFen))
  // The withdrawal that was refused, and its money back.
  expect(moves.map((cells) => cells[7])).toEqual([
    ...['Recorded', 'Under review'],
    ...['Recorded', 'Not passed', 'Recorded'],
    ...['Recorded', 'Under review'],
  ])
})

test('of a part of the time it begins with what was there before', async () => {
  const all = await table(days[0], days[2])
  const part = await table(days[1], days[1])
  expect(part[1]?.[6]).toBe(all[3]?.[6])
  expect(part.slice(2, -1)).toEqual(all.slice(4, 7))
  expect(part.at(-1)?.[6]).toBe(all[6]?.[6])
})

test('of days on which nothing moved it says the balance', async () => {
  const after = '2026-03-06'
  const [, opening, closing, ...more] = await table(after, after)
  expect([opening?.[6], more]).toEqual([closing?.[6], []])
  const words = (await readPages(await fetchFile(after, after, 'pdf'))).join(' ')
  expect(words.replaceAll(/\s+/g, ' ')).toContain('No income or expenditure in this period.')
})

test('a model’s name that begins like a formula is text to a spreadsheet', async () => {
  const response = await fetchFile(days[0], days[0])
  const text = await response.text()
  expect(text).toContain(`,"'=HYPERLINK(""https://bad.example"",""x"")",`)
  for (const cells of await table(days[0], days[2]))
    for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
})

test('as PDF it has the same figures, and the member’s name', async () => {
  const pages = await readPages(await fetchFile(days[0], days[2], 'pdf'))
  const words = pages.join(' ').replaceAll(/\s+/g, ' ')
  const [, , ...moves] = (await table(days[0], days[2])).slice(0, -1)
  // Time, model and number are broken into lines: compared without the spaces.
  const letters = words.replaceAll(' ', '')
  for (const [at = '', what = '', , number = '', ...rest] of moves) {
    for (const text of [what, ...rest]) expect(words).toContain(text)
    for (const text of [at, number.replace('No. ', '')]) expect(letters).toContain(text.replaceAll(' ', ''))
  }
  for (const part of ['Statement of the wallet', `Account Holder, ${days[0]} to ${days[2]}`, 'Not passed'])
    expect(words).toContain(part)
  // Names are as they are: nothing on paper is run.
  expect(letters).toContain('=HYPERLINK("https://bad.example","x")')
})

test('its link is its member’s alone, and cannot be turned to another time', async () => {
  const { data } = await link(days[0], days[2])
  const turned = data.url.replace(`to=${days[2]}`, `to=${days[1]}`)
  expect(turned).not.toBe(data.url)
  expect((await fetch(server.url + turned)).status).toBe(403)
  const other = await server.signUp()
  const theirs = (await link(days[0], days[2], 'csv', other)).data.url
  expect(await (await fetch(server.url + theirs)).text()).not.toContain('HYPERLINK')
  expect((await fetch(server.url + theirs.replaceAll(other.userId, who.userId))).status).toBe(403)
})

test.each([
  ['the last day before the first', '2026-02-01', '2026-01-31'],
  ['more than a year', '2025-01-01', '2026-01-02'],
  ['a day that is none', '2026-02-30', '2026-03-01'],
])('%s is refused', async (_, from, to) => {
  expect((await link(from, to)).code).toBe(codeOf('invalid'))
})
