/** How much a member may send within a while. */
import { social as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, sql } from 'drizzle-orm'
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
  const { most, young } = paces[kind]
  const own = sql`${socialTries.userId} = ${userId} and ${socialTries.kind} = ${kind}`
  const [now, since, old] = [0, limits.rateMs, limits.newMs].map((ms) => earlier(ctx, ms))
  const mayAdd = sql`case when (select ${users.createdAt} from ${users} where ${users.id} = ${userId}) <= ${old}::timestamptz
    then ${most}::int else ${young}::int end`
  // The lock first. Both are asked for at once, in this order: every message waits for it.
  const locked = lock(tx, `tries ${kind} ${userId}`)
  const adding = tx.execute(sql`
    with gone as (delete from ${socialTries} where ${own} and ${socialTries.at} <= ${since}::timestamptz)
    insert into ${socialTries} (user_id, kind, at)
    select ${userId}, ${kind}, ${now}::timestamptz
    where (select count(*) from ${socialTries} where ${own} and ${socialTries.at} > ${since}::timestamptz) < ${mayAdd}`)
  const [added] = await Promise.all([adding, locked])
  if (added.rowCount === 1) return
  const counted = { most: (await isYoung(ctx, tx, userId)) ? young : most, windowMs: limits.rateMs }
  const waitMs = waitOf(ctx, await recent(tx, { userId, kind }), counted)
  throw fail('social_slow', { seconds: Math.ceil(waitMs / 1000) })
}

const earlier = ({ now }: Pick<Context, 'now'>, ms: number): string =>
  new Date(now().getTime() - ms).toISOString()

/** The times that count, earliest first. */
async function recent(tx: Tx, { userId, kind }: { userId: string; kind: Pace }): Promise<Date[]> {
  const rows = await tx
    .select({ at: socialTries.at })
    .from(socialTries)
    .where(and(eq(socialTries.userId, userId), eq(socialTries.kind, kind)))
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
