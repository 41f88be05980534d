/**
 * All rows of the database as text, and back. Values travel in PostgreSQL's own text form, which is exact for every type
 * and the same in every version of it; tables themselves come from the program's migrations.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, type Gunzip } from 'node:zlib'
import pg from 'pg'
import { sync } from '../storage/files.ts'
import { textLines } from '../text-lines.ts'

type Column = { name: string; type: string }
type TableLine = { table: string; columns: Column[] }
type SequenceLine = { sequence: string; last: string; isCalled: boolean }

export type RowCounts = Record<string, number>

const FETCHED_AT_ONCE = 200
const INSERTED_AT_ONCE = 200

/** Whatever the server's settings are, values have one text form. */
const textForm = [
  `set datestyle = 'ISO, MDY'`,
  `set timezone = 'UTC'`,
  `set intervalstyle = 'postgres'`,
  `set extra_float_digits = 1`,
  `set bytea_output = 'hex'`,
  'set statement_timeout = 0',
  'set idle_in_transaction_session_timeout = 0',
]

/** A connection of its own: a backup takes longer than any statement may. */
export async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true })
  // What it is asked next fails; without a listener the process would end.
  client.on('error', () => undefined)
  await client.connect()
  for (const statement of textForm) await client.query(statement)
  return client
}

/** The caller has begun the transaction whose snapshot is written. */
export async function writeRows(client: pg.Client, path: string): Promise<RowCounts> {
  const counts: RowCounts = {}
  await pipeline(
    Readable.from(dump(client, counts)),
    createGzip({ level: 3 }),
    createWriteStream(path, { mode: 0o600 }),
  )
  await sync(path)
  return counts
}

async function* dump(client: pg.Client, counts: RowCounts): AsyncGenerator<string> {
  for (const line of await tablesOf(client)) {
    yield `${JSON.stringify(line)}\n`
    counts[line.table] = 0
    const values = line.columns.map(({ name }) => `${pg.escapeIdentifier(name)}::text`).join(', ')
    await client.query(
      `declare backup_rows no scroll cursor for
       select array_to_json(array[${values}])::text as line from ${line.table} ${filterOf(line.table)}`,
    )
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`fetch ${FETCHED_AT_ONCE} from backup_rows`)
      if (rows.length === 0) break
      counts[line.table] = (counts[line.table] ?? 0) + rows.length
      yield `${rows.map((row) => row.line).join('\n')}\n`
    }
    await client.query('close backup_rows')
  }
  for (const line of await sequencesOf(client)) yield `${JSON.stringify(line)}\n`
}

const JOBS = 'pgboss.job'
/** Of the job queue, what is still to be done. Its schedules are the program's, made anew at every start. */
const filterOf = (table: string): string =>
  table === JOBS ? String.raw`where state < 'completed' and name not like '\_\_%'` : ''

/** Generated columns are worked out again. */
async function tablesOf(client: pg.Client): Promise<TableLine[]> {
  const { rows } = await client.query<TableLine>(`
    select format('%I.%I', n.nspname, c.relname) as table,
      json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition
    and (n.nspname = 'public' and c.relname <> 'migrations' or format('%I.%I', n.nspname, c.relname) = '${JOBS}')
    group by 1 order by 1`)
  return rows
}

async function sequencesOf(client: pg.Client): Promise<SequenceLine[]> {
  const { rows: names } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname = 'public' order by 1`,
  )
  const lines: SequenceLine[] = []
  for (const { name } of names) {
    const { rows } = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from ${name}`,
    )
    lines.push(...rows.map((row) => ({ sequence: name, ...row })))
  }
  return lines
}

/** Puts the rows in the place of those that migrations made. In the caller's transaction: all or nothing. */
export async function readRows(client: pg.Client, path: string): Promise<RowCounts> {
  const catalogue = await tablesOf(client)
  const tables = catalogue.map(({ table }) => table)
  const sequences = (await sequencesOf(client)).map(({ sequence }) => sequence)
  const restoreKeys = await takeKeysAway(client)
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  for (const table of tables) await client.query(`delete from ${table}`)
  const counts: RowCounts = {}
  for await (const batch of batchesOf(path)) {
    if ('sequence' in batch) {
      if (!sequences.includes(batch.sequence)) throw unknownPart(batch.sequence)
      await client.query('select setval($1, $2, $3)', [batch.sequence, batch.last, batch.isCalled])
      continue
    }
    counts[batch.table] = (counts[batch.table] ?? 0) + batch.rows.length
    await insert(client, asInCatalogue(batch, catalogue))
  }
  // The worker that did them is another installation's.
  await client.query(`update ${JOBS} set state = 'retry' where state = 'active'`)
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
  // Adding them compares every row with the one it refers to.
  for (const statement of restoreKeys) await client.query(statement)
  return counts
}

/** Rows refer to each other in circles, so their foreign keys are put back at the end. Answers by which statements. */
async function takeKeysAway(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select c.conrelid::regclass::text as table, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0`)
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows.map(
    ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
  )
}

type Batch = TableLine & { rows: (string | null)[][] }

/** Names and types become part of statements: they are the database's own, whatever the file says. */
function asInCatalogue({ table, columns, rows }: Batch, catalogue: readonly TableLine[]): Batch {
  const own = catalogue.find((line) => line.table === table)
  if (!own) throw unknownPart(table)
  const known = columns.map(({ name }) => {
    const column = own.columns.find((one) => one.name === name)
    if (!column) throw unknownPart(`${table}.${name}`)
    return column
  })
  return { table: own.table, columns: known, rows }
}

const unknownPart = (name: string): Error =>
  new Error(`The backup holds “${name}”, which this version does not know; nothing was changed`)

async function insert(client: pg.Client, { table, columns, rows }: Batch): Promise<void> {
  if (rows.length === 0) return
  const names = columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
  const values = columns.map(({ type }, index) => `v${index}::${type}`).join(', ')
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(', ')
  const given = columns.map((_, index) => `v${index}`).join(', ')
  await client.query(
    `insert into ${table} (${names}) overriding system value select ${values} from unnest(${arrays}) as given (${given})`,
    columns.map((_, index) => rows.map((row) => row[index] ?? null)),
  )
}

async function* batchesOf(path: string): AsyncGenerator<Batch | SequenceLine> {
  let header: TableLine | null = null
  let rows: (string | null)[][] = []
  for await (const text of textLines(unzip(path))) {
    // The lines of a file whose hash was compared with the manifest.
    const line = JSON.parse(text) as (string | null)[] | TableLine | SequenceLine
    if (Array.isArray(line)) rows.push(line)
    if (header && (!Array.isArray(line) || rows.length === INSERTED_AT_ONCE)) {
      yield { ...header, rows }
      rows = []
    }
    if (Array.isArray(line)) continue
    header = 'table' in line ? line : null
    if ('sequence' in line) yield line
  }
  if (header) yield { ...header, rows }
}

function unzip(path: string): Gunzip {
  const unzipped = createGunzip()
  // What is broken is thrown by whoever reads.
  pipeline(createReadStream(path), unzipped).catch(() => undefined)
  return unzipped
}
