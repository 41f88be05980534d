/** Reads audit events with every digit of their times, which JavaScript's dates would cut. */
import { type SQL, sql } from 'drizzle-orm'
import { type AuditState, auditEvents } from '../audit.ts'
import type { Db } from '../db.ts'
import type { ChainEvent } from './chain.ts'

/** As stored: sealed or not. */
type EventRow = Omit<ChainEvent, 'position' | 'addressHash' | 'hash'> & {
  position: number | null
  addressHash: string | null
  hash: string | null
}

type Raw = {
  id: string
  at: string
  actor: string | null
  action: string
  subject: string
  before: AuditState | null
  after: AuditState | null
  address: string
  address_salt: string | null
  address_hash: string | null
  position: string | null
  hash: string | null
}

export async function readEvents(db: Db, where: SQL): Promise<EventRow[]> {
  const { rows } = await db.execute<Raw>(sql`
    select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from ${auditEvents} where ${where}`)
  return rows.map(({ address_salt: addressSalt, address_hash: addressHash, id, position, ...row }) => ({
    ...row,
    addressSalt,
    addressHash,
    id: Number(id),
    position: position === null ? null : Number(position),
  }))
}

const READ_AT_ONCE = 1000

/** All sealed events in the order of the chain. */
export async function* readChain(db: Db): AsyncGenerator<ChainEvent> {
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await readEvents(db, sql`position > ${last} order by position limit ${READ_AT_ONCE}`)
    for (const row of rows) {
      const { position, addressHash, hash } = row
      if (position === null) continue
      // Constraints of the table: a sealed event has both. A table without them is answered as a broken chain.
      yield { ...row, position, addressHash: addressHash ?? '', hash: hash ?? '' }
      last = position
    }
    if (rows.length < READ_AT_ONCE) return
  }
}
