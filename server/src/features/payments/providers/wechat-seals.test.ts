import { membership as limits } from '@neuroloom/contract/limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keyPair } from '../../../../test/payments/standing.ts'
import { startWechat, type WechatStandIn } from '../../../../test/payments/wechat-standin.ts'
import type { Provider } from '../provider.ts'
import { createWechat } from './wechat.ts'

const start = new Date('2026-11-27T23:30:00Z')
const orderNo = '20261127233000000001'
const order = {
  orderNo,
  amountFen: 12_905,
  subject: 'Gold',
  expiresAt: start,
  notifyUrl: 'https://neuroloom.test/api/vip/callback/wechat',
}
const stranger = keyPair()

let clock: Date
const now = () => clock
let wechat: WechatStandIn
let provider: Provider
beforeEach(async () => {
  clock = start
  wechat = await startWechat(now)
  provider = createWechat(wechat.config, now)
})
afterEach(() => wechat.close())

const later = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}
const fetches = () => wechat.calls.filter((call) => call === 'GET /v3/certificates').length

describe('certificates', () => {
  test('are fetched once, and once more when another one signs', async () => {
    await provider.request(order)
    await provider.ask(orderNo)
    expect(await provider.read(wechat.pay(orderNo))).toMatchObject({ state: 'paid' })
    expect(fetches()).toBe(1)
    later(60_000)
    const before = wechat.notify(orderNo)
    wechat.rotate()
    expect(await provider.read(wechat.notify(orderNo))).toMatchObject({ state: 'paid' })
    await provider.ask(orderNo)
    expect(fetches()).toBe(2)
    await expect(provider.read(before)).rejects.toThrow('a certificate that is not known')
  })

  test('are fetched at most once a minute, however many unknown numbers come', async () => {
    await provider.request(order)
    const forge = (serial: string) =>
      provider.read(wechat.notify(orderNo, { key: stranger.privateKey, serial }))
    for (let minute = 0; minute < 3; minute++) {
      const forged = Array.from({ length: 20 }, (_, index) => forge(`F${minute}${index}`))
      for (const { status } of await Promise.allSettled(forged)) expect(status).toBe('rejected')
      await expect(forge('F')).rejects.toThrow('a certificate that is not known')
      expect(fetches()).toBe(1 + minute)
      later(60_000)
    }
    expect(await provider.read(wechat.pay(orderNo))).toMatchObject({ state: 'paid' })
  })

  test('are not fetched for callbacks that are too old anyway', async () => {
    await provider.request(order)
    const { headers, raw } = wechat.pay(orderNo)
    later(limits.callbackMs + 1_000)
    const forged = { headers: { ...headers, 'wechatpay-serial': 'ABCD' }, raw }
    await expect(provider.read(forged)).rejects.toThrow('another time')
    expect(fetches()).toBe(1)
  })

  test('that come in an answer of somebody else are not kept', async () => {
    wechat.behave('forged')
    await expect(provider.ask(orderNo)).rejects.toThrow('not signed by WeChat Pay')
    wechat.behave('answers')
    await expect(provider.ask(orderNo)).rejects.toThrow('a certificate that is not known')
    later(60_000)
    expect(await provider.ask(orderNo)).toBeNull()
  })

  test('that have ended verify nothing', async () => {
    await provider.request(order)
    later(366 * 86_400_000)
    await expect(provider.ask(orderNo)).rejects.toThrow('a certificate that is not known')
  })
})

test('one public key signs for newer merchants, and no certificates are asked for', async () => {
  const config = { ...wechat.config, publicKey: wechat.useKey() }
  const withKey = createWechat(config, now)
  await withKey.request(order)
  expect(await withKey.read(wechat.pay(orderNo))).toMatchObject({ state: 'paid' })
  expect(fetches()).toBe(0)
  await expect(withKey.read(wechat.notify(orderNo, { key: stranger.privateKey }))).rejects.toThrow(
    'not signed by',
  )
  await expect(withKey.read(wechat.notify(orderNo, { serial: 'PUB_KEY_ID_1' }))).rejects.toThrow(
    'WeChat Pay: no certificates (404)',
  )
  const without = createWechat(wechat.config, now)
  await expect(without.ask(orderNo)).rejects.toThrow('WeChat Pay: no certificates (404)')
  wechat.rotate()
  later(60_000)
  expect(await withKey.ask(orderNo)).toMatchObject({ state: 'paid' })
})
