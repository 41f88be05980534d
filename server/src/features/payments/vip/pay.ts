/** What plans would cost a member today, and ordering one. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { ErrorName } from '@neuroloom/contract/errors'
import { type Reckoned, reckon } from '@neuroloom/contract/membership/offer'
import type { PayMethod } from '@neuroloom/contract/membership/orders'
import { canBuy, type OfferKind, type Plan } from '@neuroloom/contract/membership/vip'
import { and, eq, isNull } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { sayer } from '../../../infra/texts.ts'
import { levelAt } from '../../accounts/access.ts'
import { type UserRow, users } from '../../accounts/tables.ts'
import { askInvoice } from '../invoice.ts'
import { lockMember } from '../lock.ts'
import { bankOf, isTrial, methodsOf } from '../methods.ts'
import { methodOf, placeOrder, requireCalm, requireTime, withQr } from '../place.ts'
import { type OrderRow, orders, type PlanItem, planOf, terms } from '../tables.ts'
import { planGoods } from './goods.ts'
import { plansOf } from './plans.ts'
import { basisOf } from './term.ts'

export async function offers(ctx: Context, _body: unknown, { user }: Caller): Promise<Answer<'vip/offers'>> {
  const [member] = await ctx.db.select().from(users).where(eq(users.id, user.id))
  if (!member) throw fail('not_allowed')
  const plans = await plansOf(ctx.db)
  const facts = await factsOf(ctx, ctx.db, member)
  return {
    offers: plans.map((plan) => shownOffer(plan, reckon(plan, facts))),
    methods: methodsOf(ctx),
    bank: bankOf(ctx),
    isTrial: isTrial(ctx.config),
    needsName: member.name.trim() === '',
    needsForm: member.type !== 1,
  }
}

function shownOffer(plan: Plan, { from, until, ...rest }: Reckoned) {
  return { ...plan, ...rest, from: from?.toISOString() ?? null, until: until?.toISOString() ?? null }
}

const FREE = 1

export async function pay(ctx: Context, body: Parsed<'vip/pay'>, caller: Caller): Promise<Answer<'vip/pay'>> {
  const plan = (await plansOf(ctx.db)).find(({ id }) => id === body.vipId)
  if (!plan) throw fail('order_missing')
  await requireTime(ctx)
  const order = await ctx.db.transaction((tx) => place(ctx, tx, { body, plan, caller }))
  if (!order || order.state === 'paid') return {}
  const { orderNo, qr, expiresAt } =
    order.method === 'transfer' || order.qr ? order : await withQr(ctx, order, subjectOf(order))
  return { orderNo, qrCodeUrl: qr, expiresAt: expiresAt.toISOString() }
}

type Wish = { body: Parsed<'vip/pay'>; plan: Plan; caller: Caller }

/** Null where nothing is to be ordered. The same wish again is the same order, as long as it can be paid. */
async function place(ctx: Context, tx: Tx, { body, plan, caller }: Wish): Promise<OrderRow | null> {
  const member = await lockMember(tx, caller.user.id)
  if (!member) throw fail('not_allowed')
  if (member.name.trim() === '') throw fail('information_needed')
  const reckoned = reckon(plan, await factsOf(ctx, tx, member))
  const { kind, payFen } = reckoned
  if (!canBuy(kind)) throw fail(refusals[kind] ?? 'order_missing')
  if (plan.level === FREE) {
    // The level of the full form comes with the form.
    if (member.type !== 1) throw fail('form_needed')
    return null
  }
  if (body.payFen !== undefined && body.payFen !== payFen) throw fail('price_changed')
  const method = methodOf(body.payMethod)
  if (payFen > 0 && !methodsOf(ctx).includes(method)) throw fail('method_closed')
  const item = itemOf(plan, { reckoned, member })
  const waiting = and(eq(orders.userId, member.id), eq(orders.kind, 'plan'), eq(orders.state, 'waiting'))
  const [before] = await tx.select().from(orders).where(waiting).for('update')
  if (before && isSame(before, { item, payFen, method, now: ctx.now() })) {
    await askInvoice(ctx, tx, { form: body, order: before })
    return before
  }
  await requireCalm(ctx, tx, member.id)
  if (before) await tx.update(orders).set({ state: 'cancelled' }).where(waiting)
  const order = await placeOrder(ctx, tx, { kind: 'plan', item, amountFen: payFen, method, caller })
  await askInvoice(ctx, tx, { form: body, order })
  if (payFen > 0) return order
  // Nothing to pay: it is done at once, and stands in the books with nothing.
  await planGoods.fulfil(ctx, tx, { order, member, at: ctx.now() })
  await planGoods.book(ctx, tx, { order, provider: method })
  return order
}

const refusals: Partial<Record<OfferKind, ErrorName>> = {
  held: 'level_held',
  lower: 'level_higher',
  endless: 'level_endless',
  super: 'super_member',
}

/** What the price of every plan is reckoned from. */
async function factsOf(ctx: Context, db: Db, member: UserRow): Promise<Parameters<typeof reckon>[1]> {
  const now = ctx.now()
  const own = await db
    .select()
    .from(terms)
    .where(and(eq(terms.userId, member.id), isNull(terms.endedAt)))
  const standing = {
    level: levelAt(member, now),
    isSuper: member.vipSuper !== 0,
    validUntil: member.vipValid,
    isComplete: member.type === 1,
  }
  return { standing, terms: own, now }
}

function itemOf(plan: Plan, { reckoned, member }: { reckoned: Reckoned; member: UserRow }): PlanItem {
  const { level } = plan
  if (level === FREE) throw new Error('The free plan is not ordered')
  const { kind, creditFen, extraDays } = reckoned
  return {
    ...{ level, years: plan.number, creditFen, extraDays },
    isRenewal: kind === 'renewal',
    basis: basisOf(member),
  }
}

type Wanted = { item: PlanItem; payFen: number; method: PayMethod }

function isSame(order: OrderRow, { item, payFen, method, now }: Wanted & { now: Date }): boolean {
  const { level, years, basis } = planOf(order)
  const isSameItem = level === item.level && years === item.years && basis === item.basis
  return isSameItem && order.amountFen === payFen && order.method === method && order.expiresAt > now
}

function subjectOf(order: OrderRow): string {
  const say = sayer('letters', order.language)
  return say('receipt.what', { level: say(`receipt.level.${planOf(order).level}`) })
}
