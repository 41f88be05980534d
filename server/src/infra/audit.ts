/**
 * The audit log: who did what to which object. Events are written in the transaction of the deed and linked into a hash
 * chain after it (`audit/seal.ts`). Nothing but the address of an erased member is ever removed.
 */
import { eq, or, sql } from 'drizzle-orm'
import { bigint, bigserial, index, jsonb, pgTable, smallint, text, timestamp } from 'drizzle-orm/pg-core'
import type { Db } from './db.ts'

/** Facts about the object. No patient data, no secrets, no names of persons. */
export type AuditState = Readonly<Record<string, string | number | boolean | null>>

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
    before: jsonb('before').$type<AuditState>(),
    after: jsonb('after').$type<AuditState>(),
    /** Drawn by the database; deleted with the address, so that nobody can try addresses against the hash. */
    addressSalt: text('address_salt').default(sql`gen_random_uuid()::text`),
    addressHash: text('address_hash'),
    /** In the chain, from 1 without gaps; null until the event is sealed. */
    position: bigint('position', { mode: 'number' }).unique(),
    hash: text('hash'),
  },
  (table) => [
    index('audit_events_actor').on(table.actor, table.at),
    index('audit_events_subject').on(table.subject, table.at),
    index('audit_events_unsealed').on(table.id).where(sql`position is null`),
  ],
)

/** One row: the last event of the chain. */
export const auditHead = pgTable('audit_head', {
  id: smallint('id').primaryKey().default(1),
  position: bigint('position', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
})

export type AuditEntry = {
  actor: string | null
  action: string
  subject: string
  address: string
  before?: AuditState
  after?: AuditState
}

/** Of what was and what is, only the facts that differ. */
export function changedFacts(was: AuditState, is: AuditState): { before: AuditState; after: AuditState } {
  const names = Object.keys({ ...was, ...is }).filter((name) => was[name] !== is[name])
  const pick = (state: AuditState): AuditState =>
    Object.fromEntries(names.map((name) => [name, state[name] ?? null]))
  return { before: pick(was), after: pick(is) }
}

/** The worker listens for it and seals what was committed. */
export const AUDITED = 'audit_events'

export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  await db.insert(auditEvents).values(entry)
  await db.execute(sql`select pg_notify(${AUDITED}, '')`)
}

/** That the addresses of a member were removed; the subject is the member. */
export const ADDRESSES_REMOVED = 'audit.addresses_removed'

/** Removes from where a member acted; what was done stays. The removal is an event, because the chain allows no other one. */
export async function forgetAddresses(db: Db, userId: string): Promise<void> {
  const subject = `user:${userId}`
  const isAbout = or(eq(auditEvents.actor, userId), eq(auditEvents.subject, subject))
  await db.update(auditEvents).set({ address: '', addressSalt: null }).where(isAbout)
  await audit(db, { actor: null, action: ADDRESSES_REMOVED, subject, address: '' })
}
