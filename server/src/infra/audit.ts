/** The record of who did what to whom; written in the transaction of the deed, never changed. */
import { bigserial, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Db } from './db.ts'

export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** The acting user; null where nobody was signed in. */
    actor: text('actor'),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    address: text('address').notNull(),
    at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('audit_events_actor').on(table.actor, table.at)],
)

export type AuditEntry = { actor: string | null; action: string; subject: string; address: string }

export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  await db.insert(auditEvents).values(entry)
}
