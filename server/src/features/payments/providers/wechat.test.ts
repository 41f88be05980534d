import { membership as limits } from '@neuroloom/contract/limits'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { certificate } from '../../../../test/payments/certificate.ts'
import { keyFiles, keyPair, pem } from '../../../../test/payments/standing.ts'
import { startWechat, type WechatStandIn } from '../../../../test/payments/wechat-standin.ts'
import { type Callback, type Provider, ProviderError } from '../provider.ts'
import { createWechat } from './wechat.ts'

const start = new Date('2026-11-27T23:30:00Z')
const order = {
  orderNo: '20261127233000000001',
  amountFen: 12_905,
  subject: '神经织机'.repeat(20),
  expiresAt: new Date('2026-11-28T00:00:00Z'),
  notifyUrl: 'https://neuroloom.test/api/vip/callback/wechat',
}
const { orderNo } = order
const refund = {
  orderNo,
  refundNo: 'R1',
  amountFen: 5_000,
  totalFen: 12_905,
  reason: '改变主意'.repeat(20),
}
const stranger = keyPair()

let clock = start
const now = () => clock
let wechat: WechatStandIn
let provider: Provider
beforeAll(async () => {
  wechat = await startWechat(now)
})
beforeEach(() => {
  provider = createWechat(wechat.config, now)
})
afterEach(() => {
  clock = start
  wechat.behave('answers')
  wechat.refundAs('SUCCESS')
  wechat.orders.clear()
  wechat.calls.length = 0
})
afterAll(() => wechat.close())

const later = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}

describe('an order', () => {
  test('is asked for in fen and by the clock of Shanghai, and gives the text of a code', async () => {
    const code = `weixin://wxpay/bizpayurl?pr=${orderNo}`
    expect(await provider.request(order)).toBe(code)
    expect(wechat.orders.get(orderNo)).toMatchObject({
      amountFen: 12_905,
      subject: '神经织机'.repeat(20).slice(0, 42),
      expires: '2026-11-28T08:00:00+08:00',
      notifyUrl: order.notifyUrl,
    })
    expect(await provider.request(order)).toBe(code)
  })

  test('is unknown before it is asked for, then waits, then is paid', async () => {
    expect(await provider.ask(orderNo)).toBeNull()
    await provider.request(order)
    expect(await provider.ask(orderNo)).toMatchObject({ state: 'waiting', transactionId: '', paidAt: null })
    wechat.pay(orderNo)
    expect(await provider.ask(orderNo)).toEqual({
      orderNo,
      state: 'paid',
      transactionId: `42${orderNo}`,
      amountFen: 12_905,
      currency: 'CNY',
      paidAt: start,
    })
  })

  test('is closed while it waits, and once more; a paid one is not', async () => {
    await provider.close(orderNo)
    await provider.request(order)
    await provider.close(orderNo)
    await provider.close(orderNo)
    expect(await provider.ask(orderNo)).toMatchObject({ state: 'closed' })
    wechat.orders.clear()
    await provider.request(order)
    wechat.pay(orderNo)
    await expect(provider.close(orderNo)).rejects.toThrow('WeChat Pay: refused (ORDERPAID)')
  })

  test('is paid back once by the same number', async () => {
    await provider.request(order)
    wechat.pay(orderNo)
    wechat.refundAs('PROCESSING')
    expect(await provider.refund(refund)).toBe('pending')
    wechat.refundAs('SUCCESS')
    expect(await provider.refund(refund)).toBe('done')
    expect([...(wechat.orders.get(orderNo)?.refunds ?? [])]).toEqual([['R1', 5_000]])
    expect(await provider.ask(orderNo)).toMatchObject({ state: 'refunded', paidAt: start })
    await expect(provider.refund({ ...refund, refundNo: 'R2', amountFen: 8_000 })).rejects.toThrow(
      'NOT_ENOUGH',
    )
    await expect(provider.refund({ ...refund, amountFen: 4_000 })).rejects.toThrow('about another refund')
    for (const status of ['ABNORMAL', 'CLOSED'] as const) {
      wechat.refundAs(status)
      await expect(provider.refund(refund)).rejects.toThrow(`WeChat Pay: refused (${status})`)
    }
  })
})

describe('an answer', () => {
  test.each(['unsigned', 'forged'] as const)(
    'that is %s is refused, with its certificates',
    async (behaviour) => {
      wechat.behave(behaviour)
      await expect(provider.request(order)).rejects.toThrow(ProviderError)
      wechat.behave('answers')
      later(60_000)
      await provider.request(order)
      wechat.behave(behaviour)
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
        expect(String(error)).toMatch(/WeChat Pay: (without a signature|not signed by WeChat Pay)$/)
      }
    },
  )

  test('signed more than five minutes off is refused', async () => {
    await provider.request(order)
    const slow = createWechat(wechat.config, () => new Date(clock.getTime() - 301_000))
    await expect(slow.ask(orderNo)).rejects.toThrow('signed at another time')
  })

  test('about another order is refused', async () => {
    await provider.request(order)
    Object.assign(wechat.orders.get(orderNo) ?? {}, { orderNo: '20261127233000000002' })
    await expect(provider.ask(orderNo)).rejects.toThrow('WeChat Pay: an answer about another order')
  })

  test.each(['hangs', 'drops'] as const)(
    'is not waited for when it %s, and names no address',
    async (behaviour) => {
      wechat.behave(behaviour)
      const error = await createWechat(wechat.config, now, 200)
        .ask(orderNo)
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ProviderError)
      expect(String(error)).toMatch(/^ProviderError: WeChat Pay: no answer \(\w+\)$/)
      expect(error).not.toHaveProperty('cause')
    },
  )

  test('is a refusal for whoever signs with another key', async () => {
    const files = keyFiles()
    const key = stranger.privateKey
    const until = new Date(start.getTime() + 86_400_000)
    const config = {
      ...wechat.config,
      keyPath: files.write('key.pem', pem(key)),
      certPath: files.write('cert.pem', certificate({ key, serial: '5157', from: start, until })),
    }
    await expect(createWechat(config, now).ask(orderNo)).rejects.toThrow('WeChat Pay: no certificates (401)')
    files.remove()
  })
})

describe('a callback', () => {
  beforeEach(() => provider.request(order))

  test('of a payment is read, as often as it comes', async () => {
    const paid = {
      orderNo,
      state: 'paid',
      transactionId: `42${orderNo}`,
      amountFen: 12_905,
      currency: 'CNY',
      paidAt: start,
    }
    const callback = wechat.pay(orderNo)
    expect(await provider.read(callback)).toEqual(paid)
    expect(await provider.read(callback)).toEqual(paid)
    const inDollars = wechat.notify(orderNo, { fields: { amount: { total: 12_905, currency: 'USD' } } })
    expect(await provider.read(inDollars)).toEqual({ ...paid, currency: 'USD' })
  })

  test('of a refund, or of something else, is no payment', async () => {
    wechat.pay(orderNo)
    for (const event of ['REFUND.SUCCESS', 'REFUND.CLOSED', 'COUPON.USE']) {
      expect(await provider.read(wechat.notify(orderNo, { event }))).toBeNull()
    }
  })

  test.each<[string, (paid: Callback) => Callback]>([
    ['another body', ({ headers }) => ({ headers, raw: wechat.pay(orderNo).raw })],
    ['one byte more', ({ headers, raw }) => ({ headers, raw: Buffer.concat([raw, Buffer.from(' ')]) })],
    ['another time', (paid) => withHeader(paid, 'wechatpay-timestamp', String(start.getTime() / 1000 + 1))],
    ['a time that is none', (paid) => withHeader(paid, 'wechatpay-timestamp', 'now')],
    ['no signature', (paid) => withHeader(paid, 'wechatpay-signature', '')],
    ['no number of a certificate', (paid) => withHeader(paid, 'wechatpay-serial', '')],
    ['the number of another certificate', (paid) => withHeader(paid, 'wechatpay-serial', 'ABCD')],
    ['a signature by another key', () => wechat.notify(orderNo, { key: stranger.privateKey })],
    ['a content of another secret', () => wechat.notify(orderNo, { secret: 'f'.repeat(32) })],
    ['another merchant', () => wechat.notify(orderNo, { fields: { mchid: '1900000002' } })],
    ['another application', () => wechat.notify(orderNo, { fields: { appid: 'wx0000000000000002' } })],
    ['half a fen', () => wechat.notify(orderNo, { fields: { amount: { total: 1.5 } } })],
    ['no number of a payment', () => wechat.notify(orderNo, { fields: { transaction_id: '' } })],
    ['a state that is none', () => wechat.notify(orderNo, { fields: { trade_state: 'PAID' } })],
    ['nothing in it', ({ headers }) => ({ headers, raw: Buffer.alloc(0) })],
    ['too much in it', ({ headers }) => ({ headers, raw: Buffer.alloc(limits.callbackBytes + 1, ' ') })],
  ])('with %s is refused', async (_, change) => {
    const callback = change(wechat.pay(orderNo))
    await expect(provider.read(callback)).rejects.toThrow(ProviderError)
  })

  test('is refused before and after its time', async () => {
    const callback = wechat.pay(orderNo)
    later(limits.callbackMs)
    expect(await provider.read(callback)).toMatchObject({ state: 'paid' })
    for (const offMs of [limits.callbackMs + 1_000, -limits.callbackMs - 1_000]) {
      clock = new Date(start.getTime() + offMs)
      await expect(provider.read(callback)).rejects.toThrow('signed at another time')
    }
  })

  test('is answered in words that say nothing else', () => {
    expect(provider.answer(true)).toMatchObject({ status: 200, body: '{"code":"SUCCESS"}' })
    expect(provider.answer(false)).toMatchObject({ status: 500, body: '{"code":"FAIL","message":"FAIL"}' })
  })
})

const withHeader = ({ headers, raw }: Callback, name: string, value: string): Callback => ({
  headers: { ...headers, [name]: value },
  raw,
})
