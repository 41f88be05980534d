/** How much a member may send within a while. */
import { social as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, lte } from 'drizzle-orm'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { users } from '../../accounts/tables.ts'
import { lock } from '../lock.ts'
import { type Pace, socialTries } from './tables.ts'

/** Within `rateMs`: by members, and by those whose account is young. */
const paces: Record<Pace, { most: number; young: number }> = {
  message: { most: limits.messages, young: limits.newMessages },
  post: { most: limits.posted, young: limits.newPosted },
  application: { most: limits.applications, young: limits.newApplications },
  image: { most: limits.imagesSent, young: limits.newImagesSent },
}

/**
 * Counts one more of what a member sends, or refuses it as `social_slow` with the seconds to wait. Each member's are counted
 * one after the other until the transaction ends, so parallel ones cannot pass together.
 */
export async function requirePace(ctx: Context, tx: Tx, userId: string, kind: Pace): Promise<void> {
  const counted = { userId, kind, windowMs: limits.rateMs }
  const before = await recent(ctx, tx, counted)
  const { most, young } = paces[kind]
  const waitMs = waitOf(ctx, before, { ...counted, most: (await isYoung(ctx, tx, userId)) ? young : most })
  if (waitMs > 0) throw fail('social_slow', { seconds: Math.ceil(waitMs / 1000) })
  await tx.insert(socialTries).values({ userId, kind, at: ctx.now() })
}

type Counted = { userId: string; kind: Pace; windowMs: number }

/** The times that count still, earliest first; older ones are deleted. */
async function recent(ctx: Context, tx: Tx, { userId, kind, windowMs }: Counted): Promise<Date[]> {
  await lock(tx, `tries ${kind} ${userId}`)
  const own = and(eq(socialTries.userId, userId), eq(socialTries.kind, kind))
  const since = new Date(ctx.now().getTime() - windowMs)
  await tx.delete(socialTries).where(and(own, lte(socialTries.at, since)))
  const rows = await tx
    .select({ at: socialTries.at })
    .from(socialTries)
    .where(own)
    .orderBy(asc(socialTries.at), asc(socialTries.id))
  return rows.map(({ at }) => at)
}

/** Until there is room for one more; 0 where there is. */
export function waitOf(
  { now }: Pick<Context, 'now'>,
  times: readonly Date[],
  { most, windowMs }: { most: number; windowMs: number },
): number {
  const first = times[times.length - most]
  return first ? Math.max(first.getTime() + windowMs - now().getTime(), 1) : 0
}

export async function isYoung(ctx: Context, tx: Tx, userId: string): Promise<boolean> {
  const [member] = await tx.select({ createdAt: users.createdAt }).from(users).where(eq(users.id, userId))
  return !member || ctx.now().getTime() - member.createdAt.getTime() < limits.newMs
}
