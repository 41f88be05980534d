/** News for pages: stored events that are replayed from the last seen id, and passing ones that are not. Knows no features. */
import { type Topic, topicSchema } from '@neuroloom/contract/live'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { bigserial, index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { FastifyBaseLogger } from 'fastify'
import type { Db, Tx } from '../db.ts'
import type { Listener } from '../listener.ts'

export const liveEvents = pgTable(
  'live_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    topic: text('topic').notNull(),
    type: text('type').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    /** Names the cause, so that telling it twice stores it once. */
    source: text('source').unique(),
    at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('live_events_topic').on(table.topic, table.id)],
)

export type StoredEvent = { id: number; type: string; data: Record<string, unknown> }
export type PassingEvent = { topic: string; type: string; data: Record<string, unknown> }
export type EventData = Record<string, unknown>

export type Live = {
  /** Stores an event and tells every server once the transaction commits. Its id; null when `source` is known already. */
  publish(tx: Tx, topic: Topic, type: string, data: EventData, source?: string): Promise<number | null>
  /** Tells whoever listens now, or once the given transaction commits; nothing is stored. At most 7 kB as JSON. */
  passing(topic: Topic, type: string, data: EventData, through?: Db): Promise<void>
  /** The same news in several topics. */
  passingToAll(topics: readonly Topic[], type: string, data: EventData, through?: Db): Promise<void>
  /** The newest stored event of a topic, 0 when there is none: from here on a page must listen. */
  lastId(db: Db, topic: Topic): Promise<number>
  /** Stored events after an id, oldest first, at most `PAGE`. */
  after(topicKey: string, id: number): Promise<StoredEvent[]>
  /** Drops what was stored about a deleted thing. */
  forget(tx: Tx, topic: Topic): Promise<void>
  /** Closes the sockets of a session, on every server, once the transaction commits. */
  endSession(tx: Tx, sessionId: string): Promise<void>
  /** A session may be over in a moment: every server then looks at it, if it has sockets of it. */
  closingSession(tx: Tx, sessionId: string): Promise<void>
  /**
   * Somebody may have lost the right to what they watch: once the transaction commits, every server asks again for the
   * topics of a member (`user`), for one topic of everybody's, or (null) for all.
   */
  rightsChanged(tx: Tx, whose: Topic | null): Promise<void>
  /** For the socket server: what to do with news. */
  listen(hooks: LiveHooks): void
  close(): Promise<void>
}

export type LiveHooks = {
  stored(topicKey: string): void
  passing(event: PassingEvent): void
  sessionEnded(sessionId: string): void
  sessionCloses(sessionId: string): void
  /** With the key of a topic; '' = all. */
  rightsChanged(key: string): void
  /** The connection was away: anything may have been missed. */
  missed(): void
}

export const topicKey = (topic: Topic): string => `${topic.kind}:${topic.id}`

export function topicOf(key: string): Topic {
  const [kind, ...id] = key.split(':')
  return topicSchema.parse({ kind, id: id.join(':') })
}

/** Stored events read at once. */
export const PAGE = 500
const STORED = 'live_stored'
const PASSING = 'live_passing'
const SESSIONS = 'live_sessions'
const CLOSING = 'live_closing'
const RIGHTS = 'live_rights'
/** PostgreSQL refuses longer notices than 8000 bytes. */
const PASSING_BYTES = 7168

export function createLive({ db, listener }: { db: Db; listener: Listener; log: FastifyBaseLogger }): Live {
  const notify = (through: Db, channel: string, payload: string) =>
    through.execute(sql`select pg_notify(${channel}, ${payload})`)

  const payloadOf = (topic: Topic, type: string, data: EventData): string => {
    const payload = JSON.stringify({ topic: topicKey(topic), type, data } satisfies PassingEvent)
    if (Buffer.byteLength(payload) > PASSING_BYTES) throw new Error(`Passing event too large: ${type}`)
    return payload
  }

  return {
    async publish(tx, topic, type, data, source) {
      const key = topicKey(topic)
      // Ids are drawn before the commit. One publisher a topic at a time, or a reader could step over a late smaller id.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`live ${key}`}, 0))`)
      const [stored] = await tx
        .insert(liveEvents)
        .values({ topic: key, type, data, source: source ?? null })
        .onConflictDoNothing({ target: liveEvents.source })
        .returning({ id: liveEvents.id })
      if (!stored) return null
      await notify(tx, STORED, key)
      return stored.id
    },
    async passing(topic, type, data, through = db) {
      await notify(through, PASSING, payloadOf(topic, type, data))
    },
    async passingToAll(topics, type, data, through = db) {
      if (topics.length === 0) return
      const payloads = topics.map((topic) => payloadOf(topic, type, data))
      await through.execute(
        sql`select pg_notify(${PASSING}, payload) from unnest(${sql.param(payloads)}::text[]) as news (payload)`,
      )
    },
    async lastId(through, topic) {
      const [last] = await through
        .select({ id: sql<number>`coalesce(max(${liveEvents.id}), 0)`.mapWith(Number) })
        .from(liveEvents)
        .where(eq(liveEvents.topic, topicKey(topic)))
      return last?.id ?? 0
    },
    after: (key, id) =>
      db
        .select({ id: liveEvents.id, type: liveEvents.type, data: liveEvents.data })
        .from(liveEvents)
        .where(and(eq(liveEvents.topic, key), gt(liveEvents.id, id)))
        .orderBy(asc(liveEvents.id))
        .limit(PAGE),
    async forget(tx, topic) {
      await tx.delete(liveEvents).where(eq(liveEvents.topic, topicKey(topic)))
    },
    async endSession(tx, sessionId) {
      await notify(tx, SESSIONS, sessionId)
    },
    async closingSession(tx, sessionId) {
      await notify(tx, CLOSING, sessionId)
    },
    async rightsChanged(tx, whose) {
      await notify(tx, RIGHTS, whose ? topicKey(whose) : '')
    },
    listen(hooks) {
      listener.on(STORED, hooks.stored, hooks.missed)
      // Written by `passing` alone.
      listener.on(PASSING, (payload) => hooks.passing(JSON.parse(payload) as PassingEvent))
      listener.on(SESSIONS, hooks.sessionEnded)
      listener.on(CLOSING, hooks.sessionCloses)
      listener.on(RIGHTS, hooks.rightsChanged)
    },
    async close() {},
  }
}
