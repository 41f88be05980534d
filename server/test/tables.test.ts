/** The tables that the code believes in are those that the migrations make. */
import { getTableConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allTables, views } from './all-tables.ts'
import { makeDatabase } from './harness.ts'

type Column = { table: string; name: string; type: string; required: boolean }

let database: Awaited<ReturnType<typeof makeDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await makeDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('every column of the code stands in the database with the same type, and the other way round', async () => {
  const believed = await tablesOfCode()
  const made = await tablesOfDatabase()
  expect(believed.length).toBeGreaterThan(40)
  expect(text(believed)).toEqual(text(made))
})

test('every foreign key has an index that begins with it', async () => {
  const { rows } = await client.query(`
    select c.conrelid::regclass::text || ' (' || a.attname || ')' as missing
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f'
    and c.connamespace = 'public'::regnamespace
    and not exists (
      select 1
      from pg_index i
      where i.indrelid = c.conrelid
      and i.indkey[0] = c.conkey[1]
    )
    order by 1`)
  expect(rows).toEqual([])
})

test('a view shows every column of its table', async () => {
  const columnsOf = async (name: string) => {
    const { rows } = await client.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type
       from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped
       order by attnum`,
      [name],
    )
    return rows
  }
  const made = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace`,
  )
  expect(made.rows.map(({ name }) => name)).toEqual(views)
  for (const view of views) {
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)
    const [shown, kept] = [await columnsOf(view), await columnsOf(view.replace('live_', ''))]
    expect(shown.sort(byName)).toEqual(kept.sort(byName))
  }
})

async function tablesOfCode(): Promise<Column[]> {
  const tables = await allTables()
  return tables.map(getTableConfig).flatMap(({ name: table, columns }) =>
    columns.map((column) => ({
      table,
      name: column.name,
      type: typeOf(column.getSQLType()),
      required: column.notNull,
    })),
  )
}

async function tablesOfDatabase(): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace
    and c.relkind = 'r'
    and c.relname <> 'migrations'
    and a.attnum > 0
    and not a.attisdropped`)
  return rows
}

/** Drizzle's names for the types, in the database's words. */
function typeOf(type: string): string {
  if (type === 'bigserial') return 'bigint'
  if (type === 'serial') return 'integer'
  return type.replace(/^varchar/, 'character varying')
}

const text = (columns: Column[]): string[] =>
  columns
    .map(({ table, name, type, required }) => `${table}.${name} ${type}${required ? ' not null' : ''}`)
    .sort()
