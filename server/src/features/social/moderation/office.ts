/** Reported content as administrators see it, and what they decide. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { social as limits } from '@neuroloom/contract/limits'
import type { SocialReport } from '@neuroloom/contract/social/posts'
import { and, asc, desc, eq, not, type SQL } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { audit } from '../../../infra/audit.ts'
import type { Context } from '../../../infra/context.ts'
import { openReported } from '../attachments/reported.ts'
import { lock } from '../lock.ts'
import { isAfter, isBefore, readPage } from '../pages.ts'
import { nobody, personsOf } from '../people/relations.ts'
import { type ReportRow, socialReports } from './tables.ts'
import { removeTarget, type Target } from './targets.ts'

/** Open ones as long as they wait; of the decided ones the latest first. */
export async function list(
  ctx: Context,
  { state, after }: Parsed<'office/socialReports'>,
  caller: Caller,
): Promise<Answer<'office/socialReports'>> {
  const isOpen = eq(socialReports.state, 'open')
  const { id, at, decidedAt } = socialReports
  const { rows, next } = await readPage(ctx, {
    ...{ question: { office: 'reports', state }, after, most: limits.page },
    read: (place, limit) => {
      const reports = ctx.db.select().from(socialReports).limit(limit)
      return state === 'open'
        ? reports.where(and(isOpen, isAfter(place, at, id))).orderBy(asc(at), asc(id))
        : reports.where(and(not(isOpen), isBefore(place, decidedAt, id))).orderBy(desc(decidedAt), desc(id))
    },
    placeOf: (row) => ({ id: row.id, at: row.decidedAt ?? row.at }),
  })
  return {
    reports: await shown(ctx, caller, rows),
    next,
    openCount: await ctx.db.$count(socialReports, isOpen),
  }
}

async function shown(ctx: Context, caller: Caller, rows: readonly ReportRow[]): Promise<SocialReport[]> {
  const persons = await personsOf(
    ctx.db,
    rows.flatMap(({ aboutId, reporterId }) => [aboutId, reporterId ?? '']),
  )
  const opened = await openReported(ctx, caller, rows)
  return rows.map(({ id, kind, reason, text, content, aboutId, reporterId, at, state, decidedAt }) => ({
    ...{ id, kind, reason, text, content, state, attachments: opened.get(id) ?? [] },
    ...{ at: at.toISOString(), decidedAt: decidedAt?.toISOString() ?? null },
    about: persons.get(aboutId) ?? nobody(),
    reporter: persons.get(reporterId ?? '') ?? nobody(),
  }))
}

/** Once. What is removed decides all that was reported of it; what is kept decides this report alone. */
export async function decide(
  ctx: Context,
  { reportId, decision }: Parsed<'office/decideSocialReport'>,
  caller: Caller,
): Promise<Answer<'office/decideSocialReport'>> {
  const { user, address } = caller
  const isIt = eq(socialReports.id, reportId)
  const [known] = await ctx.db.select().from(socialReports).where(isIt)
  if (!known) throw fail('report_missing')
  // Nobody is the judge of an own case.
  if (known.aboutId === user.id) throw fail('not_allowed')
  await ctx.db.transaction(async (tx) => {
    // All that was reported of one thing is decided one after the other.
    await lock(tx, nameOf(known))
    const [report] = await tx.select().from(socialReports).where(isIt).for('update')
    if (!report) throw fail('report_missing')
    if (report.state !== 'open') throw fail('report_decided')
    if (decision === 'remove') await removeTarget(ctx, tx, report)
    await tx
      .update(socialReports)
      .set({
        state: decision === 'remove' ? 'removed' : 'kept',
        decidedBy: user.id,
        decidedAt: ctx.now(),
      })
      .where(decision === 'remove' ? and(isOf(report), eq(socialReports.state, 'open')) : isIt)
    await audit(tx, {
      ...{ actor: user.id, action: `social.${decision}`, subject: `report:${reportId}`, address },
    })
  })
  const [row] = await ctx.db.select().from(socialReports).where(isIt)
  const [one] = row ? await shown(ctx, caller, [row]) : []
  if (!one) throw fail('report_missing')
  return one
}

const nameOf = ({ kind, chatId, targetId }: Target): string => `reported ${kind} ${chatId} ${targetId}`

const isOf = ({ kind, chatId, targetId }: Target): SQL | undefined =>
  and(eq(socialReports.kind, kind), eq(socialReports.chatId, chatId), eq(socialReports.targetId, targetId))
