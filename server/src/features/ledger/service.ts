/** Books by double entry: whoever moves money or points says so here, in the transaction of the deed. */
import { and, desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../infra/db.ts'
import {
  type AccountKind,
  type EntryKind,
  ledgerAccounts,
  ledgerEntries,
  ledgerPostings,
  type Unit,
} from './tables.ts'

export type Account = { owner: string; kind: AccountKind; unit: Unit }
export type Posting = Account & { amount: number }
export type Entry = {
  kind: EntryKind
  /** Of what it tells: an order, a withdrawal. */
  source: string
  at: Date
  note?: Record<string, string | number>
  /** Whole fen or points; those of each unit sum to zero. Amounts of 0 are left out. */
  postings: readonly Posting[]
}

export const platform = 'platform'

/**
 * Writes an entry once: false when the same has happened to the same source before. Refused by the database when it does
 * not sum to zero, or would take a member's money below zero.
 */
export async function post(tx: Tx, { kind, source, at, note = {}, postings }: Entry): Promise<boolean> {
  const moved = postings.filter(({ amount }) => amount !== 0)
  const [entry] = await tx
    .insert(ledgerEntries)
    .values({ kind, source, at, note })
    .onConflictDoNothing()
    .returning({ id: ledgerEntries.id })
  if (!entry) return false
  const ids = await openAccounts(tx, moved)
  // In one order everywhere, so that two entries over the same accounts never wait for each other.
  const rows = moved
    .map(({ amount, ...account }) => ({ entryId: entry.id, accountId: ids.get(keyOf(account)) ?? 0, amount }))
    .sort((one, other) => one.accountId - other.accountId)
  if (rows.length > 0) await tx.insert(ledgerPostings).values(rows)
  return true
}

/** In fen or points; 0 where nothing was ever posted. */
export async function balanceOf(db: Db, { owner, kind, unit }: Account): Promise<number> {
  const [row] = await db
    .select({ balance: ledgerAccounts.balance })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.owner, owner), eq(ledgerAccounts.kind, kind), eq(ledgerAccounts.unit, unit)))
  return row?.balance ?? 0
}

type Line = Pick<typeof ledgerEntries.$inferSelect, 'id' | 'kind' | 'source' | 'note' | 'at'> & {
  amount: number
}

/** What moved an account, the newest first. */
export async function historyOf(
  db: Db,
  { owner, kind, unit }: Account,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ records: Line[]; total: number }> {
  const { id, source, note, at } = ledgerEntries
  const rows = await db
    .select({
      id,
      kind: ledgerEntries.kind,
      source,
      note,
      at,
      amount: ledgerPostings.amount,
      total: sql<number>`count(*) over ()::int`,
    })
    .from(ledgerPostings)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerPostings.accountId))
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerPostings.entryId))
    .where(and(eq(ledgerAccounts.owner, owner), eq(ledgerAccounts.kind, kind), eq(ledgerAccounts.unit, unit)))
    .orderBy(desc(ledgerEntries.id))
    .limit(limit)
    .offset(offset)
  return { records: rows.map(({ total: _, ...line }) => line), total: rows[0]?.total ?? 0 }
}

/** What an audit asks: sums that are not zero, and balances that are not those of their postings. Empty = all is well. */
export async function findFaults(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ fault: string }>(sql`
    select 'all ' || unit as fault from ledger_accounts group by unit having sum(balance) <> 0
    union all
    select 'account ' || a.id from ledger_accounts a left join ledger_postings p on p.account_id = a.id
    group by a.id having a.balance <> coalesce(sum(p.amount), 0)
    union all
    select 'entry ' || p.entry_id from ledger_postings p join ledger_accounts a on a.id = p.account_id
    group by p.entry_id, a.unit having sum(p.amount) <> 0`)
  return rows.map(({ fault }) => fault)
}

const keyOf = ({ owner, kind, unit }: Account): string => `${owner} ${kind} ${unit}`

async function openAccounts(tx: Tx, accounts: readonly Account[]): Promise<Map<string, number>> {
  const wanted = accounts
    .map(({ owner, kind, unit }) => ({ owner, kind, unit }))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  if (wanted.length === 0) return new Map()
  await tx.insert(ledgerAccounts).values(wanted).onConflictDoNothing()
  const { owner, kind, unit } = ledgerAccounts
  const isWanted = or(
    ...wanted.map((one) => and(eq(owner, one.owner), eq(kind, one.kind), eq(unit, one.unit))),
  )
  const rows = await tx
    .select({ id: ledgerAccounts.id, owner, kind, unit })
    .from(ledgerAccounts)
    .where(and(inArray(owner, [...new Set(wanted.map((one) => one.owner))]), isWanted))
  return new Map(rows.map(({ id, ...account }) => [keyOf(account), id]))
}
