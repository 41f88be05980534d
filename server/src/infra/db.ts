/** The one connection pool and the typed query builder on it; knows no tables. */
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

/** What queries are made with: the pool or a transaction. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>
/** A running transaction; wherever one is asked for, a plain `Db` would lose atomicity. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

export function openPool(url: string, log: FastifyBaseLogger, size = 10): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A link that was cut without a word answers nothing, not even an error.
    query_timeout: 65_000,
    // What a transaction asks at once is sent at once, and waited for once.
    pipeline: true,
    // No statement of ours needs longer. The lock of a process that fell asleep goes before those who wait for it give up.
    options: '-c statement_timeout=60000 -c idle_in_transaction_session_timeout=30000',
  })
  // Without listeners a database restart would end the process: idle connections report here,
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  // those in a transaction themselves, and their statements fail besides.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export function openDb(pool: pg.Pool): Db {
  const db = drizzle(pool)
  return Object.assign(db, { transaction: inTransaction(pool) satisfies Db['transaction'] })
}

/** The query builder's own transaction keeps the connection for ever when it cannot begin, and hides why others failed. */
function inTransaction(pool: pg.Pool): Db['transaction'] {
  return async (work, config) => {
    const client = await pool.connect()
    let isSound = false
    let thrown: unknown
    const noted: typeof work = async (tx) => {
      try {
        return await work(tx)
      } catch (error) {
        thrown = error
        throw error
      }
    }
    try {
      const result = await drizzle(client).transaction(noted, config)
      isSound = true
      return result
    } catch (error) {
      // Another error than the work's: the connection was lost, before, after or on the way back.
      isSound = error === thrown
      throw thrown ?? error
    } finally {
      client.release(!isSound)
    }
  }
}

/** A question that is asked all the time: put together once a pool, planned once a connection. */
export function kept<Query>(build: (db: Db) => Query): (db: Db) => Query {
  const built = new WeakMap<Db, Query>()
  return (db) => {
    const query = built.get(db) ?? build(db)
    built.set(db, query)
    return query
  }
}

/** The SQLSTATE of a failed statement, wherever the query builder has put it; null for other errors. */
export function sqlState(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError) return cause.code ?? null
  }
  return null
}

/** Whether a statement broke the named unique constraint or index. */
export function breaksUnique(error: unknown, constraint: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError) return cause.code === '23505' && cause.constraint === constraint
  }
  return false
}

/** A pattern of `like` for what contains a text; wildcards are letters. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
