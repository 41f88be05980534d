/** Receipts by e-mail, in the member's language or else that of the order: sent after the deed, and tried again by the queue. */
import type { Language } from '@neuroloom/contract/language'
import { pointsOf, yuanText } from '@neuroloom/contract/membership/money'
import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { JobData } from '../../infra/jobs.ts'
import { sayer } from '../../infra/texts.ts'
import { mailAddressOf } from '../accounts/access.ts'
import { users } from '../accounts/tables.ts'
import { type OrderWithAll, withAll } from './orders.ts'
import { isOfCustom, isOfModel, isOfPlan, isOfWork, orders } from './tables.ts'

type LetterKind = JobData['payments.letter']['kind']

/** Nothing where there is no mail here, or the member left no address. */
export async function sendLetter(ctx: Context, { orderNo, kind }: JobData['payments.letter']): Promise<void> {
  if (!ctx.messages.canMail) return
  const [all] = await withAll(ctx.db).where(eq(orders.orderNo, orderNo))
  if (!all) return
  const [member] = await ctx.db.select().from(users).where(eq(users.id, all.orders.userId))
  const to = mailAddressOf(member)
  if (to === null) return
  const language = member?.language ?? all.orders.language
  await ctx.messages.sendMail({ to, ...letterOf(all, kind, language) })
}

function letterOf(
  all: OrderWithAll,
  kind: LetterKind,
  language: Language,
): { subject: string; text: string } {
  const { orders: order } = all
  const say = sayer('letters', language)
  const facts = factsOf(all, say)
  const line = (name: string): string => say(`receipt.line.${name}`, facts)
  const name = texts[kind]
  const what = order.kind
  const term = facts.until === '' ? 'endless' : 'term'
  const lines = {
    paid: [
      ...['order', what, 'amount', 'method'],
      ...(what === 'plan' ? [term] : []),
      // Work and custom tasks bring no points.
      ...(what === 'work' || what === 'custom' ? [] : ['points']),
    ],
    over: ['order', what, 'amount', 'method'],
    refunded: ['order', what, 'amount', 'method', ...(facts.reason === '' ? [] : ['reason'])],
    invoice: ['order', what, 'amount', 'number'],
  }[kind]
  const amount = yuanText(kind === 'refunded' ? (all.refunds?.amountFen ?? 0) : order.amountFen)
  return {
    subject: say(`receipt.${name}.subject`, facts),
    text: [
      say(`receipt.${name}.${kind === 'paid' && what !== 'plan' ? what : 'text'}`),
      '',
      ...lines.map((one) => (one === 'amount' ? say('receipt.line.amount', { amount }) : line(one))),
      '',
      say('receipt.end'),
      '',
    ].join('\n'),
  }
}

/** The texts of each kind. */
const texts = { paid: 'paid', over: 'returning', refunded: 'refunded', invoice: 'issued' } as const

function factsOf({ orders: order, refunds: refund, invoices: invoice, terms: term }: OrderWithAll, say: Say) {
  const day = (date: Date | null | undefined): string => date?.toISOString().slice(0, 10) ?? ''
  return {
    orderNo: order.orderNo,
    level: isOfPlan(order.item) ? say(`receipt.level.${order.item.level}`) : '',
    model: isOfModel(order.item) ? order.item.name : '',
    work: isOfWork(order.item) ? order.item.title : '',
    title: isOfCustom(order.item) ? order.item.title : '',
    method: say(`receipt.method.${order.method}`),
    from: day(term?.from),
    until: day(term?.until),
    points: pointsOf(order.amountFen),
    number: invoice?.number ?? '',
    reason: refund?.reason ?? '',
  }
}

type Say = ReturnType<typeof sayer>
