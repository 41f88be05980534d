import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type Plan, plansAtFirst } from '@neuroloom/contract/membership/vip'
import type { Caller } from '../../../http/access.ts'
import { failFields } from '../../../http/fail.ts'
import { audit, changedFacts } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { methodsOf } from '../methods.ts'
import { vipPlans } from '../tables.ts'

const FEN_A_YUAN = 100
const FREE = 1

/** Those of the contract, with what administrators changed. */
export async function plansOf(db: Db): Promise<Plan[]> {
  const changed = new Map((await db.select().from(vipPlans)).map((row) => [row.id, row]))
  return plansAtFirst.map(({ id, ...first }) => {
    const row = changed.get(id)
    const priceFen = row?.priceFen ?? first.priceFen
    return {
      ...{ id, level: id, priceFen, price: priceFen / FEN_A_YUAN },
      number: row?.years ?? first.number,
      notes: row?.notes ?? { en: '', zh: '', ru: '' },
    }
  })
}

export const list = (ctx: Context): Promise<Answer<'vip/list'>> => plansOf(ctx.db)

export async function officeList(ctx: Context): Promise<Answer<'office/plans'>> {
  return { plans: await plansOf(ctx.db), methods: methodsOf(ctx) }
}

export async function save(
  ctx: Context,
  { id, priceFen, number: years, notes }: Parsed<'office/savePlan'>,
  { user, address }: Caller,
): Promise<Answer<'office/savePlan'>> {
  if (id === FREE && priceFen !== 0) throw failFields({ priceFen: 'form.too_big' })
  await ctx.db.transaction(async (tx) => {
    const was = (await plansOf(tx)).find((plan) => plan.id === id)
    const values = { priceFen, years, notes, changedAt: ctx.now() }
    await tx
      .insert(vipPlans)
      .values({ id, ...values })
      .onConflictDoUpdate({ target: vipPlans.id, set: values })
    const before = was ? { priceFen: was.priceFen, years: was.number } : {}
    await audit(tx, {
      actor: user.id,
      action: 'plan.save',
      subject: `plan:${id}`,
      address,
      ...changedFacts(before, { priceFen, years }),
    })
  })
  const saved = (await plansOf(ctx.db)).find((plan) => plan.id === id)
  if (!saved) throw new Error(`Plan ${id} is gone`)
  return saved
}
