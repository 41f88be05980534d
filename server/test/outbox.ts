/** What the trial's outbox holds, and the codes in it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CodePurpose } from '@neuroloom/contract/accounts/sign-up'
import { codes as limits } from '@neuroloom/contract/limits'
import { expect } from 'vitest'
import { outboxFolder } from '../src/infra/messages/messages.ts'
import type { TestServer } from './harness.ts'

type Message = { kind: 'sms' | 'mail'; to: string; subject?: string; text: string }

/** Oldest first. */
export async function messagesTo(server: TestServer, to: string): Promise<Message[]> {
  const folder = outboxFolder(server.ctx.config)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  // The outbox holds what `messages.ts` writes.
  return texts.map((text) => JSON.parse(text) as Message).filter((message) => message.to === to)
}

/** Asks for a code as a page does: by text message for a mainland number, by e-mail for an address. */
export const askForCode = (server: TestServer, account: string, purpose: CodePurpose = 'register') =>
  account.includes('@')
    ? server.call('user/mailcode', { email: account, purpose })
    : server.call('user/smscode', {
        gjPhone: account.replace('+', ''),
        phone: account.replace('+86', ''),
        purpose,
      })

/** Asks for a code and reads it from the message. */
export async function codeFor(
  server: TestServer,
  account: string,
  purpose: CodePurpose = 'register',
): Promise<string> {
  // An address may ask for few codes without the slider's proof; its hour passes here.
  server.forward(limits.perAddressMs)
  const before = (await messagesTo(server, account)).length
  expect((await askForCode(server, account, purpose)).code).toBe(10200)
  // For a forgotten password the message follows the answer.
  await expect.poll(async () => (await messagesTo(server, account)).length).toBe(before + 1)
  const messages = await messagesTo(server, account)
  return /\d{6}/.exec(messages.at(-1)?.text ?? '')?.[0] ?? ''
}

export const wrongOf = (code: string): string => (code === '111111' ? '222222' : '111111')
