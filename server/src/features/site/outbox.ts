/** What the trial did not send, as a page for whoever sits at the server; there is none in production. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { roles } from '@neuroloom/contract/accounts/roles'
import { languages } from '@neuroloom/contract/language'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isAtThisMachine } from '../../http/loopback.ts'
import type { Context } from '../../infra/context.ts'
import { markupText } from '../../infra/html.ts'
import { outboxFolder } from '../../infra/messages/messages.ts'
import { sayer } from '../../infra/texts.ts'
import { accountKey } from '../accounts/access.ts'
import { users } from '../accounts/tables.ts'

const SHOWN = 50

const messageSchema = z.object({
  to: z.string(),
  /** Of an e-mail. */
  subject: z.string().optional(),
  text: z.string(),
  at: z.string(),
})
type Message = z.infer<typeof messageSchema>

export function addOutbox(app: FastifyInstance, ctx: Context): void {
  if (ctx.config.mode !== 'trial') return
  app.get('/dev/outbox', async (request, reply) => {
    reply.type('text/html').header('cache-control', 'no-store')
    const isOpen = ctx.config.outboxOpen || isAtThisMachine(request, ctx.config)
    if (!isOpen) return reply.code(403).send(pageOf(closed()))
    return reply.send(pageOf((await newest(ctx)).map(rowOf).join('\n    ') || '<p>–</p>'))
  })
}

/** Whoever reads an administrator's codes is one soon: those lie in the folder alone. */
async function newest(ctx: Context): Promise<Message[]> {
  const messages = await kept(ctx)
  const chiefs = await ctx.db
    .select({ emailKey: users.emailKey, phoneKey: users.phoneKey })
    .from(users)
    .where(eq(users.role, roles.administrator))
  const hidden = new Set(chiefs.flatMap(({ emailKey, phoneKey }) => [emailKey, phoneKey]))
  return messages.filter(({ to }) => !hidden.has(accountKey(to).key))
}

async function kept({ config }: Context): Promise<Message[]> {
  const folder = outboxFolder(config)
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .reverse()
      .slice(0, SHOWN)
      .map((name) => readFile(join(folder, name), 'utf8')),
  )
  return texts.map((text) => messageSchema.parse(JSON.parse(text)))
}

/** A page for whoever tries the product, so its few words stand in all languages at once. */
const pageOf = (content: string): string => {
  const title = languages.map((language) => sayer('letters', language)('outbox.title')).join(' · ')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
  </head>
  <body>
    <h1>${title}</h1>
    ${content}
  </body>
</html>
`
}

const closed = (): string =>
  languages
    .map((language) => `<p lang="${language}">${sayer('letters', language)('outbox.closed')}</p>`)
    .join('\n    ')

const rowOf = ({ to, subject, text, at }: Message): string => {
  const head = `<time datetime="${markupText(at)}">${markupText(at.replace('T', ' ').slice(0, 19))}</time> <b>${markupText(to)}</b>`
  const lines = [
    ...(subject === undefined ? [] : [`<i>${markupText(subject)}</i>`]),
    ...text.trim().split('\n').map(markupText),
  ]
  return `<p>${head}<br>${lines.join('<br>')}</p>`
}
