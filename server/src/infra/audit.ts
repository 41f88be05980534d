/** The record of who did what to whom; written in the transaction of the deed, never changed but to forget a person. */
import { eq, or } from 'drizzle-orm'
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
  (table) => [
    index('audit_events_actor').on(table.actor, table.at),
    index('audit_events_subject').on(table.subject, table.at),
  ],
)

export type AuditEntry = { actor: string | null; action: string; subject: string; address: string }

export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  await db.insert(auditEvents).values(entry)
}

/** What was done stays; from where, which would tell of a person, goes with the account. */
export async function forgetAddresses(db: Db, userId: string): Promise<void> {
  const isAbout = or(eq(auditEvents.actor, userId), eq(auditEvents.subject, `user:${userId}`))
  await db.update(auditEvents).set({ address: '' }).where(isAbout)
}
