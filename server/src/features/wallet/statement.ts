/** What moved the money of a wallet in a period, with the balance after each move: read from the ledger. */
import { dayMs } from '@neuroloom/contract/limits'
import type { WalletMove, WalletStatus } from '@neuroloom/contract/membership/payout'
import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../infra/db.ts'
import { ledgerAccounts, ledgerEntries, ledgerPostings } from '../ledger/tables.ts'
import { withdrawals } from './tables.ts'

export type Period = {
  /** Days of UTC, both included. */
  from: string
  to: string
}
export type StatementLine = {
  at: Date
  move: WalletMove
  /** Of the order that was sold, or of the withdrawal. */
  number: string
  model: string
  /** Below zero = out. */
  amountFen: number
  balanceFen: number
  status: WalletStatus
}
export type Statement = { openingFen: number; lines: StatementLine[] }

/** At most so many lines; null where there are more. */
export async function statementOf(
  db: Db,
  userId: string,
  { period, most }: { period: Period; most: number },
): Promise<Statement | null> {
  // In one snapshot: opening balance and lines are of the same moment.
  return db.transaction(
    async (tx) => {
      const openingFen = await sumBefore(tx, userId, period)
      const found = await linesOf(tx, userId, period).limit(most + 1)
      if (found.length > most) return null
      let balanceFen = openingFen
      const lines = found.map(({ at, kind, number, note, amount, state }): StatementLine => {
        balanceFen += amount
        return {
          ...{ at, move: kind, number, amountFen: amount, balanceFen },
          model: String(note.model ?? note.work ?? ''),
          // A withdrawal that was refused: the line of its money back is recorded.
          status: kind === 'withdrawal_asked' && state ? state : 'recorded',
        }
      })
      return { openingFen, lines }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

export const countLines = (db: Db, userId: string, period: Period): Promise<number> =>
  db.$count(linesOf(db, userId, period).as('found'))

async function sumBefore(db: Db, userId: string, { from }: Period): Promise<number> {
  const [row] = await db
    // Sums of whole numbers come as text; below the largest whole number of JavaScript, as the limits say.
    .select({ sum: sql<string>`coalesce(sum(${ledgerPostings.amount}), 0)` })
    .from(ledgerPostings)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerPostings.accountId))
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerPostings.entryId))
    .where(and(isOwn(userId), lt(ledgerEntries.at, startOf(from))))
  return Number(row?.sum ?? 0)
}

const linesOf = (db: Db, userId: string, { from, to }: Period) =>
  db
    .select({
      at: ledgerEntries.at,
      // Nothing else moves a wallet; an entry of another kind would have no text, and the statement would fail.
      kind: sql<WalletMove>`${ledgerEntries.kind}`.as('move'),
      number: ledgerEntries.source,
      note: ledgerEntries.note,
      amount: ledgerPostings.amount,
      state: withdrawals.state,
    })
    .from(ledgerPostings)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerPostings.accountId))
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerPostings.entryId))
    .leftJoin(
      withdrawals,
      and(eq(withdrawals.withdrawalNo, ledgerEntries.source), eq(ledgerEntries.kind, 'withdrawal_asked')),
    )
    .where(
      and(
        isOwn(userId),
        gte(ledgerEntries.at, startOf(from)),
        lt(ledgerEntries.at, new Date(startOf(to).getTime() + dayMs)),
      ),
    )
    .orderBy(asc(ledgerEntries.at), asc(ledgerEntries.id))
    .$dynamic()

const isOwn = (userId: string): SQL | undefined =>
  and(eq(ledgerAccounts.owner, userId), eq(ledgerAccounts.kind, 'wallet'), eq(ledgerAccounts.unit, 'fen'))

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)
