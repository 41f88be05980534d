/** Stands in for Alibaba Cloud and Tencent Cloud: checks each request's signature by their published rules, not by their packages. */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'

export type Sent = { to: string; code: string; sign: string; template: string; appId: string }
type Behaviour = 'answers' | 'refuses' | 'hangs' | 'drops'
type Account = { keyId: string; keySecret: string }

export type TextProvider = {
  url: string
  sent: Sent[]
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

export async function startTextProvider(account: Account): Promise<TextProvider> {
  const sent: Sent[] = []
  let behaviour: Behaviour = 'answers'
  const server = createServer(async (request, response) => {
    const body = await read(request)
    if (behaviour === 'hangs') return
    if (behaviour === 'drops') return request.socket.destroy()
    const answer = 'x-tc-action' in request.headers ? tencent : aliyun
    answer({ request, response, body, account, keep: (one) => behaviour === 'answers' && sent.push(one) > 0 })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on a port of TCP, never on a pipe.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    behave: (next) => {
      behaviour = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Asked = {
  request: IncomingMessage
  response: ServerResponse
  body: string
  account: Account
  /** False: refused. */
  keep(sent: Sent): boolean
}

/** ACS3-HMAC-SHA256, version 2017-05-25. */
function aliyun({ request, response, body, account, keep }: Asked): void {
  const { searchParams } = new URL(request.url ?? '', 'http://stand-in')
  const query = Object.fromEntries(searchParams)
  const wrong = acs3Problem(request, body, account)
  if (wrong) {
    reply(response, 400, { Code: 'SignatureDoesNotMatch', Message: wrong })
    return
  }
  const { code } = z.object({ code: z.string() }).parse(JSON.parse(query.TemplateParam ?? ''))
  const taken = keep({
    to: query.PhoneNumbers ?? '',
    code,
    sign: query.SignName ?? '',
    template: query.TemplateCode ?? '',
    appId: '',
  })
  reply(
    response,
    200,
    taken ? { Code: 'OK', Message: 'OK' } : { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: 'limit' },
  )
}

function acs3Problem(request: IncomingMessage, body: string, { keyId, keySecret }: Account): string | null {
  const { authorization = '' } = request.headers
  const [, id, names = '', signature] =
    /^ACS3-HMAC-SHA256 Credential=(.+),SignedHeaders=(.+),Signature=(.+)$/.exec(authorization) ?? []
  if (id !== keyId) return 'key'
  if (request.headers['x-acs-content-sha256'] !== sha256(body)) return 'body'
  const signed = names.split(';')
  if (!['host', 'x-acs-action', 'x-acs-date', 'x-acs-signature-nonce'].every((name) => signed.includes(name)))
    return 'headers'
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in')
  const query = [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const headers = signed.map((name) => `${name}:${String(request.headers[name]).trim()}\n`).join('')
  const canonical = [request.method, pathname, query, headers, names, sha256(body)].join('\n')
  const expected = hmac(keySecret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex')
  return signature === expected ? null : 'signature'
}

const tencentBody = z.object({
  PhoneNumberSet: z.tuple([z.string()]),
  SmsSdkAppId: z.string(),
  SignName: z.string(),
  TemplateId: z.string(),
  TemplateParamSet: z.tuple([z.string()]),
})

/** TC3-HMAC-SHA256, version 2021-01-11. */
function tencent({ request, response, body, account, keep }: Asked): void {
  const wrong = tc3Problem(request, body, account)
  if (wrong) {
    const error = { Code: 'AuthFailure.SignatureFailure', Message: wrong }
    reply(response, 200, { Response: { Error: error, RequestId: '1' } })
    return
  }
  const { PhoneNumberSet, SmsSdkAppId, SignName, TemplateId, TemplateParamSet } = tencentBody.parse(
    JSON.parse(body),
  )
  const [to] = PhoneNumberSet
  const [code] = TemplateParamSet
  const taken = keep({ to, code, sign: SignName, template: TemplateId, appId: SmsSdkAppId })
  const status = taken
    ? { Code: 'Ok', Message: 'send success' }
    : { Code: 'LimitExceeded.PhoneNumberDailyLimit', Message: 'limit' }
  reply(response, 200, { Response: { SendStatusSet: [status], RequestId: '1' } })
}

function tc3Problem(request: IncomingMessage, body: string, { keyId, keySecret }: Account): string | null {
  const { authorization = '' } = request.headers
  const [, id, date = '', service = '', names = '', signature] =
    /^TC3-HMAC-SHA256 Credential=(.+)\/(.+)\/(.+)\/tc3_request, SignedHeaders=(.+), Signature=(.+)$/.exec(
      authorization,
    ) ?? []
  if (id !== keyId) return 'key'
  const timestamp = Number(request.headers['x-tc-timestamp'])
  if (Math.abs(Date.now() / 1000 - timestamp) > 300) return 'time'
  if (new Date(timestamp * 1000).toISOString().slice(0, 10) !== date) return 'date'
  // Real addresses have no port, and the package signs none.
  const [host = ''] = (request.headers.host ?? '').split(':')
  const given: Record<string, unknown> = { ...request.headers, host }
  const headers = names
    .split(';')
    .map((name) => `${name}:${String(given[name]).trim().toLowerCase()}\n`)
    .join('')
  const canonical = [request.method, '/', '', headers, names, sha256(body)].join('\n')
  const scope = `${date}/${service}/tc3_request`
  const text = ['TC3-HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n')
  const key = [service, 'tc3_request'].reduce(hmac, hmac(`TC3${keySecret}`, date))
  return signature === hmac(key, text).toString('hex') ? null : 'signature'
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
