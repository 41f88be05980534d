/** Codes by text message through a provider's own package, loaded when the first one is sent. Knows no limits and no accounts. */
import type { SmsConfig } from '../../config.ts'
import { PROVIDER_MS, within } from '../within.ts'

/** Hands a code over to the provider, which fills it into a text that it approved before. */
export type SendSms = (message: { to: string; code: string }) => Promise<void>

export function createSms(config: SmsConfig, limitMs = PROVIDER_MS): SendSms {
  let opened: Promise<SendSms> | undefined
  return async (message) => {
    opened ??= open(config, limitMs)
    const send = await opened
    await within(limitMs, send(message)).catch((error: unknown) => {
      // Without its cause: an address in it holds the number and the code.
      throw new Error(String(error).replaceAll(/\d{5,}/g, '…'))
    })
  }
}

async function open(config: SmsConfig, limitMs: number): Promise<SendSms> {
  switch (config.provider) {
    case 'aliyun':
      return (await import('./sms-aliyun.ts')).openAliyun(config, limitMs)
    case 'tencent':
      return (await import('./sms-tencent.ts')).openTencent(config, limitMs)
    default:
      return config.provider satisfies never
  }
}
