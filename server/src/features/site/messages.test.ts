import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Body } from '@neuroloom/contract/calls'
import { challenge, messages as limits } from '@neuroloom/contract/limits'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { drag } from '../../../test/drag.ts'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { outboxFolder } from '../../infra/messages/messages.ts'
import { visitorMessages } from './tables.ts'

let server: TestServer
let administrator: Session
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())
afterEach(async () => {
  await server.ctx.db.delete(visitorMessages)
  await rm(outboxFolder(server.ctx.config), { recursive: true, force: true })
  // Whatever was counted is over, and so is the administrator's session.
  server.forward(limits.perAddressMs)
})

const asAdministrator = async (): Promise<Session> => {
  administrator = await server.signUp({ role: 2 })
  return administrator
}
type Form = Body<'site/message'>
const makeMessage = (fields: Partial<Form> = {}): Form => ({
  kind: 'message',
  name: 'Wang Fang',
  contact: 'wang@example.test',
  text: 'How many images do I need?',
  ...fields,
})
const leave = async (fields: Partial<Form> = {}, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/AI/api/site/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(makeMessage({ proof: await drag(server, 'message'), ...fields })),
  })
  const { code, data } = (await response.json()) as { code: number; data: { fields?: object } }
  return { code, fields: data.fields }
}
const list = async (body: Body<'site/messages'> = {}) =>
  (await server.call('site/messages', body, administrator)).data
const answer = (id: string, text: string, who: Session | null = administrator) =>
  server.call('site/answer', { id, answer: text }, who)
async function outbox(): Promise<{ to: string; subject: string; text: string }[]> {
  const folder = outboxFolder(server.ctx.config)
  const names = await readdir(folder).catch(() => [])
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
}

describe('a visitor', () => {
  test('leaves a message, which an administrator finds', async () => {
    await asAdministrator()
    expect((await leave({ kind: 'consultation', topic: 'data', organ: 'City hospital' })).code).toBe(10200)
    const { items, openCount, next } = await list()
    expect(items).toMatchObject([
      {
        kind: 'consultation',
        topic: 'data',
        organ: 'City hospital',
        name: 'Wang Fang',
        contact: 'wang@example.test',
        text: 'How many images do I need?',
        answer: '',
        answeredAt: null,
      },
    ])
    expect({ openCount, next }).toEqual({ openCount: 1, next: null })
  })

  test('is told which field breaks which rule', async () => {
    const wrong: [Partial<Form>, object][] = [
      [{ name: ' ' }, { name: 'form.required' }],
      [{ contact: '' }, { contact: 'form.required' }],
      [{ contact: 'wang@' }, { contact: 'form.email_format' }],
      [{ contact: 'call me' }, { contact: 'form.phone_format' }],
      [{ text: '' }, { text: 'form.required' }],
      [{ text: 'x'.repeat(limits.textLength + 1) }, { text: 'form.too_big' }],
      [{ name: 'x'.repeat(limits.lineLength + 1) }, { name: 'form.too_big' }],
    ]
    for (const [fields, expected] of wrong)
      expect(await leave(fields)).toEqual({ code: 10422, fields: expected })
    expect(await server.ctx.db.$count(visitorMessages)).toBe(0)
  })

  test('who did not drag the slider has a few messages, and a used proof is none', async () => {
    const proof = await drag(server, 'message')
    expect((await leave({ proof })).code).toBe(10200)
    expect((await leave({ proof })).code).toBe(20002)
    expect((await leave({ proof: await drag(server, 'login') })).code).toBe(20002)
    const codes: number[] = []
    for (let count = 0; count <= challenge.unprovenTries; count += 1) {
      codes.push((await server.call('site/message', makeMessage())).code)
    }
    expect(codes).toEqual([...Array(challenge.unprovenTries).fill(10200), 20002])
  })

  test('has ten messages an hour, however many are sent at once', async () => {
    const codes = await Promise.all(
      Array.from({ length: limits.perAddress + 4 }, async () => (await leave()).code),
    )
    expect(codes.sort()).toEqual([...Array(limits.perAddress).fill(10200), ...Array(4).fill(20016)])
    server.forward(limits.perAddressMs)
    expect((await leave()).code).toBe(10200)
  })
})

describe('an administrator', () => {
  test('reads them page by page, newest first, open or answered', async () => {
    await asAdministrator()
    await server.ctx.pool.query(
      `insert into visitor_messages (kind, name, organ, contact, topic, text, language, address, at)
       select 'message', 'Visitor ' || n, '', 'v@example.test', '', 'Text', 'en', '203.0.113.9', now()
       from generate_series(1, $1) n`,
      [limits.pageSize + 2],
    )
    const first = await list()
    expect(first.items).toHaveLength(limits.pageSize)
    expect(first.items[0]?.name).toBe(`Visitor ${limits.pageSize + 2}`)
    const second = await list({ before: first.next ?? '' })
    expect(second.items.map(({ name }) => name)).toEqual(['Visitor 2', 'Visitor 1'])
    expect(second.next).toBeNull()

    await answer(second.items[0]?.id ?? '', '')
    expect((await list({ state: 'answered' })).items.map(({ name }) => name)).toEqual(['Visitor 2'])
    expect((await list({ state: 'all', before: first.next ?? '' })).items).toHaveLength(2)
    expect((await list({ before: first.next ?? '' })).items).toHaveLength(1)
    expect((await list()).openCount).toBe(limits.pageSize + 1)
  })

  test("answers by mail in the visitor's language and keeps the answer", async () => {
    await asAdministrator()
    await leave({}, { language: 'ru' })
    const [message] = (await list()).items
    expect((await answer(message?.id ?? '', 'Двадцати на класс хватит.')).data).toEqual({ isSent: true })
    expect(await outbox()).toMatchObject([
      {
        to: 'wang@example.test',
        subject: 'Neuroloom: ответ на ваше сообщение',
        text: expect.stringMatching(
          /^Здравствуйте, Wang Fang!\n\nДвадцати на класс хватит\.[\s\S]*> How many images do I need\?$/,
        ),
      },
    ])
    const answered = (await list({ state: 'answered' })).items
    expect(answered).toMatchObject([{ answer: 'Двадцати на класс хватит.', answeredAt: expect.any(String) }])
  })

  test('keeps an answer that cannot be sent by mail, or that says nothing', async () => {
    await asAdministrator()
    await leave({ contact: '+86 138 0013 8000' })
    await leave()
    const { items } = await list()
    const isSent = []
    for (const { id, contact } of items) {
      const text = contact.startsWith('+') ? 'Twenty a class.' : ''
      isSent.push((await answer(id, text)).data.isSent)
    }
    expect(isSent).toEqual([false, false])
    expect(await outbox()).toEqual([])
    expect((await list()).openCount).toBe(0)
  })

  test('may try again when the mail did not go out', async () => {
    await asAdministrator()
    await leave()
    const [message] = (await list()).items
    // Where the folder of the outbox should be, there is a file.
    await writeFile(outboxFolder(server.ctx.config), '')
    expect((await answer(message?.id ?? '', 'Twenty.')).code).toBe(20008)
    expect(await list()).toMatchObject({ openCount: 1, items: [{ answer: '', answeredAt: null }] })
    await rm(outboxFolder(server.ctx.config))
    expect((await answer(message?.id ?? '', 'Twenty.')).data.isSent).toBe(true)
  })

  test('alone may see and answer them, and only those that there are', async () => {
    await asAdministrator()
    const { account: _, ...member } = await server.signUp()
    expect((await server.call('site/messages', {}, member)).code).toBe(10403)
    expect((await server.call('site/messages', {})).code).toBe(10401)
    expect((await answer('1', 'x', member)).code).toBe(10403)
    expect((await answer('1', 'x', null)).code).toBe(10401)
    for (const id of ['999999', 'x', '', '9'.repeat(30)]) expect((await answer(id, 'x')).code, id).toBe(20201)
  })
})

test('the agreement is where it is said to be', async () => {
  const { code, data } = await server.call('setting/contract', {})
  expect({ code, data }).toEqual({
    code: 10200,
    data: { url: '/agreement/Neuroloom-Agreement-Chinese.pdf' },
  })
})
