/** What members report, kept as it was at that moment. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { alarmLater } from '../../../infra/alarm.ts'
import type { Context } from '../../../infra/context.ts'
import type { Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { keepForReport } from '../attachments/reported.ts'
import { lock } from '../lock.ts'
import { cleanText } from '../text.ts'
import { waitOf } from './rate.ts'
import { socialReports } from './tables.ts'
import { requireTarget } from './targets.ts'

/** Each member reports a thing once; again is the same. */
export async function report(
  ctx: Context,
  { kind, chatId, targetId, reason, text: given }: Parsed<'social/report'>,
  { user }: Caller,
): Promise<Answer<'social/report'>> {
  const text = cleanText(given, { mayBeEmpty: true })
  await ctx.db.transaction(async (tx) => {
    await lock(tx, `reports ${user.id}`)
    const target = { kind, targetId, chatId: kind === 'message' ? (chatId ?? '') : '' }
    const { aboutId, content, attachments = null } = await requireTarget(tx, user.id, target)
    const isReported = and(
      eq(socialReports.reporterId, user.id),
      eq(socialReports.kind, kind),
      eq(socialReports.chatId, target.chatId),
      eq(socialReports.targetId, targetId),
    )
    if ((await tx.$count(socialReports, isReported)) > 0) return
    await requireLeft(ctx, tx, user.id)
    const id = newId()
    await tx.insert(socialReports).values({
      ...{ ...target, id, reporterId: user.id, aboutId, reason, text, content, attachments },
      ...{ at: ctx.now(), state: 'open' },
    })
    await keepForReport(tx, id, attachments)
    await alarmLater(ctx, tx, 'office_report')
  })
  return {}
}

/** With the member's reports locked. */
async function requireLeft(ctx: Context, tx: Tx, userId: string): Promise<void> {
  const { reports: most, reportsMs: windowMs } = limits
  const since = new Date(ctx.now().getTime() - windowMs)
  const rows = await tx
    .select({ at: socialReports.at })
    .from(socialReports)
    .where(and(eq(socialReports.reporterId, userId), gt(socialReports.at, since)))
    .orderBy(asc(socialReports.at))
  const times = rows.map(({ at }) => at)
  const waitMs = waitOf(ctx, times, { most, windowMs })
  if (waitMs > 0) throw fail('tries_wait', { minutes: Math.ceil(waitMs / MINUTE_MS) })
}

const MINUTE_MS = 60_000
