import { social as limits } from '@neuroloom/contract/limits'
import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import type { Context } from '../../../infra/context.ts'
import { sessions } from '../../accounts/tables.ts'
import { cards } from './tables.ts'

/** Whether these members were active a moment ago; null where they or the reader do not show it. */
export async function onlineOf(
  { db, now }: Context,
  readerId: string,
  ids: readonly string[],
): Promise<(id: string) => boolean | null> {
  const showing = await db
    .select({ id: cards.userId })
    .from(cards)
    .where(and(inArray(cards.userId, [readerId, ...ids]), eq(cards.showsOnline, true)))
  const shown = new Set(showing.map(({ id }) => id))
  if (!shown.has(readerId)) return () => null
  const active = await db
    .select({ id: sessions.userId })
    .from(sessions)
    .where(
      and(
        inArray(sessions.userId, [...shown]),
        isNull(sessions.endedAt),
        // Its window was closed.
        isNull(sessions.closingAt),
        gt(sessions.usedAt, new Date(now().getTime() - limits.onlineMs)),
      ),
    )
  const online = new Set(active.map(({ id }) => id))
  return (id) => (shown.has(id) ? online.has(id) : null)
}
