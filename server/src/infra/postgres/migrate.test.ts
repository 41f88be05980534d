import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDatabase, makePool } from '../../../test/harness.ts'
import { migrate, refuseNewer } from './migrate.ts'

let database: Awaited<ReturnType<typeof makeDatabase>>
let pool: pg.Pool
let folder: string
beforeAll(async () => {
  database = await makeDatabase()
  pool = makePool(database.url, 1)
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-migrations-'))
})
afterAll(async () => {
  await pool.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('does nothing on a database of this version, and lets it be opened', async () => {
  expect(await migrate(database.url)).toEqual([])
  await refuseNewer(pool)
})

test('a file with a strange name is an error, and nothing beside it is applied', async () => {
  await writeFile(join(folder, '001_notes.sql'), 'create table notes (text text)')
  await writeFile(join(folder, '002-more.sql'), 'create table more (text text)')
  await expect(migrate(database.url, folder)).rejects.toThrow(/002-more\.sql is no migration/)
  const { rows } = await pool.query("select to_regclass('notes') as found")
  expect(rows).toEqual([{ found: null }])
})

test('a database with migrations of a newer version is neither migrated nor opened', async () => {
  await pool.query("insert into migrations (name) values ('998_later.sql'), ('999_last.sql')")
  const sentence = 'written by a newer Neuroloom (998_later.sql, 999_last.sql): start that version'
  await expect(migrate(database.url)).rejects.toThrow(sentence)
  await expect(refuseNewer(pool)).rejects.toThrow(sentence)
})
