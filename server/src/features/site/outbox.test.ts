import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Answer } from '@neuroloom/contract/calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { askForCode, messagesTo } from '../../../test/outbox.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

type Shown = { status: number; page: string }

const open = (headers: Record<string, string> = {}, at = server): Promise<Shown> =>
  new Promise((resolve, reject) => {
    const asked = request(`${at.url}/dev/outbox`, { headers }, async (response) => {
      resolve({ status: response.statusCode ?? 0, page: await text(response) })
    })
    asked.on('error', reject).end()
  })

test('shows members’ codes at this machine, and never those of administrators', async () => {
  const member = await server.signUp()
  const chief = await server.signUp({ role: 2 })
  for (const { account } of [member, chief]) {
    expect((await askForCode(server, account, 'forget')).code).toBe(10200)
    await expect.poll(async () => (await messagesTo(server, account)).length).toBe(1)
  }
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080']) {
    const { status, page } = await open({ host })
    expect(status).toBe(200)
    expect(page).toContain(member.account)
    expect(page).not.toContain(chief.account)
  }
})

test.each([
  ['another machine’s name (a page that was pointed here)', { host: 'evil.example' }],
  ['a name that begins like ours', { host: 'localhost.evil.example' }],
  ['a proxy that names whom it asks for', { 'x-forwarded-for': '203.0.113.9' }],
  ['a proxy that names itself', { via: '1.1 proxy' }],
  ['a proxy by the standard', { forwarded: 'for=203.0.113.9' }],
])('is closed to %s', async (_, headers) => {
  const { status, page } = await open(headers)
  expect(status).toBe(403)
  expect(page).toContain('OUTBOX_OPEN=1')
  expect(page).not.toContain('@example.test')
  expect(await isPromised(headers)).toBe(false)
})

test('is promised where it opens', async () => {
  expect(await isPromised({ host: '127.0.0.1:8080' })).toBe(true)
  const opened = await makeServer({ outboxOpen: true })
  expect(await isPromised({ host: 'ward.example' }, opened)).toBe(true)
  await opened.close()
})

/** What `setting/public` says to a page; `fetch` writes the host itself. */
const isPromised = (headers: Record<string, string>, at = server): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    const asked = request(`${at.url}/AI/api/setting/public`, options, async (response) => {
      const answer: Answer<'setting/public'> = JSON.parse(await text(response)).data
      resolve(answer.outbox)
    })
    asked.on('error', reject).end('{}')
  })

test('is closed where a proxy was set up, and to one that speaks an old protocol', async () => {
  for (const settings of [{ trustProxy: ['127.0.0.1'] }, { publicUrl: 'http://ward.example' }]) {
    const behind = await makeServer(settings)
    expect((await open({}, behind)).status).toBe(403)
    await behind.close()
  }
  const { port, hostname } = new URL(server.url)
  const line = connect(Number(port), hostname)
  line.end(`GET /dev/outbox HTTP/1.0\r\nhost: ${hostname}:${port}\r\n\r\n`)
  expect(await text(line)).toMatch(/^HTTP\/1.1 403/)
})

test('is open to everybody only where the operator says so, and missing in production', async () => {
  const opened = await makeServer({ outboxOpen: true })
  expect((await open({ host: 'ward.example', 'x-forwarded-for': '203.0.113.9' }, opened)).status).toBe(200)
  await opened.close()
  const real = await makeServer({ mode: 'production', outboxOpen: true })
  expect((await open({}, real)).page).not.toContain('<h1>Outbox')
  await real.close()
})
