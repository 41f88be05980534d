import { dayMs, membership } from '@neuroloom/contract/limits'
import { addYears } from '@neuroloom/contract/membership/offer'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { buy, makeBuyer, memberOf, order, orderOf, payFor, setMember } from '../../../test/payments/member.ts'
import { makeWorker } from '../../../test/worker.ts'
import { codeOf } from '../../http/fail.ts'
import { auditEvents } from '../../infra/audit.ts'
import { notices } from '../../infra/notices.ts'
import { balanceOf, findFaults } from '../ledger/service.ts'
import { payAtCashier, readRecord } from './cashier/cashier.ts'
import { sendLetter } from './letters.ts'
import { reconcile } from './reconcile.ts'
import { orders, refunds, terms } from './tables.ts'

let server: TestServer
let chief: Session
beforeAll(async () => {
  server = await makeServer()
  chief = await server.signUp({ role: 2 })
})
afterAll(() => server.close())

const OK = 10200
const TRANSFER = 2
const pointsOf = (who: Session) =>
  balanceOf(server.ctx.db, { owner: who.userId, kind: 'points', unit: 'point' })
const outside = () => balanceOf(server.ctx.db, { owner: 'alipay', kind: 'outside', unit: 'fen' })
const refund = (orderNo: string, amountFen: number) =>
  server.call('office/refund', { orderNo, amountFen, reason: 'as agreed' }, chief)
const toldOf = ({ userId }: Session, kind: 'order_refunded' | 'invoice_issued' | 'invoice_refused') =>
  server.ctx.db.$count(notices, and(eq(notices.userId, userId), eq(notices.kind, kind)))

test('nobody but administrators comes in', async () => {
  const who = await makeBuyer(server)
  const orderNo = await order(server, who, { vipId: 2, payMethod: TRANSFER })
  const notes = { en: '', zh: '', ru: '' }
  const tries = [
    server.call('office/plans', {}, who),
    server.call('office/savePlan', { id: 4, priceFen: 0, number: 0, notes }, who),
    server.call('office/orders', {}, who),
    server.call('office/confirmTransfer', { orderNo, reference: 'x', amountFen: 500_000 }, who),
    server.call('office/refund', { orderNo, amountFen: 1, reason: 'x' }, who),
    server.call('office/returned', { orderNo, reference: 'x' }, who),
    server.call('office/invoices', {}, who),
    server.call('office/invoice', { id: 'x', decision: { is: 'refused', reason: 'x' } }, who),
  ]
  for (const { code } of await Promise.all(tries)) expect(code).toBe(codeOf('not_allowed'))
})

test('a changed price holds for new orders; one that waits keeps its own', async () => {
  const who = await makeBuyer(server)
  const before = await order(server, who, { vipId: 3 })
  const notes = { en: 'This autumn', zh: '', ru: '' }
  const plan = { id: 3, priceFen: 990_050, number: 2, notes } as const
  const { code, data } = await server.call('office/savePlan', plan, chief)
  expect([code, data.price]).toEqual([OK, 9900.5])
  expect((await orderOf(server, before)).amountFen).toBe(1_000_000)
  const after = await order(server, await makeBuyer(server), { vipId: 3 })
  expect((await orderOf(server, after)).amountFen).toBe(990_050)
  const free = { id: 1, priceFen: 1, number: 1, notes } as const
  expect((await server.call('office/savePlan', free, chief)).code).toBe(codeOf('invalid'))
  await server.call('office/savePlan', { ...plan, priceFen: 1_000_000, number: 1 }, chief)
})

describe('a bank transfer', () => {
  test('is a payment when an administrator has seen it, with its amount', async () => {
    const who = await makeBuyer(server)
    const orderNo = await order(server, who, { vipId: 2, payMethod: TRANSFER })
    expect((await server.call('payment/orders', {}, who)).data).toMatchObject({
      orders: [{ orderNo, state: 'waiting', method: 'transfer', qrCodeUrl: '' }],
      bank: { account: '0000 0000 0000 0000' },
    })
    const arrived = (reference: string, amountFen: number) =>
      server.call('office/confirmTransfer', { orderNo, reference, amountFen }, chief)
    expect((await arrived('B1', 499_999)).code).toBe(codeOf('amount_differs'))
    expect((await arrived('B1', 500_000)).data).toMatchObject({ state: 'paid', transactions: [{ id: 'B1' }] })
    expect((await arrived('B1', 500_000)).code).toBe(codeOf('order_paid'))
    expect((await memberOf(server, who)).vipLevel).toBe(2)
    const other = await order(server, await makeBuyer(server), { vipId: 2, payMethod: TRANSFER })
    const again = { orderNo: other, reference: 'B1', amountFen: 500_000 }
    expect((await server.call('office/confirmTransfer', again, chief)).code).toBe(codeOf('transfer_known'))
  })

  test('that came for a cancelled order goes back, and is told when it was sent', async () => {
    const who = await makeBuyer(server)
    const orderNo = await order(server, who, { vipId: 2, payMethod: TRANSFER })
    expect((await server.call('payment/cancel', { orderNo }, who)).data.state).toBe('cancelled')
    const arrived = { orderNo, reference: 'B2', amountFen: 500_000 }
    expect((await server.call('office/confirmTransfer', arrived, chief)).data.state).toBe('returning')
    const sent = { orderNo, reference: 'C2' }
    expect((await server.call('office/returned', sent, chief)).data.state).toBe('refunded')
    expect((await server.call('office/returned', sent, chief)).code).toBe(codeOf('order_over'))
    expect(await toldOf(who, 'order_refunded')).toBe(1)
  })

  test('of an administrator is confirmed, given back and sent by another one', async () => {
    const own = await makeBuyer(server, { role: 2 })
    const orderNo = await order(server, own, { vipId: 2, payMethod: TRANSFER })
    const arrived = { orderNo, reference: 'B3', amountFen: 500_000 }
    const back = { orderNo, amountFen: 500_000, reason: 'as agreed' }
    const sent = { orderNo, reference: 'C3' }
    const deeds = [
      (by: Session) => server.call('office/confirmTransfer', arrived, by),
      (by: Session) => server.call('office/refund', back, by),
      (by: Session) => server.call('office/returned', sent, by),
    ]
    const isOwn = async (by: Session) =>
      (await server.call('office/orders', { search: orderNo }, by)).data.orders[0]?.isOwn
    expect([await isOwn(own), await isOwn(chief)]).toEqual([true, false])
    for (const deed of deeds) {
      expect((await deed(own)).code).toBe(codeOf('not_allowed'))
      expect((await deed(chief)).code).toBe(OK)
    }
    expect((await orderOf(server, orderNo)).state).toBe('refunded')
  })

  test('for a renewal that arrives when the membership has ended gives a year from then on', async () => {
    const who = await makeBuyer(server)
    await setMember(server, who, { vipLevel: 3, vipValid: new Date(Date.now() + 600_000) })
    const orderNo = await order(server, who, { vipId: 3, payMethod: TRANSFER })
    server.forward(1_200_000)
    try {
      expect((await server.call('user/info', {}, who)).data.vipLevel).toBe(1)
      const arrived = { orderNo, reference: 'B4', amountFen: 1_000_000 }
      expect((await server.call('office/confirmTransfer', arrived, chief)).data.state).toBe('paid')
      const { paidAt } = await orderOf(server, orderNo)
      expect(await memberOf(server, who)).toMatchObject({
        vipLevel: 3,
        vipValid: addYears(paidAt ?? new Date(0), 1),
      })
    } finally {
      server.forward(-1_200_000)
    }
  })

  test('of which nobody heard for two weeks is over', async () => {
    const orderNo = await order(server, await makeBuyer(server), { vipId: 2, payMethod: TRANSFER })
    const past = new Date(Date.now() - 1)
    await server.ctx.db.update(orders).set({ expiresAt: past }).where(eq(orders.orderNo, orderNo))
    await reconcile(server.ctx)
    expect((await orderOf(server, orderNo)).state).toBe('expired')
  })
})

describe('a refund', () => {
  test('gives the money back once, takes the points and ends what it gave', async () => {
    const who = await makeBuyer(server)
    const before = await outside()
    const orderNo = await buy(server, who, { vipId: 2 })
    const { code, data } = await refund(orderNo, 500_000)
    expect([code, data.state, data.refundedFen]).toEqual([OK, 'returning', 500_000])
    expect((await refund(orderNo, 500_000)).code).toBe(codeOf('order_over'))
    expect((await memberOf(server, who)).vipLevel).toBe(1)
    for (let times = 0; times < 3; times += 1) await reconcile(server.ctx)
    expect((await orderOf(server, orderNo)).state).toBe('refunded')
    expect((await readRecord(server.ctx, orderNo))?.state).toBe('refunded')
    expect([await outside(), await pointsOf(who), await toldOf(who, 'order_refunded')]).toEqual([
      before,
      0,
      1,
    ])
    expect((await server.call('payment/alipay/payState', { orderNo }, who)).data).toBe(3)
    const ofWho = and(eq(notices.userId, who.userId), eq(notices.kind, 'order_refunded'))
    const [told] = await server.ctx.db.select().from(notices).where(ofWho)
    expect(told?.params).toEqual({ orderNo, amount: '5000.00' })
  })

  test('of a part keeps the points of what stays', async () => {
    const who = await makeBuyer(server)
    const orderNo = await buy(server, who, { vipId: 2 })
    expect((await refund(orderNo, 500_001)).code).toBe(codeOf('refund_too_much'))
    await refund(orderNo, 199_950)
    expect(await pointsOf(who)).toBe(3000)
  })

  test('may take points that were spent', async () => {
    const who = await makeBuyer(server)
    const orderNo = await buy(server, who, { vipId: 2 })
    const { db, now } = server.ctx
    const { post, platform } = await import('../ledger/service.ts')
    await db.transaction((tx) =>
      post(tx, {
        ...{ kind: 'plan_refunded', source: `spent ${orderNo}`, at: now(), note: { level: 2 } },
        postings: [
          { owner: who.userId, kind: 'points', unit: 'point', amount: -4000 },
          { owner: platform, kind: 'points_given', unit: 'point', amount: 4000 },
        ],
      }),
    )
    await refund(orderNo, 500_000)
    expect((await server.call('points/list', {}, who)).data).toMatchObject({ balance: -4000, total: 3 })
  })

  test('of the renewal leaves the first year, of the first year moves the renewal forward', async () => {
    const [one, other] = [await makeBuyer(server), await makeBuyer(server)]
    const ordersOf = async (who: Session) => [
      await buy(server, who, { vipId: 4 }),
      await buy(server, who, { vipId: 4 }),
    ]
    const [, renewal = ''] = await ordersOf(one)
    const [first = ''] = await ordersOf(other)
    await refund(renewal, 1)
    await refund(first, 1)
    for (const who of [one, other]) {
      const { vipLevel, vipValid } = await memberOf(server, who)
      const days = ((vipValid?.getTime() ?? 0) - Date.now()) / dayMs
      expect(vipLevel).toBe(4)
      expect(Math.abs(days - 365.5)).toBeLessThan(1)
    }
  })

  test('leaves a level that an administrator has changed since', async () => {
    const who = await makeBuyer(server)
    const orderNo = await buy(server, who, { vipId: 2 })
    await setMember(server, who, { vipLevel: 4, vipValid: null })
    await refund(orderNo, 500_000)
    expect((await memberOf(server, who)).vipLevel).toBe(4)
  })

  test('that the provider refuses is tried again, and says why', async () => {
    const who = await makeBuyer(server)
    const orderNo = await buy(server, who, { vipId: 2 })
    await refund(orderNo, 500_000)
    const { rename } = await import('node:fs/promises')
    const path = `${server.ctx.config.dataDir}/cashier/${orderNo}.json`
    await rename(path, `${path}.gone`)
    await reconcile(server.ctx)
    const shown = async () => (await server.call('office/orders', { search: orderNo }, chief)).data.orders[0]
    expect(await shown()).toMatchObject({ state: 'returning', refundProblem: 'nothing was paid' })
    await rename(`${path}.gone`, path)
    await reconcile(server.ctx)
    expect(await shown()).toMatchObject({ state: 'refunded', refundProblem: '' })
  })
})

describe('invoices', () => {
  const organisation = {
    ...{ invoice: 1, invoiceType: 1, invoiceTitle: '第一人民医院', invoiceTax: '91110000600037341L' },
    ...{ invoiceAddr: 'Street 1', invoicePhone: '010-12345678', invoiceBank: 'Bank', invoiceAccount: '6222' },
  }
  const asked = async () => {
    const who = await makeBuyer(server)
    const { data } = await server.call('vip/pay', { vipId: 2, ...organisation }, who)
    return { who, orderNo: data.orderNo ?? '' }
  }
  const waiting = async () => (await server.call('office/invoices', {}, chief)).data.invoices

  test('are asked for once they are paid, and issued with a number', async () => {
    const { who, orderNo } = await asked()
    expect((await waiting()).map((one) => one.orderNo)).not.toContain(orderNo)
    await payFor(server, orderNo)
    const invoice = (await waiting()).find((one) => one.orderNo === orderNo)
    expect(invoice).toMatchObject({ title: '第一人民医院', account: '6222', amountFen: 500_000 })
    const decision = { is: 'issued', number: '24112000000012345678' } as const
    const issued = await server.call('office/invoice', { id: invoice?.id ?? '', decision }, chief)
    expect(issued.data).toMatchObject({ state: 'issued', number: '24112000000012345678' })
    const twice = await server.call('office/invoice', { id: invoice?.id ?? '', decision }, chief)
    expect(twice.code).toBe(codeOf('order_over'))
    expect(await toldOf(who, 'invoice_issued')).toBe(1)
    const own = (await server.call('payment/orders', {}, who)).data.orders[0]
    expect(own?.invoice).toMatchObject({ state: 'issued', number: '24112000000012345678' })
  })

  test('are void where the money goes back', async () => {
    const { who, orderNo } = await asked()
    await payFor(server, orderNo)
    await refund(orderNo, 500_000)
    expect((await waiting()).map((one) => one.orderNo)).not.toContain(orderNo)
    expect((await server.call('payment/orders', {}, who)).data.orders[0]?.invoice?.state).toBe('void')
  })

  test('are refused with a reason', async () => {
    const { who, orderNo } = await asked()
    await payFor(server, orderNo)
    const invoice = (await waiting()).find((one) => one.orderNo === orderNo)
    const decision = { is: 'refused', reason: 'The tax number is of another title.' } as const
    await server.call('office/invoice', { id: invoice?.id ?? '', decision }, chief)
    expect(await toldOf(who, 'invoice_refused')).toBe(1)
  })
})

test('orders are found by number and by name, and filtered as members see them', async () => {
  const who = await makeBuyer(server, { nickName: '100%_sure' })
  const orderNo = await order(server, who, { vipId: 2 })
  const found = async (body: object) =>
    (await server.call('office/orders', body, chief)).data.orders.map((one) => one.orderNo)
  expect(await found({ search: orderNo })).toEqual([orderNo])
  expect(await found({ search: '100%_s' })).toEqual([orderNo])
  expect(await found({ search: '0%s' })).toEqual([])
  expect(await found({ search: orderNo, state: 'waiting', method: 'alipay' })).toEqual([orderNo])
  const past = new Date(Date.now() - 1)
  await server.ctx.db.update(orders).set({ expiresAt: past }).where(eq(orders.orderNo, orderNo))
  expect(await found({ search: orderNo, state: 'waiting' })).toEqual([])
  expect(await found({ search: orderNo, state: 'expired' })).toEqual([orderNo])
})

test('an order that nobody paid is closed at its provider, and one that was paid unheard is found', async () => {
  const [forgotten, unheard] = [await makeBuyer(server), await makeBuyer(server)]
  const [lost, paid] = [
    await order(server, forgotten, { vipId: 2 }),
    await order(server, unheard, { vipId: 2 }),
  ]
  await payAtCashier(server.ctx, paid)
  server.forward(membership.orderMs)
  await reconcile(server.ctx)
  server.forward(-membership.orderMs)
  expect(await orderOf(server, lost)).toMatchObject({ state: 'expired', closedAt: expect.any(Date) })
  expect((await orderOf(server, paid)).state).toBe('paid')
  expect((await memberOf(server, unheard)).vipLevel).toBe(2)
})

test('however many wait longer, an order that was never asked for has its turn', async () => {
  const who = await makeBuyer(server)
  const orderNo = await order(server, who, { vipId: 2 })
  await payAtCashier(server.ctx, orderNo)
  await server.ctx.pool.query(
    `insert into orders (order_no, user_id, kind, item, amount_fen, method, state, language,
       created_at, expires_at, asked_at)
     select '2020010100000000' || lpad(n::text, 4, '0'), 'nobody', kind, item, amount_fen, method, 'cancelled', language,
       created_at - interval '1 hour', expires_at + interval '1 day', created_at - interval '30 minutes'
     from orders, generate_series(1, $2::int) n where order_no = $1`,
    [orderNo, membership.roundSize],
  )
  await reconcile(server.ctx)
  expect((await orderOf(server, orderNo)).state).toBe('paid')
  await server.ctx.pool.query(`delete from orders where user_id = 'nobody'`)
})

test('receipts are written in the language of the order', async () => {
  const who = await makeBuyer(server)
  const response = await fetch(`${server.url}/AI/api/vip/pay`, {
    method: 'POST',
    headers: { token: who.token, userId: who.userId, language: 'ru', 'content-type': 'application/json' },
    body: JSON.stringify({ vipId: 2 }),
  })
  const { data } = (await response.json()) as { data: { orderNo: string } }
  await payFor(server, data.orderNo)
  const sent: { subject: string; text: string }[] = []
  const messages = {
    ...server.ctx.messages,
    sendMail: async (mail: (typeof sent)[0]) => void sent.push(mail),
  }
  for (const kind of ['paid', 'over', 'refunded', 'invoice'] as const)
    await sendLetter({ ...server.ctx, messages }, { orderNo: data.orderNo, kind })
  expect(sent).toHaveLength(4)
  expect(sent[0]?.text).toContain(`Номер заказа: ${data.orderNo}`)
  expect(sent[0]?.text).toContain('5000.00')
})

describe('a clock that jumps by 400 days', () => {
  test.each([400, -400])('%d: nothing is sold, nobody gains or loses a level for good', async (days) => {
    const who = await makeBuyer(server)
    await buy(server, who, { vipId: 2 })
    const { vipValid } = await memberOf(server, who)
    const late = await makeBuyer(server)
    const waiting = await order(server, late, { vipId: 2, payMethod: TRANSFER })
    server.forward(days * dayMs)
    try {
      const other = await makeBuyer(server)
      expect((await server.call('vip/pay', { vipId: 2 }, other)).code).toBe(codeOf('clock_doubtful'))
      const chiefThen = await server.signUp({ role: 2 })
      const arrived = { orderNo: waiting, reference: `J${days}`, amountFen: 500_000 }
      expect((await server.call('office/confirmTransfer', arrived, chiefThen)).code).toBe(
        codeOf('clock_doubtful'),
      )
      await reconcile(server.ctx)
    } finally {
      server.forward(-days * dayMs)
    }
    expect(await memberOf(server, who)).toMatchObject({ vipLevel: 2, vipValid })
  })
})

test('an erased account leaves the books, and nothing that names it but issued invoices', async () => {
  const who = await makeBuyer(server)
  const orderNo = await buy(server, who, { vipId: 2 })
  const waiting = await order(server, who, { vipId: 4 })
  const { erase } = await import('../accounts/cancel.ts')
  await setMember(server, who, { cancelledAt: new Date() })
  const worker = makeWorker(server)
  await erase(worker, who.userId)
  worker.engine.close()
  expect((await orderOf(server, orderNo)).state).toBe('paid')
  expect((await orderOf(server, waiting)).state).toBe('cancelled')
  expect(await server.ctx.db.$count(terms, eq(terms.userId, who.userId))).toBe(0)
  // Money that comes then goes back.
  await payFor(server, waiting)
  await reconcile(server.ctx)
  expect((await orderOf(server, waiting)).state).toBe('refunded')
  expect((await server.call('office/orders', { search: orderNo }, chief)).data.orders[0]).toMatchObject({
    account: '',
    state: 'paid',
  })
})

test('the books balance after all that, no money is left on its way, and every deed is written down', async () => {
  await reconcile(server.ctx)
  expect(await findFaults(server.ctx.db)).toEqual([])
  const { rows } = await server.ctx.pool.query<{ returning: string }>(
    `select coalesce(sum(balance), 0) as returning from ledger_accounts where kind = 'returning'`,
  )
  const unsent = await server.ctx.db.select().from(refunds)
  const onTheWay = unsent.filter(({ sentAt }) => sentAt === null).reduce((sum, one) => sum + one.amountFen, 0)
  expect(Number(rows[0]?.returning)).toBe(onTheWay)
  for (const action of ['order.refund', 'order.returned', 'invoice.issued', 'invoice.refused', 'plan.save'])
    expect(await server.ctx.db.$count(auditEvents, eq(auditEvents.action, action))).toBeGreaterThan(0)
})
