import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { makeDatabase } from '../../test/harness.ts'
import { type Db, openDb, openPool } from './db.ts'
import { createLog } from './log.ts'

let database: Awaited<ReturnType<typeof makeDatabase>>
let admin: pg.Client
beforeAll(async () => {
  database = await makeDatabase()
  admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

let pool: pg.Pool
let db: Db
beforeEach(async () => {
  // One connection: one that is not given back is missed at once.
  pool = openPool(database.url, createLog('silent', 'test'), 1)
  db = openDb(pool)
  await db.execute(sql`create table if not exists notes (text text)`)
})
afterEach(() => pool.end())

const end = (pid: number): Promise<unknown> => admin.query('select pg_terminate_backend($1)', [pid])
const pidOf = async (tx: Pick<Db, 'execute'>): Promise<number> => {
  const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return rows[0]?.pid ?? 0
}
const texts = async (): Promise<unknown[]> => (await db.execute(sql`select text from notes`)).rows

/** The work, or what would end the process of a server meanwhile. */
async function orCrash<T>(work: Promise<T>): Promise<T> {
  let crash = (_error: Error): void => undefined
  const crashed = new Promise<never>((_, reject) => {
    crash = reject
  })
  process.on('uncaughtException', crash)
  try {
    return await Promise.race([work, crashed])
  } finally {
    // Files after this one run in the same process, and their errors are to be told.
    process.off('uncaughtException', crash)
  }
}

test('a connection that is lost in a transaction costs that transaction alone', async () => {
  const client = await pool.connect()
  client.release()
  const lost = new Promise((resolve) => client.once('end', resolve))
  const torn = db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values ('torn')`)
    await end(await pidOf(tx))
    // Nothing is asked of the database at the moment it goes.
    await lost
    await tx.execute(sql`insert into notes values ('late')`)
  })
  await expect(orCrash(torn)).rejects.toThrow('Failed query: insert into notes')
  expect(await texts()).toEqual([])
  await db.transaction((tx) => tx.execute(sql`insert into notes values ('kept')`))
  expect(await texts()).toEqual([{ text: 'kept' }])
})

test('a transaction that cannot even begin gives its connection back', async () => {
  const pid = await pidOf(db)
  // Idle and dead, before anybody notices.
  await end(pid)
  const work = db.transaction((tx) => tx.execute(sql`select 1`))
  await orCrash(work.catch(() => undefined))
  expect(await pidOf(db)).not.toBe(pid)
})

test('what a transaction throws comes out as it was, and its connection is used again', async () => {
  const pid = await pidOf(db)
  const refused = db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values ('undone')`)
    throw new RangeError('too much')
  })
  await expect(refused).rejects.toThrow(new RangeError('too much'))
  expect(await texts()).not.toContainEqual({ text: 'undone' })
  expect(await pidOf(db)).toBe(pid)
})
