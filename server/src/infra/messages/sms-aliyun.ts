/** Codes through Alibaba Cloud's service for text messages. Loaded only where it is the provider. */
import { createRequire } from 'node:module'
import { $OpenApiUtil } from '@alicloud/openapi-core'
import type { SmsConfig } from '../../config.ts'
import type { SendSms } from './sms.ts'

const require = createRequire(import.meta.url)
// Required, because what `default` of its CommonJS is differs between Node and test runners; typed by its own types.
const aliyun = require('@alicloud/dysmsapi20170525') as typeof import('@alicloud/dysmsapi20170525')

const ENDPOINT = 'https://dysmsapi.aliyuncs.com'
const MAINLAND = '+86'

export function openAliyun(config: SmsConfig, limitMs: number): SendSms {
  const { protocol, host } = new URL(config.endpoint ?? ENDPOINT)
  const account = new aliyun.default(
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
    const request = new aliyun.SendSmsRequest({
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
