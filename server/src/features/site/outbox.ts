/** What the trial did not send, as a page; there is none in production. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Context } from '../../infra/context.ts'
import { outboxFolder } from '../../infra/messages.ts'

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
  app.get('/dev/outbox', async (_request, reply) =>
    reply
      .type('text/html')
      .header('cache-control', 'no-store')
      .send(pageOf(await newest(ctx))),
  )
}

async function newest({ config }: Context): Promise<Message[]> {
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
const pageOf = (messages: readonly Message[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Outbox · 发件箱 · Исходящие</title>
  </head>
  <body>
    <h1>Outbox · 发件箱 · Исходящие</h1>
    ${messages.map(rowOf).join('\n    ') || '<p>–</p>'}
  </body>
</html>
`

const rowOf = ({ to, subject, text, at }: Message): string => {
  const head = `<time datetime="${asText(at)}">${asText(at.replace('T', ' ').slice(0, 19))}</time> <b>${asText(to)}</b>`
  const lines = [
    ...(subject === undefined ? [] : [`<i>${asText(subject)}</i>`]),
    ...text.trim().split('\n').map(asText),
  ]
  return `<p>${head}<br>${lines.join('<br>')}</p>`
}

const asText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
