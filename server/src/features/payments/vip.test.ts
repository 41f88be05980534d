import { dayMs, membership } from '@neuroloom/contract/limits'
import { addYears } from '@neuroloom/contract/membership/offer'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { memberForm } from '../../../test/member-form.ts'
import { buy, makeBuyer, memberOf, order, orderOf, payFor, setMember } from '../../../test/payments/member.ts'
import { codeOf } from '../../http/fail.ts'
import { auditEvents } from '../../infra/audit.ts'
import { notices } from '../../infra/notices.ts'
import { balanceOf, findFaults } from '../ledger/service.ts'
import { receive } from './callbacks.ts'
import { callbackOf, payAtCashier } from './cashier/cashier.ts'
import type { Reported } from './provider.ts'
import { orders, payments } from './tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const OK = 10200
const offersOf = async (who: Session) => (await server.call('vip/offers', {}, who)).data
const offerOf = async (who: Session, id: number) =>
  (await offersOf(who)).offers.find((offer) => offer.id === id)
const pointsOf = (who: Session) =>
  balanceOf(server.ctx.db, { owner: who.userId, kind: 'points', unit: 'point' })

test('the plans of the specification', async () => {
  const { data } = await server.call('vip/list', {}, await makeBuyer(server))
  expect(data.map(({ level, price, number }) => [level, price, number])).toEqual([
    [1, 0, 1],
    [2, 5000, 1],
    [3, 10_000, 1],
    [4, 20_000, 1],
  ])
})

test('bronze is ordered, paid at the cashier and given for a year, with points, once', async () => {
  const who = await makeBuyer(server)
  const { data } = await server.call('vip/pay', { vipId: 2, payMethod: 0 }, who)
  expect(data.qrCodeUrl).toMatch(/^\/dev\/cashier\?/)
  const orderNo = data.orderNo ?? ''
  expect((await server.call('payment/wechat/payState', { orderNo }, who)).data).toBe(0)
  for (let times = 0; times < 3; times += 1) expect((await payFor(server, orderNo)).status).toBe(200)
  expect((await server.call('payment/wechat/payState', { orderNo }, who)).data).toBe(1)
  const { vipLevel, vipValid } = await memberOf(server, who)
  const { paidAt } = await orderOf(server, orderNo)
  expect([vipLevel, vipValid]).toEqual([2, addYears(paidAt ?? new Date(0), 1)])
  expect(await pointsOf(who)).toBe(5000)
  const told = and(eq(notices.userId, who.userId), eq(notices.kind, 'plan_paid'))
  expect(await server.ctx.db.$count(notices, told)).toBe(1)
})

test('a form, as the specification sends it, orders too', async () => {
  const who = await makeBuyer(server)
  const response = await fetch(`${server.url}/AI/api/vip/pay`, {
    method: 'POST',
    headers: { token: who.token, userId: who.userId },
    body: new URLSearchParams({
      vipId: '3',
      payMethod: '1',
      invoice: '0',
      invoiceType: '',
      userId: who.userId,
    }),
  })
  expect(await response.json()).toMatchObject({
    code: OK,
    data: { orderNo: expect.stringMatching(/^\d{20}$/) },
  })
})

test('what was paid is known without any callback: the page asks, and the provider is asked', async () => {
  const who = await makeBuyer(server)
  const orderNo = await order(server, who, { vipId: 2 })
  await payAtCashier(server.ctx, orderNo)
  expect((await server.call('payment/alipay/payState', { orderNo }, who)).data).toBe(1)
  expect((await memberOf(server, who)).vipLevel).toBe(2)
})

test('a renewal begins where the membership ends', async () => {
  const who = await makeBuyer(server)
  await buy(server, who, { vipId: 3 })
  const { vipValid } = await memberOf(server, who)
  expect(await offerOf(who, 3)).toMatchObject({ kind: 'renewal', payFen: 1_000_000, creditFen: 0 })
  await buy(server, who, { vipId: 3 })
  expect((await memberOf(server, who)).vipValid).toEqual(addYears(vipValid ?? new Date(0), 1))
})

test('an upgrade begins today, and takes the unused days of what was paid off the price', async () => {
  const who = await makeBuyer(server)
  await buy(server, who, { vipId: 2 })
  await age(who, 100)
  const days = Math.round((addYears(new Date(), 1).getTime() - Date.now()) / dayMs)
  // A day that has begun is used.
  const creditFen = Math.floor((500_000 * (days - 101)) / days)
  expect(await offerOf(who, 4)).toMatchObject({ kind: 'upgrade', creditFen, payFen: 2_000_000 - creditFen })
  expect((await server.call('vip/pay', { vipId: 4, payFen: 1 }, who)).code).toBe(codeOf('price_changed'))
  await buy(server, who, { vipId: 4 })
  expect((await memberOf(server, who)).vipLevel).toBe(4)
  // What was taken off is not taken off again.
  expect(await offerOf(who, 4)).toMatchObject({ kind: 'renewal', creditFen: 0 })
  expect(await pointsOf(who)).toBe(5000 + Math.floor((2_000_000 - creditFen) / 100))
})

test('unused days that are worth more than the higher plan become days on top, and nothing is paid', async () => {
  const who = await makeBuyer(server)
  for (let year = 0; year < 3; year += 1) await buy(server, who, { vipId: 2 })
  const offer = await offerOf(who, 3)
  expect(offer).toMatchObject({ kind: 'upgrade', payFen: 0, priceFen: 1_000_000 })
  expect(offer?.extraDays).toBe(Math.floor((((offer?.creditFen ?? 0) - 1_000_000) * 365) / 1_000_000))
  expect((await server.call('vip/pay', { vipId: 3 }, who)).data).toEqual({})
  const { vipLevel, vipValid } = await memberOf(server, who)
  expect([vipLevel, vipValid?.toISOString().slice(0, 10)]).toEqual([3, offer?.until?.slice(0, 10)])
})

describe('refused is', () => {
  const refused = async (stored: Parameters<typeof makeBuyer>[1], vipId: number) => {
    const who = await makeBuyer(server, stored)
    const { code } = await server.call('vip/pay', { vipId }, who)
    return code
  }
  const inAYear = new Date(Date.now() + 365 * dayMs)
  test.each([
    ['whoever has no name yet', { name: '' }, 2, 'information_needed'],
    ['a lower level than one has', { vipLevel: 4, vipValid: inAYear }, 2, 'level_higher'],
    ['a plan that one has for ever', { vipLevel: 3, vipValid: null }, 3, 'level_endless'],
    ['a super member', { vipSuper: 1 }, 4, 'super_member'],
    ['the free plan before the full form', { vipLevel: 0, type: 0 }, 1, 'form_needed'],
    ['the free plan that one has', {}, 1, 'level_held'],
  ] as const)('%s', async (_, stored, vipId, error) => {
    expect(await refused(stored, vipId)).toBe(codeOf(error))
  })

  test('a plan that does not exist', async () => {
    expect(await refused({}, 5)).toBe(codeOf('invalid'))
    expect(await refused({}, 0)).toBe(codeOf('invalid'))
  })

  test.each([
    [{ invoiceType: undefined }, 'invoiceType', 'invoice.type_required'],
    [{ invoiceType: 0, invoiceTitle: ' ' }, 'invoiceTitle', 'invoice.title_required'],
    [{ invoiceType: 1, invoiceTitle: 'Hospital' }, 'invoiceTax', 'invoice.tax_required'],
    [{ invoiceType: 1, invoiceTitle: 'Hospital', invoiceTax: '91;1' }, 'invoiceTax', 'invoice.tax_format'],
  ])('an invoice with %o', async (form, field, problem) => {
    const { code, data } = await server.call(
      'vip/pay',
      { vipId: 2, invoice: 1, ...form },
      await makeBuyer(server),
    )
    expect(code).toBe(codeOf('invalid'))
    expect(data.fields?.[field]).toBe(problem)
  })

  test('more orders in an hour than anybody means', async () => {
    const who = await makeBuyer(server)
    for (let count = 0; count < membership.orders; count += 1)
      expect((await server.call('vip/pay', { vipId: 2 + (count % 2) }, who)).code).toBe(OK)
    expect((await server.call('vip/pay', { vipId: 4 }, who)).code).toBe(codeOf('rate_limited'))
  })
})

test('two tabs order the same: it is one order', async () => {
  const who = await makeBuyer(server)
  const [one, other] = await Promise.all([1, 2].map(() => order(server, who, { vipId: 2 })))
  expect(one).toBe(other)
})

test('somebody else’s order number is unknown, and so is one of the other provider', async () => {
  const who = await makeBuyer(server)
  const orderNo = await order(server, who, { vipId: 2, payMethod: 1 })
  const other = await makeBuyer(server)
  const missing = codeOf('order_missing')
  expect((await server.call('payment/alipay/payState', { orderNo }, other)).code).toBe(missing)
  expect((await server.call('payment/wechat/payState', { orderNo }, who)).code).toBe(missing)
  expect((await server.call('payment/cancel', { orderNo }, other)).code).toBe(missing)
  expect((await server.call('payment/orders', {}, other)).data.orders).toEqual([])
})

test('an order that is paid cannot be cancelled; one that waits can, and what is paid for it goes back', async () => {
  const who = await makeBuyer(server)
  const paid = await buy(server, who, { vipId: 2 })
  expect((await server.call('payment/cancel', { orderNo: paid }, who)).code).toBe(codeOf('order_paid'))
  const waiting = await order(server, who, { vipId: 4 })
  // Between the last look at the provider and the cancelling, somebody has scanned.
  await server.ctx.db.update(orders).set({ state: 'cancelled' }).where(eq(orders.orderNo, waiting))
  expect(await payAtCashier(server.ctx, waiting)).not.toBeNull()
  await payFor(server, waiting)
  expect((await orderOf(server, waiting)).state).toBe('returning')
  expect((await memberOf(server, who)).vipLevel).toBe(2)
  expect((await server.call('payment/alipay/payState', { orderNo: waiting }, who)).data).toBe(3)
})

test('a later order takes the place of the one that waits; who pays the old one gets the money back', async () => {
  const who = await makeBuyer(server)
  const first = await order(server, who, { vipId: 2 })
  const second = await order(server, who, { vipId: 3 })
  await payFor(server, second)
  await payFor(server, first)
  expect([(await orderOf(server, first)).state, (await orderOf(server, second)).state]).toEqual([
    'returning',
    'paid',
  ])
  expect((await memberOf(server, who)).vipLevel).toBe(3)
  expect(await pointsOf(who)).toBe(10_000)
})

test('an order that is paid late counts, as long as it would still be the same', async () => {
  const who = await makeBuyer(server)
  const orderNo = await order(server, who, { vipId: 2 })
  const callback = await payAtCashier(server.ctx, orderNo)
  server.forward(2 * membership.orderMs)
  await receive(server.ctx, 'alipay', { ...(callback ?? never()), address: '' })
  server.forward(-2 * membership.orderMs)
  expect((await orderOf(server, orderNo)).state).toBe('paid')
})

test('a visitor who fills in the full form while an order waits gets what was paid for', async () => {
  const who = await server.signUp({ vipLevel: 0 })
  await setMember(server, who, { name: 'Visitor' })
  expect(await memberOf(server, who)).toMatchObject({ vipLevel: 0, type: 0 })
  const orderNo = await order(server, who, { vipId: 2 })
  const edited = await server.call('user/edit', { userId: who.userId, ...memberForm }, who)
  expect([edited.code, edited.data.vipLevel]).toEqual([OK, 1])
  // The same wish is still the same order.
  expect(await order(server, who, { vipId: 2 })).toBe(orderNo)
  await payFor(server, orderNo)
  expect((await orderOf(server, orderNo)).state).toBe('paid')
  expect((await memberOf(server, who)).vipLevel).toBe(2)
})

test('a level that an administrator gave meanwhile is not overwritten: the money goes back', async () => {
  const who = await makeBuyer(server)
  const orderNo = await order(server, who, { vipId: 2 })
  await setMember(server, who, { vipLevel: 4 })
  await payFor(server, orderNo)
  expect((await orderOf(server, orderNo)).state).toBe('returning')
  expect((await memberOf(server, who)).vipLevel).toBe(4)
})

describe('not believed, written down and answered without a hint is', () => {
  test.each([
    ['another amount', { amountFen: 499_999 }, 'payment.amount'],
    ['another currency', { currency: 'USD' }, 'payment.amount'],
    ['an order that does not exist', { orderNo: '20260101000000000000' }, 'payment.unknown'],
    ['a payment without a number', { transactionId: '' }, 'payment.transaction'],
  ])('%s', async (_, changed, action) => {
    const who = await makeBuyer(server)
    const orderNo = await order(server, who, { vipId: 2 })
    const before = await server.ctx.db.$count(auditEvents, eq(auditEvents.action, action))
    const reported: Reported = {
      ...{
        orderNo,
        state: 'paid' as const,
        transactionId: `t${orderNo}`,
        amountFen: 500_000,
        currency: 'CNY',
      },
      ...{ paidAt: new Date() },
      ...changed,
    }
    const { status, text } = await notify('alipay', callbackOf(server.ctx, reported))
    expect([status, text]).toEqual([400, 'no'])
    expect(await server.ctx.db.$count(auditEvents, eq(auditEvents.action, action))).toBe(before + 1)
    expect((await orderOf(server, orderNo)).state).toBe('waiting')
  })

  test('a forged signature, a body that is none, and the other provider’s address', async () => {
    const who = await makeBuyer(server)
    const orderNo = await order(server, who, { vipId: 2, payMethod: 1 })
    const reported: Reported = {
      ...{ orderNo, state: 'paid' as const, transactionId: 't', amountFen: 500_000, currency: 'CNY' },
      paidAt: new Date(),
    } as const
    const { raw, headers } = callbackOf(server.ctx, reported)
    const forged = { headers, raw: Buffer.from(raw.toString().replace('500000', '500001')) }
    for (let times = 0; times < 5; times += 1) expect((await notify('alipay', forged)).text).toBe('no')
    // A flood of them is one line a minute.
    const lines = await server.ctx.db.$count(auditEvents, eq(auditEvents.action, 'payment.forged'))
    expect([1, 2]).toContain(lines)
    expect((await notify('alipay', { headers: {}, raw: Buffer.from('{') })).text).toBe('no')
    expect((await notify('wechat', { headers, raw })).text).toBe('no')
    expect((await orderOf(server, orderNo)).state).toBe('waiting')
    expect((await notify('alipay', { headers, raw })).text).toBe('ok')
    expect((await orderOf(server, orderNo)).state).toBe('paid')
    // A second payment of the same order is no payment of it.
    const second = callbackOf(server.ctx, { ...reported, transactionId: 'u' })
    expect((await notify('alipay', second)).text).toBe('no')
    expect(await server.ctx.db.$count(payments, eq(payments.orderNo, orderNo))).toBe(1)
  })
})

test('on a hospital’s own server none of it is there', async () => {
  const own = await makeServer({ deployment: 'private' })
  try {
    const who = await own.signUp()
    const chief = await own.signUp({ role: 2 })
    for (const path of ['vip/list', 'vip/offers', 'payment/orders', 'points/list'] as const)
      expect((await own.call(path, {}, who)).code).toBe(codeOf('not_found'))
    expect((await own.call('vip/pay', { vipId: 2 }, who)).code).toBe(codeOf('not_found'))
    expect((await own.call('office/orders', {}, chief)).code).toBe(codeOf('not_found'))
    expect((await fetch(`${own.url}/AI/api/payment/alipay/notify`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${own.url}/dev/cashier`, { method: 'POST' })).status).toBe(404)
  } finally {
    await own.close()
  }
})

test('the books balance after all that', async () => {
  expect(await findFaults(server.ctx.db)).toEqual([])
})

async function notify(method: 'alipay' | 'wechat', { headers, raw }: ReturnType<typeof callbackOf>) {
  const response = await fetch(`${server.url}/AI/api/payment/${method}/notify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
    body: new Uint8Array(raw),
  })
  return { status: response.status, text: await response.text() }
}

/** As if it had been bought so many days ago. */
async function age({ userId }: Session, days: number): Promise<void> {
  const { pool } = server.ctx
  const by = `make_interval(days => ${days})`
  await pool.query(
    `update terms set from_at = from_at - ${by}, until_at = until_at - ${by} where user_id = $1`,
    [userId],
  )
  await pool.query(`update users set vip_valid = vip_valid - ${by} where id = $1`, [userId])
}

const never = (): never => {
  throw new Error('The cashier took no money')
}
