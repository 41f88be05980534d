import { membership as limits } from '@neuroloom/contract/limits'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AlipayStandIn, startAlipay } from '../../../../test/payments/alipay-standin.ts'
import { keyFiles, keyPair, pem } from '../../../../test/payments/standing.ts'
import { type Callback, type Provider, ProviderError } from '../provider.ts'
import { createAlipay } from './alipay.ts'

const start = new Date('2026-11-27T23:30:00Z')
const order = {
  orderNo: '20261127233000000001',
  amountFen: 12_905,
  subject: '神经织机 A=B',
  expiresAt: new Date('2026-11-28T00:00:00Z'),
  notifyUrl: 'https://neuroloom.test/api/vip/callback/alipay',
}
const { orderNo } = order
const refund = { orderNo, refundNo: 'R1', amountFen: 5_000, totalFen: 12_905, reason: 'changed my mind' }
const stranger = keyPair()

let clock = start
const now = () => clock
let alipay: AlipayStandIn
let provider: Provider
beforeAll(async () => {
  alipay = await startAlipay(now)
})
beforeEach(() => {
  provider = createAlipay(alipay.config, now)
})
afterEach(() => {
  clock = start
  alipay.behave('answers')
  alipay.orders.clear()
  alipay.calls.length = 0
})
afterAll(() => alipay.close())

/** The callback with another value in place of one: as sent, so its signature is no longer right. */
function tampered({ headers, raw }: Callback, changes: Record<string, string>): Callback {
  const form = new URLSearchParams(raw.toString())
  for (const [name, value] of Object.entries(changes)) form.set(name, value)
  return { headers, raw: Buffer.from(form.toString()) }
}

describe('an order', () => {
  test('is asked for in yuan and by the clock of Shanghai, and gives the text of a code', async () => {
    expect(await provider.request(order)).toBe(`https://qr.alipay.test/${orderNo}`)
    expect(alipay.orders.get(orderNo)).toMatchObject({
      amountFen: 12_905,
      subject: '神经织机 A B',
      expires: '2026-11-28 08:00:00',
      notifyUrl: order.notifyUrl,
    })
    expect(await provider.request(order)).toBe(`https://qr.alipay.test/${orderNo}`)
  })

  test('is unknown until its code is scanned, then waits, then is paid', async () => {
    await provider.request(order)
    expect(await provider.ask(orderNo)).toBeNull()
    alipay.scan(orderNo)
    const waiting = {
      orderNo,
      state: 'waiting',
      transactionId: '',
      amountFen: 12_905,
      currency: 'CNY',
      paidAt: null,
    }
    expect(await provider.ask(orderNo)).toEqual(waiting)
    alipay.pay(orderNo)
    const paid = { ...waiting, state: 'paid', transactionId: `20${orderNo}`, paidAt: start }
    expect(await provider.ask(orderNo)).toEqual(paid)
  })

  test('is closed while it waits, and once more; a paid one is not', async () => {
    await provider.close(orderNo)
    await provider.request(order)
    await provider.close(orderNo)
    alipay.scan(orderNo)
    await provider.close(orderNo)
    expect(await provider.ask(orderNo)).toMatchObject({ state: 'closed', transactionId: '' })
    await provider.close(orderNo)
    alipay.orders.clear()
    await provider.request(order)
    alipay.pay(orderNo)
    await expect(provider.close(orderNo)).rejects.toThrow('Alipay: refused (ACQ.TRADE_STATUS_ERROR)')
    expect(await provider.ask(orderNo)).toMatchObject({ state: 'paid' })
  })

  test('is paid back once by the same number, at most whole, and then stands as refunded', async () => {
    await provider.request(order)
    alipay.pay(orderNo)
    expect(await provider.refund(refund)).toBe('done')
    expect(await provider.refund(refund)).toBe('done')
    expect([...(alipay.orders.get(orderNo)?.refunds ?? [])]).toEqual([['R1', 5_000]])
    await expect(provider.refund({ ...refund, refundNo: 'R2', amountFen: 8_000 })).rejects.toThrow('refused')
    expect(await provider.refund({ ...refund, refundNo: 'R2', amountFen: 7_905 })).toBe('done')
    expect(await provider.ask(orderNo)).toMatchObject({ state: 'refunded', paidAt: start })
  })

  test('paid back with the same number but another amount is not taken for done', async () => {
    await provider.request(order)
    alipay.pay(orderNo)
    await provider.refund(refund)
    expect(await provider.refund({ ...refund, amountFen: 4_000 })).toBe('pending')
  })
})

describe('an answer', () => {
  beforeEach(async () => {
    await provider.request(order)
    alipay.scan(orderNo)
  })

  test.each(['unsigned', 'forged', 'doubled'] as const)('that is %s is refused', async (behaviour) => {
    alipay.behave(behaviour)
    const calls = [
      () => provider.request(order),
      () => provider.ask(orderNo),
      () => provider.ask('20261127233000000002'),
      () => provider.close('20261127233000000002'),
      () => provider.refund(refund),
    ]
    for (const call of calls) {
      const error: unknown = await call().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ProviderError)
      expect(error).toHaveProperty('message', 'Alipay: an answer that Alipay did not sign')
    }
  })

  test('about another order is refused', async () => {
    Object.assign(alipay.orders.get(orderNo) ?? {}, { orderNo: '20261127233000000002' })
    await expect(provider.ask(orderNo)).rejects.toThrow('Alipay: an answer about another order')
  })

  test.each(['hangs', 'drops'] as const)(
    'is not waited for when it %s, and names no address',
    async (behaviour) => {
      alipay.behave(behaviour)
      const hasty = createAlipay(alipay.config, now, 200)
      const error = await hasty.ask(orderNo).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ProviderError)
      expect(String(error)).toMatch(/^ProviderError: Alipay: no answer \(\w+\)$/)
      expect(error).not.toHaveProperty('cause')
    },
  )

  test('is refused to whoever signs with another key', async () => {
    const files = keyFiles()
    const keyPath = files.write('other.pem', pem(stranger.privateKey))
    await expect(createAlipay({ ...alipay.config, keyPath }, now).ask(orderNo)).rejects.toThrow(
      'Alipay: refused (isv.invalid-signature)',
    )
    files.remove()
  })
})

describe('a callback', () => {
  beforeEach(() => provider.request(order))

  test('of a payment is read, as often as it comes', async () => {
    const callback = alipay.pay(orderNo)
    const paid = {
      orderNo,
      state: 'paid',
      transactionId: `20${orderNo}`,
      amountFen: 12_905,
      currency: 'CNY',
      paidAt: start,
    }
    expect(await provider.read(callback)).toEqual(paid)
    expect(await provider.read(callback)).toEqual(paid)
    const finished = alipay.notify(orderNo, {
      fields: { trade_status: 'TRADE_FINISHED', trans_currency: 'USD' },
    })
    expect(await provider.read(finished)).toEqual({ ...paid, currency: 'USD' })
  })

  test('of a trade that waits or was closed is read; of a refund, or of something else, is no payment', async () => {
    alipay.scan(orderNo)
    expect(await provider.read(alipay.notify(orderNo))).toMatchObject({ state: 'waiting', transactionId: '' })
    const closed = alipay.notify(orderNo, { fields: { trade_status: 'TRADE_CLOSED' } })
    expect(await provider.read(closed)).toMatchObject({ state: 'closed', transactionId: '' })
    alipay.pay(orderNo)
    await provider.refund(refund)
    expect(await provider.read(alipay.notify(orderNo))).toBeNull()
    expect(
      await provider.read(alipay.notify(orderNo, { fields: { notify_type: 'dut_user_sign' } })),
    ).toBeNull()
  })

  test.each<[string, (paid: Callback) => Callback]>([
    ['another amount', (paid) => tampered(paid, { total_amount: '129.06' })],
    ['another order', (paid) => tampered(paid, { out_trade_no: '20261127233000000002' })],
    ['one field more', (paid) => tampered(paid, { trans_currency: 'USD' })],
    ['no signature', (paid) => tampered(paid, { sign: '' })],
    ['an older kind of signature', () => alipay.notify(orderNo, { type: 'RSA' })],
    ['a signature by another key', () => alipay.notify(orderNo, { key: stranger.privateKey })],
    ['another application', () => alipay.notify(orderNo, { fields: { app_id: '2021000000000002' } })],
    ['an amount in another writing', () => alipay.notify(orderNo, { fields: { total_amount: '129.050' } })],
    ['a state that is none', () => alipay.notify(orderNo, { fields: { trade_status: 'TRADE_PENDING' } })],
    ['a time that is none', () => alipay.notify(orderNo, { fields: { gmt_payment: '2026-02-31 10:00:00' } })],
    [
      'a field twice',
      ({ headers, raw }) => ({ headers, raw: Buffer.concat([Buffer.from('total_amount=0.01&'), raw]) }),
    ],
    ['nothing in it', ({ headers }) => ({ headers, raw: Buffer.alloc(0) })],
    ['too much in it', ({ headers }) => ({ headers, raw: Buffer.alloc(limits.callbackBytes + 1, 'a') })],
  ])('with %s is refused', async (_, change) => {
    const callback = change(alipay.pay(orderNo))
    await expect(provider.read(callback)).rejects.toThrow(ProviderError)
  })

  test('in which two fields pose as one is refused', async () => {
    alipay.pay(orderNo)
    await provider.refund(refund)
    const { headers, raw } = alipay.notify(orderNo)
    const form = new URLSearchParams(raw.toString())
    // What is signed reads the same: gmt_payment=…&gmt_refund=…
    form.set('fund_bill_list', `${form.get('fund_bill_list')}&gmt_payment=${form.get('gmt_payment')}`)
    form.delete('gmt_payment')
    await expect(provider.read({ headers, raw: Buffer.from(form.toString()) })).rejects.toThrow('two ways')
  })

  test('is refused before and after its time', async () => {
    const callback = alipay.pay(orderNo)
    clock = new Date(start.getTime() + limits.callbackMs)
    expect(await provider.read(callback)).toMatchObject({ state: 'paid' })
    for (const offMs of [limits.callbackMs + 1_000, -limits.callbackMs - 1_000]) {
      clock = new Date(start.getTime() + offMs)
      await expect(provider.read(callback)).rejects.toThrow('Alipay: a callback of another time')
    }
  })

  test('is answered in a word that says nothing else', () => {
    expect(provider.answer(true)).toEqual({ status: 200, type: 'text/plain', body: 'success' })
    expect(provider.answer(false)).toEqual({ status: 200, type: 'text/plain', body: 'fail' })
  })
})
