/** Limits of the levels, as administrators set them in the back-office. */

import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { PlanOverrides } from '@neuroloom/contract/plans'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { type AuditState, audit, changedFacts } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { store, stored } from '../../infra/plan-limits/plan-limits.ts'

export async function office(ctx: Context): Promise<Answer<'plans/office'>> {
  const { overrides, version, changedAt } = await stored(ctx.db)
  const [ordinary, bronze, silver, gold] = ctx.planLimits.base
  return {
    levels: { ordinary, bronze, silver, gold },
    overrides,
    version,
    changedAt: changedAt?.toISOString() ?? null,
  }
}

/** What is left out goes back to what holds without the back-office. Nothing that members have is taken away by it. */
export async function change(
  ctx: Context,
  { overrides, version }: Parsed<'plans/change'>,
  { user, address }: Caller,
): Promise<Answer<'plans/change'>> {
  await ctx.db.transaction(async (tx) => {
    const before = await stored(tx)
    const isStored = await store(tx, { overrides, version, changedBy: user.id, changedAt: ctx.now() })
    if (!isStored) throw fail('limits_changed')
    const facts = changedFacts(factsOf(before.overrides), factsOf(overrides))
    await audit(tx, { actor: user.id, action: 'limits.change', subject: 'limits', address, ...facts })
  })
  // The others hear of it; whoever changed it reads its own change at once.
  await ctx.planLimits.load()
  return office(ctx)
}

/** `bronze.projects`: 10, or `none` for no limit. */
const factsOf = (overrides: PlanOverrides): AuditState =>
  Object.fromEntries(
    Object.entries(overrides).flatMap(([level, limits]) =>
      Object.entries(limits).flatMap(([name, limit]) =>
        limit === undefined ? [] : [[`${level}.${name}`, limit ?? 'none'] as const],
      ),
    ),
  )
