/** One member's row in every table that belongs to members, filled as the tables describe themselves. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { users } from '../src/features/accounts/tables.ts'
import { blobs } from '../src/infra/storage/blobs.ts'
import { allTables } from './all-tables.ts'
import { type ForeignKey, foreignKeysOf } from './foreign-keys.ts'
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
  const keys = await foreignKeysOf(server)
  const rows: Row[] = []
  for (const table of inOrder(await allTables(), keys)) {
    const row = {
      table,
      ...fill(table, { own: given[getTableName(table)] ?? {}, choices, keys, known, from: rows.length }),
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
  keys: ForeignKey[]
  known: Map<PgTable, Record<string, unknown>>
  from: number
}

function fill(table: PgTable, { own, choices, keys, known, from }: Filling): Pick<Row, 'values' | 'signs'> {
  const values = { ...own }
  const signs = new Map<string, string>()
  for (const [index, [property, column]] of Object.entries(getTableColumns(table)).entries()) {
    if (property in own || column.generated || /serial/.test(column.getSQLType())) continue
    const key = keys.find((one) => one.table === getTableName(table) && one.column === column.name)
    if (key) {
      values[property] = referred(known, key)
      continue
    }
    if (memberNames.includes(property)) {
      values[property] = known.get(users)?.id
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

function referred(known: Filling['known'], { to, toColumn }: ForeignKey): unknown {
  const [target, stored = {}] = [...known].find(([table]) => getTableName(table) === to) ?? []
  const [property = ''] =
    Object.entries(target ? getTableColumns(target) : {}).find(([, { name }]) => name === toColumn) ?? []
  return stored[property] ?? null
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

/** Books outlive accounts: they name a member, and refer to none. */
const memberNames = ['userId', 'sellerId', 'buyerId', 'ownerId', 'providerId']
const namesMember = (table: PgTable): boolean => memberNames.some((name) => name in getTableColumns(table))

/** Tables whose rows go with their member, or are in the way of that. */
function inOrder(tables: PgTable[], keys: ForeignKey[]): PgTable[] {
  const before = new Set(['users', 'blobs'])
  const ofMembers = new Set(['users'])
  const sorted: PgTable[] = []
  const keysOf = (table: PgTable) => keys.filter((key) => key.table === getTableName(table))
  for (let left = tables.filter((table) => !before.has(getTableName(table))); left.length > 0; ) {
    const next = left.filter((table) =>
      keysOf(table).every(({ to, table: own }) => to === own || before.has(to)),
    )
    if (next.length === 0) throw new Error(`They refer to each other: ${left.map(getTableName).join(', ')}`)
    for (const table of next) {
      before.add(getTableName(table))
      const isOfMember = keysOf(table).some(({ to, onEnd }) => onEnd !== 'set null' && ofMembers.has(to))
      if (!isOfMember && !namesMember(table)) continue
      ofMembers.add(getTableName(table))
      sorted.push(table)
    }
    left = left.filter((table) => !before.has(getTableName(table)))
  }
  return sorted
}
