import { membership as limits } from '@neuroloom/contract/limits'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../test/harness.ts'
import { unzip } from '../../../test/unzip.ts'
import { earn, giveBack, record, request, sell, withdraw } from '../../../test/wallet.ts'
import { makeWorker } from '../../../test/worker.ts'
import { codeOf } from '../../http/fail.ts'
import { notices } from '../../infra/notices.ts'
import { erase } from '../accounts/cancel.ts'
import { balanceOf, findFaults } from '../ledger/service.ts'
import { sendLetter } from './letters.ts'
import { withdrawals } from './tables.ts'

let server: TestServer
let chief: Session
let who: Session
beforeAll(async () => {
  server = await makeServer()
  chief = await server.signUp({ role: 2 })
})
beforeEach(async () => {
  who = await server.signUp()
})
afterAll(async () => {
  expect(await findFaults(server.ctx.db)).toEqual([])
  await server.close()
})

const OK = 10200
const balances = async (of = who) => {
  const { availableFen, notRecordedFen, underReviewFen } = (await server.call('wallet/balance', {}, of)).data
  return [availableFen, notRecordedFen, underReviewFen]
}
const records = async (of = who) => (await server.call('wallet/records', {}, of)).data.records
const outside = (owner: string) => balanceOf(server.ctx.db, { owner, kind: 'outside', unit: 'fen' })
const pass = (withdrawalNo: string, by = chief) =>
  server.call('office/withdrawal', { withdrawalNo, decision: { is: 'passed', reference: 'PAY-1' } }, by)
const refuse = (withdrawalNo: string, by = chief) =>
  server.call('office/withdrawal', { withdrawalNo, decision: { is: 'refused', reason: 'Other name.' } }, by)
const stored = async (withdrawalNo: string) => {
  const [row] = await server.ctx.db
    .select()
    .from(withdrawals)
    .where(eq(withdrawals.withdrawalNo, withdrawalNo))
  return row
}
/** As the chief sees it, on whichever page it is. */
async function waitingOne(withdrawalNo: string) {
  for (let page = 1; ; page += 1) {
    const { withdrawals: rows } = (await server.call('office/withdrawals', { page }, chief)).data
    const found = rows.find((one) => one.withdrawalNo === withdrawalNo)
    if (found || rows.length === 0) return found
  }
}

describe('the wallet', () => {
  test('has the share of a sale: not recorded, then recorded, or not passed when it was given back', async () => {
    const [held, kept, back] = [
      await sell(server, who, 10_100, 'Held'),
      await sell(server, who, 50, 'Kept'),
      await sell(server, who, 333, 'Back'),
    ]
    // 3 % rounded half up: 303, 2 and 10 fen.
    expect(await balances()).toEqual([0, 9_797 + 48 + 323, 0])
    await record(server, kept)
    await giveBack(server, back)
    expect(await balances()).toEqual([48, 9_797, 0])
    const number = await withdraw(server, who, 40)
    expect(await balances()).toEqual([8, 9_797, 40])
    expect(await records()).toMatchObject([
      { direction: 'out', status: 'under_review', model: null, method: 'alipay', number, amountFen: 40 },
      { direction: 'in', status: 'not_passed', model: 'Back', number: back.orderNo, amountFen: 323 },
      { direction: 'in', status: 'recorded', model: 'Kept', method: null, amountFen: 48 },
      { direction: 'in', status: 'not_recorded', model: 'Held', number: held.orderNo, amountFen: 9_797 },
    ])
    const { data } = await server.call('wallet/records', { direction: 'out' }, who)
    expect([data.total, data.records.map((one) => one.number)]).toEqual([1, [number]])
  })

  test('comes in pages, and is nobody else’s', async () => {
    for (let count = 0; count <= limits.page; count += 1) await earn(server, who, 100)
    const first = (await server.call('wallet/records', {}, who)).data
    const second = (await server.call('wallet/records', { page: 2 }, who)).data
    expect([first.total, first.records.length, second.records.length]).toEqual([
      limits.page + 1,
      limits.page,
      1,
    ])
    const number = await withdraw(server, who, 100)
    const other = await server.signUp()
    expect(await records(other)).toEqual([])
    expect(await balances(other)).toEqual([0, 0, 0])
    const foreign = await server.call('wallet/withdrawal', { withdrawalNo: number }, other)
    expect(foreign.code).toBe(codeOf('withdrawal_missing'))
    const own = await server.call('wallet/withdrawal', { withdrawalNo: number }, who)
    expect(own.data).toMatchObject({
      ...{ withdrawalNo: number, amountFen: 100, status: 'under_review', reviewedAt: null },
      payee: { method: 'alipay', name: 'Account Holder', bank: '', account: 'holder@example.test' },
    })
  })
})

describe('a withdrawal', () => {
  test('a hundred at once take no more than there is', async () => {
    await earn(server, who, 1031)
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => server.call('wallet/withdraw', request(300), who)),
    )
    const codes = replies.map(({ code }) => code)
    expect(codes.filter((code) => code === OK)).toHaveLength(3)
    expect(codes.filter((code) => code === codeOf('balance_too_low'))).toHaveLength(97)
    expect(await balances()).toEqual([100, 0, 900])
    expect(await findFaults(server.ctx.db)).toEqual([])
  })

  test('the same request, twenty times at once, is one withdrawal; with another content it is refused', async () => {
    await earn(server, who, 100_000)
    const asked = request(700, { method: 'bank', bank: 'Bank of the City', account: '6222 0000 1111' })
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => server.call('wallet/withdraw', asked, who)),
    )
    expect(new Set(replies.map(({ data }) => data.withdrawalNo)).size).toBe(1)
    expect(await balances()).toEqual([96_300, 0, 700])
    for (const changes of [{ amountFen: 701 }, { account: '6222 0000 1112' }, { name: 'Account Holders' }]) {
      const { code } = await server.call('wallet/withdraw', { ...asked, ...changes }, who)
      expect(code).toBe(codeOf('withdrawal_differs'))
    }
    expect(await balances()).toEqual([96_300, 0, 700])
    // Request ids are of one member: somebody else's is another request.
    const other = await server.signUp()
    await earn(server, other, 100_000)
    expect((await server.call('wallet/withdraw', asked, other)).code).toBe(OK)
  })

  test.each([
    ['nothing', { amountFen: 0 }, 'invalid'],
    ['less than nothing', { amountFen: -100 }, 'invalid'],
    ['parts of a fen', { amountFen: 10.5 }, 'invalid'],
    ['no number', { amountFen: Number.NaN }, 'invalid'],
    ['more than money can be', { amountFen: limits.mostFen + 1 }, 'invalid'],
    ['a fen more than there is', { amountFen: 98 }, 'balance_too_low'],
    ['no account', { account: ' ' }, 'invalid'],
    ['no name', { name: '' }, 'invalid'],
    ['no bank', { method: 'bank', account: '6222 0000' }, 'invalid'],
    ['letters for a number', { method: 'bank', bank: 'Bank', account: 'my account!' }, 'invalid'],
    ['a line break', { name: 'Li\nNa' }, 'invalid'],
    ['a short request id', { requestId: '1' }, 'invalid'],
  ] as const)('of %s is refused, and nothing moves', async (_, changes, why) => {
    await earn(server, who, 100)
    const { code } = await server.call('wallet/withdraw', request(50, changes), who)
    expect(code).toBe(codeOf(why))
    expect(await balances()).toEqual([97, 0, 0])
  })

  test('whose amount is text is refused: nothing is turned into a number', async () => {
    await earn(server, who, 100)
    const body = JSON.stringify({ ...request(50), amountFen: '50' })
    const response = await fetch(`${server.url}/AI/api/wallet/withdraw`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', token: who.token, userId: who.userId },
      body,
    })
    expect(await response.json()).toMatchObject({ code: codeOf('invalid') })
    expect(await balances()).toEqual([97, 0, 0])
  })

  test('waits with at most so many others', async () => {
    await earn(server, who, 100_000)
    for (let count = 0; count < limits.withdrawalsAtOnce; count += 1) await withdraw(server, who, 1)
    const { code } = await server.call('wallet/withdraw', request(1), who)
    expect(code).toBe(codeOf('withdrawals_waiting'))
  })

  test('stands in the database without the name and the account in clear text', async () => {
    await earn(server, who, 100)
    const row = await stored(await withdraw(server, who, 1))
    const text = JSON.stringify({ ...row, payeeSeal: row?.payeeSeal?.toString('latin1') })
    expect(text).not.toMatch(/holder@|Account Holder/)
  })
})

describe('the review', () => {
  test('is for administrators, of what others ask for', async () => {
    await earn(server, who, 100)
    await earn(server, chief, 100)
    const [theirs, own] = [await withdraw(server, who, 10), await withdraw(server, chief, 20)]
    expect((await server.call('office/withdrawals', {}, who)).code).toBe(codeOf('not_allowed'))
    expect((await pass(theirs, who)).code).toBe(codeOf('not_allowed'))
    for (const decide of [pass, refuse]) expect((await decide(own)).code).toBe(codeOf('not_allowed'))
    expect((await stored(own))?.state).toBe('under_review')
    expect([(await waitingOne(theirs))?.isOwn, (await waitingOne(own))?.isOwn]).toEqual([false, true])
    // Another administrator may.
    expect((await pass(own, await server.signUp({ role: 2 }))).code).toBe(OK)
    expect((await pass('20260101000000000000')).code).toBe(codeOf('withdrawal_missing'))
    await pass(theirs)
  })

  test('passes it once: the money is outside, and the member is told by message and letter', async () => {
    await earn(server, who, 100_000)
    const number = await withdraw(server, who, 50_005)
    const before = await outside('alipay')
    expect((await pass(number)).data).toMatchObject({ status: 'recorded', reference: 'PAY-1' })
    for (const decide of [pass, refuse])
      expect((await decide(number)).code).toBe(codeOf('withdrawal_decided'))
    expect(await balances()).toEqual([46_995, 0, 0])
    expect((await outside('alipay')) - before).toBe(50_005)
    expect((await records())[0]).toMatchObject({ direction: 'out', status: 'recorded', amountFen: 50_005 })
    const told = and(eq(notices.userId, who.userId), eq(notices.kind, 'withdrawal_recorded'))
    const [notice, ...more] = await server.ctx.db.select().from(notices).where(told)
    expect([notice?.params, more]).toEqual([{ amount: '500.05', number, reason: '' }, []])
    const text = await letterOf(number)
    for (const part of [number, '500.05 yuan', 'Alipay', 'PAY-1']) expect(text).toContain(part)
  })

  test('writes its letter in the language that the member chose since it was asked for', async () => {
    await earn(server, who, 1_000)
    const number = await withdraw(server, who, 970)
    await server.call('user/edit', { language: 'zh' }, who)
    await pass(number)
    expect(await letterOf(number)).toContain('您的提现已通过审核并付款。')
  })

  test('refuses it: all of the money is back, with the reason', async () => {
    await earn(server, who, 100_000)
    const number = await withdraw(server, who, 97_000)
    expect(await balances()).toEqual([0, 0, 97_000])
    const before = await outside('alipay')
    expect((await refuse(number)).data).toMatchObject({ status: 'not_passed', reason: 'Other name.' })
    expect(await balances()).toEqual([97_000, 0, 0])
    expect(await outside('alipay')).toBe(before)
    expect((await records())[0]).toMatchObject({ status: 'not_passed', reason: 'Other name.' })
    expect(await letterOf(number)).toContain('Reason: Other name.')
    // What is back can be asked for again.
    await withdraw(server, who, 97_000)
  })

  test('of two administrators at once, one decides', async () => {
    await earn(server, who, 100)
    const number = await withdraw(server, who, 97)
    const other = await server.signUp({ role: 2 })
    const replies = await Promise.all([pass(number), refuse(number, other), pass(number, other)])
    expect(replies.filter(({ code }) => code === OK)).toHaveLength(1)
    const [available, , waiting] = await balances()
    expect([waiting, (await stored(number))?.state]).toEqual([
      0,
      available === 97 ? 'not_passed' : 'recorded',
    ])
  })
})

/** What the worker's job sends; withdrawals that are under review have no letter. */
async function letterOf(withdrawalNo: string): Promise<string | undefined> {
  const sent: { to: string; subject: string; text: string }[] = []
  const messages = {
    ...server.ctx.messages,
    canMail: true,
    sendMail: async (mail: (typeof sent)[0]) => void sent.push(mail),
  }
  await sendLetter({ ...server.ctx, messages }, { withdrawalNo })
  return sent[0]?.text
}

describe('an account', () => {
  test('has its wallet in the archive, with the account that money goes to', async () => {
    await earn(server, who, 1_000, 'Nuclei')
    const number = await withdraw(server, who, 70)
    const { data } = await server.call('user/export', {}, who)
    const response = await fetch(server.url + data.url)
    const archive = await unzip(Buffer.from(await response.arrayBuffer()))
    expect(JSON.parse(archive.get('wallet.json')?.bytes.toString() ?? '')).toMatchObject({
      balances: { availableFen: 900, underReviewFen: 70 },
      withdrawals: [
        { withdrawalNo: number, payee: { name: 'Account Holder', account: 'holder@example.test' } },
      ],
      records: [{ direction: 'out', amountFen: 70 }, { model: 'Nuclei' }],
    })
  })

  test('that is closed leaves no name; one that has to be paid still is named until the review', async () => {
    await earn(server, who, 1_000)
    const [paid, waiting] = [await withdraw(server, who, 100), await withdraw(server, who, 200)]
    await pass(paid)
    expect((await server.call('user/cancel', { password: PASSWORD }, who)).code).toBe(OK)
    const worker = makeWorker(server)
    await erase(worker, who.userId)
    worker.engine.close()
    expect((await stored(paid))?.payeeSeal).toBeNull()
    expect(await waitingOne(waiting)).toMatchObject({
      payee: { account: 'holder@example.test' },
      member: { account: '' },
    })
    expect((await pass(waiting)).code).toBe(OK)
    expect(await stored(waiting)).toMatchObject({ state: 'recorded', payeeSeal: null })
    expect(await letterOf(waiting)).toBeUndefined()
  })
})

test('on a hospital’s own server none of it is there', async () => {
  const own = await makeServer({ deployment: 'private' })
  try {
    const [member, office] = [await own.signUp(), await own.signUp({ role: 2 })]
    const period = { from: '2026-01-01', to: '2026-01-31', format: 'csv', language: 'en' } as const
    const withdrawalNo = '20260101000000000000'
    const tries = [
      own.call('wallet/balance', {}, member),
      own.call('wallet/records', {}, member),
      own.call('wallet/withdrawal', { withdrawalNo }, member),
      own.call('wallet/withdraw', request(1), member),
      own.call('wallet/statement', period, member),
      own.call('office/withdrawals', {}, office),
      own.call('office/withdrawal', { withdrawalNo, decision: { is: 'passed', reference: 'x' } }, office),
    ]
    for (const { code } of await Promise.all(tries)) expect(code).toBe(codeOf('not_found'))
    expect((await fetch(`${own.url}/AI/api/wallet/statementFile`)).status).toBe(404)
  } finally {
    await own.close()
  }
})
