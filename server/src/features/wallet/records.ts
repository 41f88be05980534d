/** The wallet as its member sees it: read from the ledger alone, which is where the money is. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { membership as limits } from '@neuroloom/contract/limits'
import type { WalletStatus } from '@neuroloom/contract/membership/payout'
import type { WalletRecord } from '@neuroloom/contract/membership/wallet'
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { ledgerAccounts, ledgerEntries, ledgerPostings } from '../ledger/tables.ts'
import { isTrial } from '../payments/service.ts'
import { withdrawals } from './tables.ts'

/** All three from one moment: what is withdrawn meanwhile is in one of them, not in two or none. */
export async function balance(
  ctx: Context,
  _body: unknown,
  { user }: Caller,
): Promise<Answer<'wallet/balance'>> {
  return { ...(await balancesOf(ctx.db, user.id)), isTrial: isTrial(ctx.config) }
}

export async function balancesOf(db: Db, userId: string) {
  const { kind, balance: fen } = ledgerAccounts
  const own = and(eq(ledgerAccounts.owner, userId), eq(ledgerAccounts.unit, 'fen'))
  const rows = await db.select({ kind, fen }).from(ledgerAccounts).where(own)
  const inKind = (wanted: 'wallet' | 'held' | 'withdrawing'): number =>
    rows.find((row) => row.kind === wanted)?.fen ?? 0
  return {
    availableFen: inKind('wallet'),
    notRecordedFen: inKind('held'),
    underReviewFen: inKind('withdrawing'),
  }
}

export async function list(
  ctx: Context,
  { direction, page }: Parsed<'wallet/records'>,
  { user }: Caller,
): Promise<Answer<'wallet/records'>> {
  const rows = await recordsOf(ctx.db, user.id, direction)
    .orderBy(desc(ledgerEntries.id))
    .limit(limits.page)
    .offset((page - 1) * limits.page)
  return {
    records: rows.map(describeRecord),
    total: await ctx.db.$count(recordsOf(ctx.db, user.id, direction).as('found')),
    pageSize: limits.page,
  }
}

/** What a sale ended in: the entry that follows the one by which it was paid. */
const ended = alias(ledgerEntries, 'ended')

/** One record for each sale for money, when it was paid, for work, when it was accepted, and for each withdrawal, when it was asked for. */
export const recordsOf = (db: Db, userId: string, direction: WalletRecord['direction'] | null = null) =>
  db
    .select({
      id: ledgerEntries.id,
      number: ledgerEntries.source,
      kind: ledgerEntries.kind,
      note: ledgerEntries.note,
      at: ledgerEntries.at,
      amount: ledgerPostings.amount,
      ended: sql<'sale_recorded' | 'model_refunded' | null>`${ended.kind}`.as('ended_by'),
      withdrawal: { state: withdrawals.state, method: withdrawals.method, reason: withdrawals.reason },
    })
    .from(ledgerPostings)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerPostings.accountId))
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerPostings.entryId))
    .leftJoin(
      ended,
      and(
        eq(ledgerEntries.kind, 'model_paid'),
        eq(ended.source, ledgerEntries.source),
        inArray(ended.kind, ['sale_recorded', 'model_refunded']),
      ),
    )
    .leftJoin(
      withdrawals,
      and(eq(ledgerEntries.kind, 'withdrawal_asked'), eq(withdrawals.withdrawalNo, ledgerEntries.source)),
    )
    .where(and(eq(ledgerAccounts.owner, userId), eq(ledgerAccounts.unit, 'fen'), isRecord(direction)))
    .$dynamic()

function isRecord(direction: WalletRecord['direction'] | null): SQL | undefined {
  const isSale = or(
    and(eq(ledgerAccounts.kind, 'held'), eq(ledgerEntries.kind, 'model_paid')),
    and(eq(ledgerAccounts.kind, 'wallet'), eq(ledgerEntries.kind, 'work_released')),
  )
  const isWithdrawal = and(eq(ledgerAccounts.kind, 'wallet'), eq(ledgerEntries.kind, 'withdrawal_asked'))
  if (direction === null) return or(isSale, isWithdrawal)
  return direction === 'in' ? isSale : isWithdrawal
}

type Found = Awaited<ReturnType<typeof recordsOf>>[number]

export function describeRecord({
  id,
  number,
  kind,
  note,
  at,
  amount,
  ended: end,
  withdrawal,
}: Found): WalletRecord {
  const isWork = kind === 'work_released'
  return {
    ...{ id: String(id), number, amountFen: Math.abs(amount), at: at.toISOString() },
    direction: amount > 0 ? 'in' : 'out',
    status: withdrawal?.state ?? (isWork ? 'recorded' : saleStatuses[end ?? 'none']),
    model: withdrawal || isWork ? null : String(note.model ?? ''),
    work: isWork ? String(note.work ?? '') : null,
    method: withdrawal?.method ?? null,
    reason: withdrawal?.reason ?? '',
  }
}

/** A sale that was given back brought nothing. */
const saleStatuses = {
  none: 'not_recorded',
  sale_recorded: 'recorded',
  model_refunded: 'not_passed',
} as const satisfies Record<string, WalletStatus>
