/** The page on which the trial's orders are paid; there is none in production. Its few words are in the browser's language. */

import type { Language } from '@neuroloom/contract/language'
import { yuanText } from '@neuroloom/contract/membership/money'
import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '../../../http/gate.ts'
import type { Context } from '../../../infra/context.ts'
import { markupText } from '../../../infra/html.ts'
import { sayer } from '../../../infra/texts.ts'
import { receive } from '../callbacks.ts'
import { isTrial } from '../methods.ts'
import { orders } from '../tables.ts'

import { CASHIER_PATH, type CashierRecord, payAtCashier, readRecord } from './cashier.ts'

export function addCashier(app: FastifyInstance, ctx: Context): void {
  if (!isTrial(ctx.config) || ctx.config.deployment === 'private') return
  app.get(CASHIER_PATH, async (request, reply) => show(ctx, request, reply))
  app.post(CASHIER_PATH, async (request, reply) => {
    const { id: orderNo } = ctx.links.verify(request.query, 'cashier')
    const callback = await payAtCashier(ctx, orderNo)
    const [order] = await ctx.db.select().from(orders).where(eq(orders.orderNo, orderNo))
    if (callback && order && order.method !== 'transfer')
      await receive(ctx, order.method, { ...callback, address: request.ip })
    return show(ctx, request, reply)
  })
}

async function show(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id: orderNo } = ctx.links.verify(request.query, 'cashier')
  const record = await readRecord(ctx, orderNo)
  const isOver = record?.state === 'waiting' && record.expiresAt <= ctx.now()
  reply.type('text/html').header('cache-control', 'no-store')
  return reply.send(
    pageOf(record && { ...record, state: isOver ? 'closed' : record.state }, languageOf(request)),
  )
}

/** The order's state and, while it waits, one button; no script. */
function pageOf(record: CashierRecord | null, language: Language): string {
  const say = sayer('letters', language)
  const said = { paid: 'paid', refunded: 'over', closed: 'over' } as const
  const below =
    record?.state === 'waiting'
      ? `<form method="post"><button type="submit">${markupText(say('cashier.pay'))}</button></form>`
      : `<p role="status"><strong>${markupText(say(`cashier.${record ? said[record.state] : 'missing'}`))}</strong></p>`
  const facts = record
    ? `<p>${markupText(record.subject)}</p>
      <dl><dt>${markupText(say('cashier.amount'))}</dt>
      <dd class="amount">${markupText(say('cashier.yuan', { amount: yuanText(record.amountFen) }))}</dd>
      <dt>${markupText(say('cashier.order'))}</dt><dd>${record.orderNo}</dd></dl>`
    : ''
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${markupText(say('cashier.title'))}</title>
    <style>
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f3f6f8; color: #12303a;
        font: 16px/1.5 system-ui, sans-serif; }
      main { width: min(24rem, calc(100% - 2rem)); padding: 1.5rem; border-radius: 12px; background: #fff;
        box-shadow: 0 6px 24px rgb(18 48 58 / 12%); box-sizing: border-box; }
      h1 { margin: 0 0 0.25rem; font-size: 1.25rem; }
      .trial { margin: 0 0 1rem; padding: 0.5rem 0.75rem; border-radius: 8px; background: #fff4d6; }
      dt { color: #4a646d; font-size: 0.875rem; }
      dd { margin: 0 0 0.75rem; overflow-wrap: anywhere; }
      .amount { font-size: 1.75rem; font-weight: 600; }
      button { width: 100%; padding: 0.75rem; border: 0; border-radius: 8px; background: #0b6b7c; color: #fff;
        font: inherit; font-weight: 600; cursor: pointer; }
      button:focus-visible { outline: 3px solid #f0a202; outline-offset: 2px; }
    </style>
  </head>
  <body>
    <main>
      <h1>${markupText(say('cashier.title'))}</h1>
      <p class="trial">${markupText(say('cashier.text'))}</p>
      ${facts}
      ${below}
    </main>
  </body>
</html>
`
}
