/** Codes through Tencent Cloud's service for text messages. Loaded only where it is the provider. */
import tencent from 'tencentcloud-sdk-nodejs-sms'
import type { SmsConfig } from '../../config.ts'
import type { SendSms } from './sms.ts'

const ENDPOINT = 'https://sms.tencentcloudapi.com'
/** Any will do for text messages; the service asks for one. */
const REGION = 'ap-guangzhou'

export function openTencent(config: SmsConfig, limitMs: number): SendSms {
  const { protocol, host } = new URL(config.endpoint ?? ENDPOINT)
  const account = new tencent.sms.v20210111.Client({
    credential: { secretId: config.keyId, secretKey: config.keySecret },
    region: REGION,
    profile: {
      httpProfile: { endpoint: host, protocol: `${protocol}//`, reqTimeout: Math.ceil(limitMs / 1000) },
    },
  })
  return async ({ to, code }) => {
    const { SendStatusSet } = await account.SendSms({
      PhoneNumberSet: [to],
      SmsSdkAppId: config.appId,
      SignName: config.sign,
      TemplateId: config.template,
      TemplateParamSet: [code],
    })
    const status = SendStatusSet?.[0]
    if (status?.Code !== 'Ok') throw new Error(`Tencent Cloud: ${status?.Code}: ${status?.Message}`)
  }
}
