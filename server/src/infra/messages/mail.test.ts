import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../../test/mail-server.ts'
import { createMail } from './mail.ts'

const from = 'Neuroloom <no-reply@neuroloom.test>'

let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
})
afterEach(() => server.behave('takes'))
afterAll(() => server.close())

test.each([
  ['Your Neuroloom code', 'Use this code:\n\n    012345\n'],
  ['Neuroloom 验证码', '您的验证码是：\n\n    012345\n'],
  ['Ваш код Neuroloom', 'Ваш код:\n\n    012345\n\nНикому его не сообщайте: мы никогда его не спрашиваем.\n'],
])('%s arrives as it was written', async (subject, text) => {
  await createMail({ url: server.url, from })({ to: 'nurse@hospital.test', subject, text })
  const message = server.received.at(-1)
  expect(message).toMatchObject({ from: 'no-reply@neuroloom.test', to: ['nurse@hospital.test'], subject })
  expect(message?.text.trimEnd()).toBe(text.trimEnd())
  expect(message?.headers).toMatch(/^From: Neuroloom <no-reply@neuroloom\.test>/m)
  expect(message?.headers).toMatch(/^Content-Type: text\/plain; charset=utf-8/m)
})

test('a refused address is a failure', async () => {
  server.behave('refuses')
  const send = createMail({ url: server.url, from })
  await expect(send({ to: 'nobody@hospital.test', subject: 'Code', text: '1' })).rejects.toThrow(
    /no such box/,
  )
})

test('a wrong password is a failure', async () => {
  const send = createMail({ url: server.url.replace(':secret@', ':wrong@'), from })
  await expect(send({ to: 'nurse@hospital.test', subject: 'Code', text: '1' })).rejects.toThrow(/login/i)
})

test('a mail server that does not answer is given up', async () => {
  server.behave('hangs')
  const send = createMail({ url: server.url, from }, 300)
  await expect(send({ to: 'nurse@hospital.test', subject: 'Code', text: '1' })).rejects.toThrow()
})
