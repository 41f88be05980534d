/** Brings the database to the newest shape: numbered SQL files, each in one transaction, under one lock. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** Any number that nothing else locks; several servers may start at once. */
const LOCK = 4_830_021

export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const applied: string[] = []
    for (const name of await pending(client)) {
      await apply(client, name)
      applied.push(name)
    }
    return applied
  } finally {
    await client.end()
  }
}

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

async function pending(client: pg.Client): Promise<string[]> {
  const done = await client.query<{ name: string }>('select name from migrations')
  const names = new Set(done.rows.map((row) => row.name))
  const files = (await readdir(folder)).filter((name) => /^\d{3}_[a-z_]+\.sql$/.test(name)).sort()
  return files.filter((name) => !names.has(name))
}

async function apply(client: pg.Client, name: string): Promise<void> {
  const text = await readFile(join(folder, name), 'utf8')
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed`, { cause: error })
  }
}
