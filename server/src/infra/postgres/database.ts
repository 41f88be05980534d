/** The product's own database on the embedded PostgreSQL. */
import pg from 'pg'
import type { Postgres } from './postgres.ts'

const DATABASE = 'neuroloom'

export const databaseUrlOf = (postgres: Postgres): string => postgres.url(DATABASE)

/** Makes it, empty, where it is missing. */
export async function ensureDatabase(postgres: Postgres): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') })
  // What it is asked fails with it; without a listener the process would, too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
