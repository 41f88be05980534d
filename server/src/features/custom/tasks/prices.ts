/** What custom tasks cost: a fixed price by kind, or one that the review sets. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { CustomPrice } from '@neuroloom/contract/custom/task-calls'
import { customKinds } from '@neuroloom/contract/custom/task-states'
import { custom as limits } from '@neuroloom/contract/limits'
import { eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { isTrial, methodsOf } from '../../payments/service.ts'
import { customPrices } from '../tables.ts'
import { reaches } from './access.ts'

export async function show(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'customTask/prices'>> {
  return {
    prices: await pricesOf(ctx.db),
    methods: methodsOf(ctx),
    isTrial: isTrial(ctx.config),
    mayUse: reaches(ctx, user, limits.useLevel),
    mayOrder: reaches(ctx, user, limits.orderLevel),
  }
}

export async function pricesOf(db: Db): Promise<CustomPrice[]> {
  const rows = await db.select().from(customPrices)
  return customKinds.map((kind) => ({
    kind,
    priceFen: rows.find((row) => row.kind === kind)?.priceFen ?? null,
  }))
}

export async function save(
  ctx: Context,
  { kind, priceFen }: Parsed<'office/customPrice'>,
  { user, address }: Caller,
): Promise<Answer<'office/customPrice'>> {
  await ctx.db.transaction(async (tx) => {
    const [before] = await tx.select().from(customPrices).where(eq(customPrices.kind, kind)).for('update')
    const changed = { priceFen: priceFen ?? 0, changedAt: ctx.now() }
    if (priceFen === null) await tx.delete(customPrices).where(eq(customPrices.kind, kind))
    else
      await tx
        .insert(customPrices)
        .values({ kind, ...changed })
        .onConflictDoUpdate({ target: customPrices.kind, set: changed })
    await audit(tx, {
      ...{ actor: user.id, action: 'custom.price', subject: `custom_price:${kind}`, address },
      before: { priceFen: before?.priceFen ?? null },
      after: { priceFen },
    })
  })
  return { prices: await pricesOf(ctx.db) }
}
