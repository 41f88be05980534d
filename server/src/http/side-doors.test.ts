/** Other spellings of an address, other origins, other methods: each meets the rules of the route it reaches. */
import { connect } from 'node:net'
import { requests } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headersOf, makeServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

type Answer = { status: number; headers: string; code: number }

/** As it stands on the line: `fetch` would put an address right before it sends it. */
async function raw(
  target: string,
  { method = 'POST', headers = {}, at = server }: RawOptions = {},
): Promise<Answer> {
  const { port, hostname } = new URL(at.url)
  const lines = Object.entries({ host: `${hostname}:${port}`, connection: 'close', ...headers })
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  const text = await new Promise<string>((resolve, reject) => {
    let received = ''
    const line = connect(Number(port), hostname, () => line.write(`${head.join('\r\n')}\r\n\r\n`))
    line.on('data', (chunk) => {
      received += chunk.toString()
    })
    line.on('end', () => resolve(received))
    line.on('error', reject)
  })
  const [headers_ = '', ...body] = text.split('\r\n\r\n')
  const json = /\{.*\}/s.exec(body.join('\r\n\r\n'))?.[0]
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(headers_)?.[1])
  return { status, headers: headers_.toLowerCase(), code: json ? Number(JSON.parse(json).code) : 0 }
}
type RawOptions = { method?: string; headers?: Record<string, string>; at?: TestServer }

describe('another spelling of an address', () => {
  test.each([
    ['letters as numbers', '/%41I/api/setting/public'],
    ['all of them', '/%41%49/%61pi/%73etting/public'],
    ['a whole address', 'http://elsewhere.example/AI/api/setting/public'],
    ['a query behind it', '/AI/api/setting/public?x=/assets/'],
  ])('(%s) reaches the same call, whose answer nobody keeps', async (_, target) => {
    const { status, code, headers } = await raw(target)
    expect({ status, code }).toEqual({ status: 200, code: 10200 })
    expect(headers).toContain('cache-control: no-store')
    expect(headers).toContain('x-ratelimit-limit')
  })

  test.each([
    ['a second slash', '//AI/api/setting/public', 'POST'],
    ['a slash at the end', '/AI/api/setting/public/', 'POST'],
    ['another case', '/ai/API/setting/public', 'POST'],
    ['a semicolon', '/AI/api/setting/public;x', 'POST'],
    ['a slash as a number', '/AI/api%2Fsetting/public', 'POST'],
    ['dots', '/AI/api/user/../setting/public', 'POST'],
    ['dots as numbers', '/AI/api/user/%2e%2e/setting/public', 'POST'],
    ['reading instead of sending', '/%41I/api/user/info', 'GET'],
    ['asking for options', '/AI/api/user/info', 'OPTIONS'],
    ['a method nobody knows', '/AI/api/user/info', 'PROPFIND'],
    ['a long number of an upload', `/AI/api/chunk/upload/${'x'.repeat(500)}/more`, 'PATCH'],
  ])('(%s) that reaches none is not found, in the envelope, and counted', async (_, target, method) => {
    const { status, code, headers } = await raw(target, { method })
    expect({ status, code }).toEqual({ status: 404, code: 10404 })
    expect(headers).toContain('cache-control: no-store')
    expect(headers).toContain('x-ratelimit-limit')
    expect(headers).toContain('x-content-type-options: nosniff')
  })

  test.each([
    ['/%ff', 'GET'],
    ['/AI/api/%', 'POST'],
    ['/AI/api/chunk/upload/%zz', 'PATCH'],
    ['*', 'OPTIONS'],
    ['http://', 'GET'],
  ])('%s is refused in the envelope', async (target, method) => {
    const { status, code, headers } = await raw(target, { method })
    expect({ status, code }).toEqual({ status: 400, code: 10400 })
    expect(headers).toContain('x-ratelimit-limit')
    expect(headers).toContain('x-content-type-options: nosniff')
  })

  test('a number too long for an upload is met as every other one', async () => {
    const who = await server.signUp()
    const { code } = await raw(`/AI/api/chunk/upload/${'x'.repeat(500)}`, {
      method: 'HEAD',
      headers: headersOf(who),
    })
    expect(code).toBe(0)
  })
})

test('every spelling takes from the same allowance, while chunks of uploads take nothing', async () => {
  const fresh = await makeServer()
  const left = async (target: string, method = 'POST'): Promise<number> => {
    const { headers } = await raw(target, { method, at: fresh })
    return Number(/x-ratelimit-remaining: (\d+)/.exec(headers)?.[1] ?? Number.NaN)
  }
  const spellings = [
    '/AI/api/setting/public',
    '/%41I/api/setting/public',
    'http://elsewhere.example/AI/api/setting/public',
    '//AI/api/setting/public',
    '/nothing.here',
    '/%ff',
  ]
  for (const [index, target] of spellings.entries()) {
    expect(await left(target), target).toBe(requests.perMinute - 1 - index)
  }
  expect(await left('/AI/api/chunk/upload/none', 'PATCH')).toBeNaN()
  await fresh.close()
})

test('large bodies are few in a minute, so that reading them holds nobody up, and small ones go on', async () => {
  const fresh = await makeServer()
  const send = async (bytes: number): Promise<number> => {
    const body = JSON.stringify({ text: 'x'.repeat(bytes) })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${fresh.url}/AI/api/setting/public`, { method: 'POST', headers, body })).status
  }
  const statuses = new Set<number>()
  for (let sent = 0; sent < requests.largePerMinute; sent += 1) statuses.add(await send(requests.largeBytes))
  expect(statuses).not.toContain(429)
  expect(await send(requests.largeBytes)).toBe(429)
  expect(await send(1)).not.toBe(429)
  // Who does not say how large it is may mean anything.
  const { status } = await raw('/AI/api/setting/public', {
    headers: { 'transfer-encoding': 'chunked' },
    at: fresh,
  })
  expect(status).toBe(429)
  await fresh.close()
})

describe('a page of another origin', () => {
  const post = async (headers: Record<string, string>, at = server): Promise<number> =>
    (await raw('/AI/api/setting/public', { headers, at })).code
  const own = () => new URL(server.url).host

  test('may not call, whether or not its browser says from where', async () => {
    for (const origin of ['http://evil.example', `http://evil.${own()}`, 'http://127.0.0.1:9', 'null', 'x']) {
      expect(await post({ origin }), origin).toBe(10520)
    }
    expect(await post({ 'sec-fetch-site': 'cross-site' })).toBe(10520)
    expect(await post({ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' })).toBe(10520)
  })

  test('may not send chunks either', async () => {
    const { status, code } = await raw('/AI/api/chunk/upload', { headers: { origin: 'http://evil.example' } })
    expect({ status, code }).toEqual({ status: 403, code: 10520 })
  })

  test('is not the page of this server, by its address or the one that people use', async () => {
    expect(await post({ origin: `http://${own()}` })).toBe(10200)
    expect(await post({ origin: `http://${own()}`, 'sec-fetch-site': 'same-origin' })).toBe(10200)
    // A proxy that names itself as the host: the browser knows better.
    expect(await post({ origin: 'https://ward.example', 'sec-fetch-site': 'same-origin' })).toBe(10200)
    expect(await post({})).toBe(10200)
    const named = await makeServer({ publicUrl: 'https://ward.example' })
    expect(await post({ origin: 'https://ward.example' }, named)).toBe(10200)
    expect(await post({ origin: 'https://ward.example:8443' }, named)).toBe(10520)
    await named.close()
  })

  test('opens no live connection', async () => {
    const shake = (origin: string) =>
      raw('/AI/live/?EIO=4&transport=polling', { method: 'GET', headers: { origin } })
    expect((await shake('http://localhost:9')).status).toBe(403)
    expect((await shake('null')).status).toBe(403)
    expect((await shake(`http://${own()}`)).status).toBe(200)
  })
})

test('a token without the id of its owner is nobody’s', async () => {
  const { token, userId } = await server.signUp()
  const code = async (headers: Record<string, string>, body = ''): Promise<number> => {
    const response = await fetch(`${server.url}/AI/api/user/info`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: body || '{}',
    })
    return ((await response.json()) as { code: number }).code
  }
  expect(await code({ token, userId })).toBe(10200)
  expect(await code({ token })).toBe(10401)
  expect(await code({ token, userId: '' })).toBe(10401)
  expect(await code({ token }, JSON.stringify({ userId }))).toBe(10401)
})
