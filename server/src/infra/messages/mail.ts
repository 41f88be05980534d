/** E-mails by the operator's own mail server. Plain text alone; knows no accounts. */
import { createTransport } from 'nodemailer'
import type { MailConfig } from '../../config.ts'
import { PROVIDER_MS, within } from '../within.ts'

export type Mail = { to: string; subject: string; text: string }

/** Resolves once the mail server has taken the message. */
export function createMail({ url, from }: MailConfig, limitMs = PROVIDER_MS): (mail: Mail) => Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    dnsTimeout: limitMs,
    // What somebody wrote is never an address of a file to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, subject, text }) => {
    await within(limitMs, transport.sendMail({ from, to, subject, text }))
  }
}
