/** The whole server before stand-ins of Alipay and WeChat Pay, as in production. */
import { membership } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { type AlipayStandIn, startAlipay } from '../../../test/payments/alipay-standin.ts'
import { makeBuyer, memberOf, order, orderOf } from '../../../test/payments/member.ts'
import { keyPair } from '../../../test/payments/standing.ts'
import { startWechat, type WechatStandIn } from '../../../test/payments/wechat-standin.ts'
import { codeOf } from '../../http/fail.ts'
import { findFaults } from '../ledger/service.ts'
import type { Callback } from './provider.ts'
import { reconcile } from './reconcile.ts'
import { orders } from './tables.ts'

let server: TestServer
let chief: Session
let alipay: AlipayStandIn
let wechat: WechatStandIn
let aheadMs = 0
beforeAll(async () => {
  // One clock for all of them.
  const now = () => new Date(Date.now() + aheadMs)
  alipay = await startAlipay(now)
  wechat = await startWechat(now)
  server = await makeServer({
    ...{ mode: 'production', publicUrl: 'https://neuroloom.test' },
    ...{ alipay: alipay.config, wechat: wechat.config },
  })
  chief = await server.signUp({ role: 2 })
})
afterAll(async () => {
  await server?.close()
  await alipay?.close()
  await wechat?.close()
})

const methods = [
  { method: 'wechat', payMethod: 0, standIn: () => wechat, heard: /SUCCESS/, code: /^weixin:/ },
  { method: 'alipay', payMethod: 1, standIn: () => alipay, heard: /^success$/, code: /^https:/ },
] as const
type Method = (typeof methods)[number]['method']

describe.each(methods)('$method', ({ method, payMethod, standIn, heard, code }) => {
  const payState = async (orderNo: string, who: Session) =>
    (await server.call(`payment/${method}/payState`, { orderNo }, who)).data

  test('its code is paid, told by its callback as often as it likes, and given back', async () => {
    const who = await makeBuyer(server)
    const { data } = await server.call('vip/pay', { vipId: 2, payMethod }, who)
    expect(data.qrCodeUrl).toMatch(code)
    const orderNo = data.orderNo ?? ''
    const callback = standIn().pay(orderNo)
    for (let times = 0; times < 3; times += 1) expect(await notify(method, callback)).toMatch(heard)
    expect(await payState(orderNo, who)).toBe(1)
    expect((await memberOf(server, who)).vipLevel).toBe(2)
    const refund = { orderNo, amountFen: 500_000, reason: 'as agreed' }
    expect((await server.call('office/refund', refund, chief)).code).toBe(10200)
    await reconcile(server.ctx)
    expect((await orderOf(server, orderNo)).state).toBe('refunded')
    expect(standIn().orders.get(orderNo)?.state).toBe('refunded')
  })

  test('a callback that got lost is not needed: the page asks', async () => {
    const who = await makeBuyer(server)
    const orderNo = await order(server, who, { vipId: 3, payMethod })
    expect(await payState(orderNo, who)).toBe(0)
    standIn().pay(orderNo)
    await server.ctx.db.update(orders).set({ askedAt: null }).where(eq(orders.orderNo, orderNo))
    expect(await payState(orderNo, who)).toBe(1)
  })

  test('a callback that somebody else signed changes nothing', async () => {
    const who = await makeBuyer(server)
    const orderNo = await order(server, who, { vipId: 2, payMethod })
    standIn().pay(orderNo)
    const forged = standIn().notify(orderNo, { key: keyPair().privateKey })
    expect(await notify(method, forged)).not.toMatch(heard)
    expect((await orderOf(server, orderNo)).state).toBe('waiting')
  })

  test('money that comes for a cancelled order goes back by itself', async () => {
    const who = await makeBuyer(server)
    const orderNo = await order(server, who, { vipId: 2, payMethod })
    await server.ctx.db.update(orders).set({ state: 'cancelled' }).where(eq(orders.orderNo, orderNo))
    expect(await notify(method, standIn().pay(orderNo))).toMatch(heard)
    await reconcile(server.ctx)
    expect(standIn().orders.get(orderNo)?.state).toBe('refunded')
    expect((await memberOf(server, who)).vipLevel).toBe(1)
  })

  test('while it does not answer, nothing is ordered, and what waits stays as it is', async () => {
    const [one, other] = [await makeBuyer(server), await makeBuyer(server)]
    const orderNo = await order(server, one, { vipId: 2, payMethod })
    standIn().behave('drops')
    const refused = await server.call('vip/pay', { vipId: 2, payMethod }, other)
    expect(refused.code).toBe(codeOf('payment_unreachable'))
    expect((await server.call('payment/orders', {}, other)).data.orders[0]?.state).toBe('cancelled')
    expect(await payState(orderNo, one)).toBe(0)
    standIn().behave('answers')
  })

  test('an order that nobody paid ends there as well', async () => {
    const orderNo = await order(server, await makeBuyer(server), { vipId: 2, payMethod })
    forward(2 * membership.orderMs)
    await reconcile(server.ctx)
    forward(-2 * membership.orderMs)
    expect(await orderOf(server, orderNo)).toMatchObject({ state: 'expired', closedAt: expect.any(Date) })
  })
})

test('there is no test cashier, and no way to pay that is not set up', async () => {
  const who = await makeBuyer(server)
  const offers = (await server.call('vip/offers', {}, who)).data
  expect([offers.methods, offers.isTrial, offers.bank]).toEqual([['wechat', 'alipay'], false, null])
  expect((await server.call('vip/pay', { vipId: 2, payMethod: 2 }, who)).code).toBe(codeOf('method_closed'))
  expect((await fetch(`${server.url}/dev/cashier`, { method: 'POST' })).status).toBe(404)
})

test('the books balance', async () => {
  expect(await findFaults(server.ctx.db)).toEqual([])
})

function forward(ms: number): void {
  aheadMs += ms
  server.forward(ms)
}

async function notify(method: Method, { headers, raw }: Callback): Promise<string> {
  const response = await fetch(`${server.url}/AI/api/payment/${method}/notify`, {
    method: 'POST',
    // The stand-ins give one text to each name.
    headers: headers as Record<string, string>,
    body: new Uint8Array(raw),
  })
  return response.text()
}
