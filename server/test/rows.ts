/** One member's row in every table that belongs to members, filled as the tables describe themselves. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { users } from '../src/features/accounts/tables.ts'
import { blobs } from '../src/infra/storage/blobs.ts'
import { allTables } from './all-tables.ts'
import type { Session, TestServer } from './harness.ts'
import { sha256, upload } from './uploads.ts'

export type Row = {
  table: PgTable
  values: Record<string, unknown>
  /** By `table.column`: what tells its value from all others; none of columns that hold too little. */
  signs: Map<string, string>
}

type Options = {
  who: Session
  /** What rules of the database ask for, by table and property. */
  given: Record<string, Record<string, unknown>>
}

/** Those that others refer to first. */
export async function makeRows(server: TestServer, { who, given }: Options): Promise<Row[]> {
  const bytes = Buffer.from('what every digest stands for')
  await upload(server, who, { files: [{ path: 'bytes.bin', bytes }] })
  const known = new Map<PgTable, Record<string, unknown>>([
    [users, { id: who.userId }],
    [blobs, { sha256: sha256(bytes, 'hex') }],
  ])
  const choices = await choicesOf(server)
  const rows: Row[] = []
  for (const table of inOrder(await allTables())) {
    const row = {
      table,
      ...fill(table, { own: given[getTableName(table)] ?? {}, choices, known, from: rows.length }),
    }
    // A member has one of some from the beginning.
    const [stored] = await server.ctx.db.insert(table).values(row.values).onConflictDoNothing().returning()
    if (!stored) continue
    known.set(table, stored)
    rows.push({ ...row, values: stored })
  }
  return rows
}

/** By `table.column`, the last of the words that a rule of the database allows. */
async function choicesOf({ ctx }: TestServer): Promise<Map<string, string>> {
  const { rows } = await ctx.pool.query<{ name: string; rule: string }>(
    `select conrelid::regclass as name, pg_get_constraintdef(oid) as rule from pg_constraint where contype = 'c'`,
  )
  const found = new Map<string, string>()
  for (const { name, rule } of rows)
    for (const [, column, choice = ''] of rule.matchAll(/\((\w+) = ANY \(ARRAY\[[^\]]*'([^']+)'::text\]/g))
      found.set(`${name}.${column}`, choice)
  return found
}

type Filling = {
  own: Record<string, unknown>
  choices: Map<string, string>
  known: Map<PgTable, Record<string, unknown>>
  from: number
}

function fill(table: PgTable, { own, choices, known, from }: Filling): Pick<Row, 'values' | 'signs'> {
  const values = { ...own }
  const signs = new Map<string, string>()
  const references = referencesOf(table)
  for (const [index, [property, column]] of Object.entries(getTableColumns(table)).entries()) {
    if (property in own || column.generated || /serial/.test(column.getSQLType())) continue
    const reference = references.get(column.name)
    if (reference) {
      values[property] = known.get(reference.table)?.[reference.property] ?? null
      continue
    }
    const place = `${getTableName(table)}.${column.name}`
    const choice = choices.get(place)
    if (choice !== undefined) {
      values[property] = choice
      continue
    }
    const { value, sign } = markOf(column, place, from * 100 + index)
    values[property] = value
    if (sign) signs.set(place, sign)
  }
  return { values, signs }
}

/** What a column holds here as no other does, and how that reads in JSON. */
function markOf(column: PgColumn, place: string, number: number): { value: unknown; sign?: string } {
  const type = column.getSQLType()
  const sign = `${place}!`
  if (type === 'text') return { value: sign, sign }
  if (type === 'text[]') return { value: [sign], sign }
  if (type === 'jsonb') return { value: { [sign]: 1 }, sign }
  if (type === 'integer' || type === 'bigint')
    return { value: 7_000_000 + number, sign: `${7_000_000 + number}` }
  if (type === 'double precision') return { value: 7_000_000.5 + number, sign: `${7_000_000.5 + number}` }
  if (type === 'smallint') return { value: 2 }
  if (type === 'boolean') return { value: true }
  if (type === 'bytea') return { value: Buffer.from(place) }
  if (type.startsWith('timestamp')) {
    const value = new Date(Date.UTC(2031, 0, 1, 0, number))
    return { value, sign: value.toISOString().slice(0, 16) }
  }
  throw new Error(`${place}: nothing is known of ${type}`)
}

type Reference = {
  table: PgTable
  property: string
  /** Gone with what it refers to. */
  isPart: boolean
}

function referencesOf(table: PgTable): Map<string, Reference> {
  const found = new Map<string, Reference>()
  for (const { onDelete, reference } of getTableConfig(table).foreignKeys) {
    const { columns, foreignTable, foreignColumns } = reference()
    const target = Object.entries(getTableColumns(foreignTable)).find(([, one]) => one === foreignColumns[0])
    if (columns[0] && target)
      found.set(columns[0].name, { table: foreignTable, property: target[0], isPart: onDelete === 'cascade' })
  }
  return found
}

/** Tables whose rows are gone with their member. */
function inOrder(tables: PgTable[]): PgTable[] {
  const before = new Set<PgTable>([users, blobs])
  const ofMembers = new Set<PgTable>([users])
  for (let left = tables.filter((table) => !before.has(table)); left.length > 0; ) {
    const next = left.filter((table) =>
      [...referencesOf(table).values()].every((one) => one.table === table || before.has(one.table)),
    )
    if (next.length === 0) throw new Error(`They refer to each other: ${left.map(getTableName).join(', ')}`)
    for (const table of next) {
      before.add(table)
      const isOfMembers = [...referencesOf(table).values()].some(
        (one) => one.isPart && ofMembers.has(one.table),
      )
      if (isOfMembers) ofMembers.add(table)
    }
    left = left.filter((table) => !before.has(table))
  }
  return [...ofMembers].filter((table) => table !== users)
}
