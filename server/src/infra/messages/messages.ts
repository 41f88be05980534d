/** Text messages and e-mails to people. The trial keeps them in a folder of its own instead of sending them. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { newId } from '../ids.ts'
import { createMail, type Mail } from './mail.ts'
import { createSms } from './sms.ts'

/** A code by text message. Providers fill it into a text of theirs; `text` is what the trial shows. */
export type CodeMessage = {
  /** With a plus sign and the area code. */
  to: string
  code: string
  text: string
}

/** What cannot be sent is not offered, see `features/accounts/access.ts`. */
export type Messages = {
  canText: boolean
  canMail: boolean
  /** Resolves once the message is handed over; rejects when it is not. */
  sendCode(message: CodeMessage): Promise<void>
  sendMail(mail: Mail): Promise<void>
}

/** What the trial keeps of either kind. */
type Kept = { kind: 'sms' | 'mail'; to: string; subject?: string; text: string; at: string }

export const outboxFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'outbox')

/** Real providers belong to production; what is not set up there is not sent and not kept. */
export function createMessages(config: Config, now: () => Date): Messages {
  if (config.mode === 'production') return ofProviders(config)
  const folder = outboxFolder(config)
  const keep = (message: Omit<Kept, 'at'>) => keepIn(folder, { ...message, at: now().toISOString() })
  return {
    canText: true,
    canMail: true,
    sendCode: ({ to, text }) => keep({ kind: 'sms', to, text }),
    sendMail: ({ to, subject, text }) => keep({ kind: 'mail', to, subject, text }),
  }
}

function ofProviders({ sms, mail }: Config): Messages {
  const nobody = () => Promise.reject(new Error('No provider is set up'))
  return {
    canText: sms !== undefined,
    canMail: mail !== undefined,
    sendCode: sms ? createSms(sms) : nobody,
    sendMail: mail ? createMail(mail) : nobody,
  }
}

async function keepIn(folder: string, message: Kept): Promise<void> {
  await mkdir(folder, { recursive: true })
  // Names sort by time.
  const name = `${message.at.replaceAll(/[:.]/g, '-')}-${newId()}.json`
  const path = join(folder, name)
  await writeFile(`${path}.part`, `${JSON.stringify(message)}\n`)
  await rename(`${path}.part`, path)
}
