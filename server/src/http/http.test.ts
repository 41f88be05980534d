import { calls } from '@neuroloom/contract/calls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headersOf, makeServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const post = (path: string, init: RequestInit): Promise<Response> =>
  fetch(`${server.url}/AI/api/${path}`, { method: 'POST', ...init })

describe('every call', () => {
  test('answers code, message and data', async () => {
    const response = await post('setting/public', {})
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      code: 10200,
      message: 'success',
      data: {
        host: 0,
        trial: true,
        outbox: true,
        registration: true,
        renewal: true,
        off: [],
        mail: true,
        letters: true,
        smsCountries: ['86'],
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      },
    })
  })

  test('reads a form as well as JSON, numbers and empty values included', async () => {
    const who = await server.signUp()
    const form = { nickName: 'Grace', age: '47', sex: 'female', userId: who.userId }
    const first = await post('user/edit', { headers: headersOf(who), body: new URLSearchParams(form) })
    expect(await first.json()).toMatchObject({
      code: 10200,
      nickName: 'Grace',
      data: { age: 47, sex: 'female' },
    })
    const second = await post('user/edit', {
      headers: headersOf(who),
      body: new URLSearchParams({ age: '' }),
    })
    expect(await second.json()).toMatchObject({ code: 10200, data: { nickName: 'Grace', age: null } })
  })

  test('names each wrong field with the key of its rule', async () => {
    const { code, data } = await server.call('user/login', { account: '', password: 'x'.repeat(2000) })
    expect(code).toBe(10422)
    expect(data.fields).toEqual({ account: 'form.required', password: 'form.too_big' })
  })

  test('says in the language of the page why it refuses', async () => {
    const ask = async (headers: Record<string, string>): Promise<string> => {
      const answer = (await (await post('user/info', { headers })).json()) as { message: string }
      return answer.message
    }
    expect(await ask({})).toMatch(/sign in/i)
    expect(await ask({ 'accept-language': 'ru-RU,ru;q=0.9' })).toMatch(/[а-я]/i)
    expect(await ask({ language: 'zh', 'accept-language': 'ru' })).toMatch(/\p{Script=Han}/u)
  })

  test('refuses what the pages of another site send', async () => {
    const response = await post('setting/public', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(await response.json()).toMatchObject({ code: 10520 })
  })
})

describe('what is no call', () => {
  test.each([
    ['an unknown path', 'nothing/here', {}, 404, 10404],
    ['a broken JSON', 'user/login', json('{"account":'), 400, 10400],
    ['a poisoned JSON', 'user/login', json('{"__proto__":{"role":2}}'), 400, 10400],
    [
      'a type of body that no call takes',
      'user/login',
      { headers: { 'content-type': 'text/plain' }, body: '{}' },
      400,
      10400,
    ],
    [
      'a body of two megabytes',
      'user/login',
      json(JSON.stringify({ account: 'x'.repeat(2 ** 21) })),
      413,
      10413,
    ],
    [
      'text that the database cannot hold',
      'user/login',
      json('{"account":"a\\u0000@b.c","password":"x"}'),
      400,
      10400,
    ],
  ])('%s is refused with a code', async (_, path, init, status, code) => {
    const response = await post(path, init)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({
      code,
      message: expect.any(String),
      data: { error: expect.any(String) },
    })
  })

  test('a list where an object belongs is refused as invalid', async () => {
    const response = await post('user/login', json('[1]'))
    expect(await response.json()).toMatchObject({ code: 10422, data: { fields: { body: 'form.invalid' } } })
  })

  test('an unknown GET below the API is JSON, never the page', async () => {
    const response = await fetch(`${server.url}/AI/api/user/info`)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toMatch(/json/)
  })
})

test('describes every call in OpenAPI 3.1 and shows a page for it', async () => {
  const response = await fetch(`${server.url}/AI/api/openapi.json`)
  const description = (await response.json()) as {
    openapi: string
    info: object
    servers: object
    paths: object
  }
  expect(description.openapi).toBe('3.1.0')
  expect(description.info).toMatchObject({ license: { identifier: 'Apache-2.0' } })
  expect(description.servers).toEqual([{ url: '/' }])
  expect(Object.keys(description.paths)).toHaveLength(Object.keys(calls).length)
  const page = await fetch(`${server.url}/AI/api/docs`)
  expect(await page.text()).toContain('swagger-ui-bundle.js')
  const bundle = await fetch(`${server.url}/AI/api/docs/swagger-ui-bundle.js`)
  expect(await bundle.text()).toContain('SwaggerUIBundle')
})

test('every answer carries the security headers and is not stored', async () => {
  const { headers } = await post('setting/public', {})
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-store')
})

function json(body: string): RequestInit {
  return { headers: { 'content-type': 'application/json' }, body }
}
