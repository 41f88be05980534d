import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTextProvider, type TextProvider } from '../../../test/text-provider.ts'
import type { SmsConfig } from '../../config.ts'
import { createSms } from './sms.ts'

const account = { keyId: 'key-of-ours', keySecret: 'secret-of-ours' }

let provider: TextProvider
beforeAll(async () => {
  provider = await startTextProvider(account)
})
afterEach(() => {
  provider.sent.length = 0
  provider.behave('answers')
})
afterAll(() => provider.close())

const configOf = (name: SmsConfig['provider'], changes: Partial<SmsConfig> = {}): SmsConfig => ({
  provider: name,
  ...account,
  sign: '神经织机',
  template: 'SMS_1',
  appId: name === 'tencent' ? '1400006666' : '',
  endpoint: provider.url,
  ...changes,
})

describe.each([
  { name: 'aliyun', mainland: '13800138000', abroad: '79161234567', appId: '' },
  { name: 'tencent', mainland: '+8613800138000', abroad: '+79161234567', appId: '1400006666' },
] as const)('$name', ({ name, mainland, abroad, appId }) => {
  test('takes a signed request with the code for its template', async () => {
    const send = createSms(configOf(name))
    await send({ to: '+8613800138000', code: '012345' })
    await send({ to: '+79161234567', code: '678901' })
    const rest = { sign: '神经织机', template: 'SMS_1', appId }
    expect(provider.sent).toEqual([
      { to: mainland, code: '012345', ...rest },
      { to: abroad, code: '678901', ...rest },
    ])
  })

  test('refuses what another key has signed', async () => {
    const send = createSms(configOf(name, { keySecret: 'another secret' }))
    await expect(send({ to: '+8613800138000', code: '012345' })).rejects.toThrow(/signature/i)
    expect(provider.sent).toEqual([])
  })

  test('that does not send is a failure that says why', async () => {
    provider.behave('refuses')
    const send = createSms(configOf(name))
    await expect(send({ to: '+8613800138000', code: '012345' })).rejects.toThrow(/limit/i)
  })

  test('that does not answer is given up', async () => {
    provider.behave('hangs')
    const send = createSms(configOf(name), 300)
    await expect(send({ to: '+8613800138000', code: '012345' })).rejects.toThrow()
  })

  test('that breaks off leaves neither number nor code in the failure', async () => {
    provider.behave('drops')
    const error: unknown = await createSms(configOf(name))({ to: '+8613800138000', code: '912345' }).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(Error)
    const { message, stack, cause } = error as Error
    expect(cause).toBeUndefined()
    for (const secret of ['912345', '13800138000', account.keySecret]) {
      expect(`${message}${stack}`).not.toContain(secret)
    }
  })
})
