/** Brings the database to the newest shape: numbered SQL files, each in one transaction, under one lock. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** Any number that nothing else locks; several servers may start at once. */
const LOCK = 4_830_021

/** With `only`, those of an earlier version alone: its backup has its rows in the shape of that version. */
export async function migrate(
  databaseUrl: string,
  folder = own,
  only?: readonly string[],
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A lost line fails the statement under way; without a listener it would end the process besides.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const known = await namesIn(folder)
    const done = await appliedTo(client)
    refuseUnknown(done, known)
    const pending = known.filter((name) => !done.includes(name) && (!only || only.includes(name)))
    for (const name of pending) await apply(client, join(folder, name))
    return pending
  } finally {
    await client.end()
  }
}

/** For whoever opens a database without migrating it: nobody may write what a newer program keeps in another way. */
export async function refuseNewer(db: pg.Pool): Promise<void> {
  refuseUnknown(await appliedTo(db), await namesIn(own))
}

const own = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** All that this program has, in order. */
export const knownMigrations = (): Promise<string[]> => namesIn(own)

/** In order. Anything else in the folder would be left out in silence, and what it should change with it. */
async function namesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  const strange = names.find((name) => !/^\d{3}_[a-z0-9_]+\.sql$/.test(name))
  if (strange)
    throw new Error(`${join(folder, strange)} is no migration: those are named 001_what_changes.sql`)
  return names
}

async function appliedTo(db: pg.Client | pg.Pool): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from migrations')
  return rows.map(({ name }) => name)
}

function refuseUnknown(applied: string[], known: string[]): void {
  const newer = applied.filter((name) => !known.includes(name)).sort()
  if (newer.length === 0) return
  throw new Error(
    `the data was written by a newer Neuroloom (${newer.join(', ')}): start that version or one after it`,
  )
}

async function apply(client: pg.Client, path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  const name = basename(path)
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
