/** Codes through Alibaba Cloud's service for text messages. Loaded only where it is the provider. */
import client from '@alicloud/dysmsapi20170525'
import { $OpenApiUtil } from '@alicloud/openapi-core'
import type { SmsConfig } from '../config.ts'
import type { SendSms } from './sms.ts'

const ENDPOINT = 'https://dysmsapi.aliyuncs.com'
const MAINLAND = '+86'

export function openAliyun(config: SmsConfig, limitMs: number): SendSms {
  const { protocol, host } = new URL(config.endpoint ?? ENDPOINT)
  const { default: Client, SendSmsRequest } = client
  const account = new Client(
    new $OpenApiUtil.Config({
      accessKeyId: config.keyId,
      accessKeySecret: config.keySecret,
      endpoint: host,
      protocol: protocol.replace(':', ''),
      connectTimeout: limitMs,
      readTimeout: limitMs,
    }),
  )
  return async ({ to, code }) => {
    const request = new SendSmsRequest({
      phoneNumbers: numberOf(to),
      signName: config.sign,
      templateCode: config.template,
      templateParam: JSON.stringify({ code }),
    })
    const { body } = await account.sendSms(request)
    if (body?.code !== 'OK') throw new Error(`Alibaba Cloud: ${body?.code}: ${body?.message}`)
  }
}

/** Mainland numbers stand alone; others begin with their area code, without a plus sign. */
const numberOf = (to: string): string => (to.startsWith(MAINLAND) ? to.slice(MAINLAND.length) : to.slice(1))
