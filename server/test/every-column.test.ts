/**
 * Whoever gives a table a column is told here where it was forgotten: in the member's archive, wherever rows are copied,
 * and when an account is erased. One member has a row in every table, with a sign of its own in every column that can
 * hold one; what is left out on purpose stands below, by its reason.
 */
import { isDeepStrictEqual } from 'node:util'
import { and, eq, getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { erase } from '../src/features/accounts/cancel.ts'
import { files } from '../src/features/files/tables.ts'
import { networks } from '../src/features/networks/tables.ts'
import { userStorage } from '../src/features/plans/tables.ts'
import { projects } from '../src/features/projects/tables.ts'
import { makeServer, PASSWORD, type Session, type TestServer } from './harness.ts'
import { makeRows, type Row } from './rows.ts'
import { unzip } from './unzip.ts'
import { makeWorker } from './worker.ts'

/** Columns that the archive has not. A star stands for a whole table. */
const leftOut: Record<string, string> = {
  'a secret, or what would tell one': `
    deidentification_keys.key file_groups.password_hash file_links.password_hash file_links.token_hash`,
  'work under way, and what is gone soon': `
    live_tickets.* login_keys.* known_devices.* sessions.closing_at uploads.* unpacks.* zips.*
    conversions.attempts conversions.lease_until conversion_items.reserved_bytes`,
  'how far a run was, and who worked at it': `
    runs.attempt runs.claimed_at runs.losses runs.pauses runs.phase runs.preview runs.progress runs.queued_at
    runs.reached runs.reached_at_loss runs.stopped_by runs.work`,
  'of the file itself, which is there with its time': `
    files.file_count files.modified_at files.size_bytes files.type run_artifacts.size_bytes`,
  'worked out from the rest, for searching and comparing': `
    datasets.content_hash dataset_doubles.* dataset_parts.items deidentifications.sha256 file_records.search_name
    files.search_name files.sort_name projects.search_text run_inputs.plan_hash run_numbers.last`,
  'says nothing to anybody but the database': `
    conversion_items.file_ids conversion_items.position conversions.source_ids dataset_items.id dataset_items.position
    dataset_parts.id dataset_problems.position file_groups.id file_records.entry_id run_items.item_id run_items.place
    run_set_aside.place run_sources.entry_ids`,
  'in the table of predictions, which is there': 'run_items.result run_items.score',
  'pictures drawn to be shown': 'run_pictures.name',
}

/** What each copy has of its own: all the rest is as it was. */
const copies = [
  {
    name: 'a file',
    table: files,
    own: 'id modified_at name public_at public_with_patients search_name sort_name type',
    copy: (id: string) => server.call('files/copy', { ids: [id], targetId: null, sameName: 'rename' }, who),
  },
  {
    name: 'a file in a folder',
    table: files,
    own: 'id modified_at parent_id public_at public_with_patients',
    copy: async (id: string) => {
      await server.call('files/createFolder', { parentId: null, name: 'Around' }, who)
      const [folder] = await server.ctx.db.select().from(files).where(eq(files.name, 'Around'))
      const folderId = folder?.id ?? ''
      await server.ctx.db.update(files).set({ parentId: folderId }).where(eq(files.id, id))
      return server.call('files/copy', { ids: [folderId], targetId: null, sameName: 'rename' }, who)
    },
  },
  {
    name: 'a project',
    table: projects,
    own: 'created_at id modified_at name public_at search_text',
    copy: (id: string) => server.call('projects/copy', { id, name: 'Copy' }, who),
  },
  {
    name: 'a network',
    table: networks,
    own: 'created_at id name revision updated_at version',
    copy: (id: string) => server.call('networks/copy', { id, name: 'Copy' }, who),
  },
]

let server: TestServer
let who: Session
let rows: Row[]
beforeAll(async () => {
  server = await makeServer()
  who = await server.signUp({ vipLevel: 4 })
  const { userId: other } = await server.signUp()
  rows = await makeRows(server, { who, given: given(other) })
  // What is under way holds on to space, and gives it back.
  const space = { usedBytes: 1e9, reservedBytes: 1e9 }
  await server.ctx.db.update(userStorage).set(space).where(eq(userStorage.userId, who.userId))
})
afterAll(() => server.close())

/** What the rules of the database ask for, or a state in which all columns may hold something. */
const given = (other: string) => ({
  sessions: { endReason: 'expired' },
  projects: { displays: ['per_class_table'], recycledAt: null, clearsAt: null },
  project_shares: { userId: other },
  files: { kind: 'file', parentId: null, recycledAt: null, clearsAt: null },
  file_groups: { number: '123456' },
  file_shares: { userId: other, groupId: null },
  uploads: { receivedBytes: 0 },
  datasets: { state: 'ready', failure: null, channels: 3 },
  dataset_items: { fingerprint: '0'.repeat(128), boxes: [] },
  runs: { kind: 'test', state: 'done', worker: null, leaseUntil: null, error: null, parentId: null },
  run_artifacts: { kind: 'weights' },
})

test('a row stands in every table of members', () => {
  expect(rows.length).toBeGreaterThan(35)
})

test('the archive of a member has every column', async () => {
  const { data } = await server.call('user/export', {}, who)
  const response = await fetch(server.url + data.url)
  const entries = await unzip(Buffer.from(await response.arrayBuffer()))
  const text = [...entries].map(([path, { bytes }]) => `${path}\n${bytes}`).join('\n')
  const missing = rows.flatMap(({ signs }) =>
    [...signs.keys()].filter((key) => !text.includes(signs.get(key) ?? '')),
  )
  const known = wordsOf(Object.values(leftOut).join(' '))
  const isMeant = (column: string) => known.includes(column) || known.includes(column.replace(/\..*/, '.*'))
  expect(missing.filter((column) => !isMeant(column))).toEqual([])
  // The list above is true as well.
  const isMissing = (one: string) =>
    missing.some((column) => column === one || column.startsWith(one.replace('*', '')))
  expect(known.filter((one) => !isMissing(one))).toEqual([])
})

test.each(copies)('a copy of $name has every column', async ({ table, own, copy }) => {
  const stored = () => server.ctx.db.select().from<PgTable>(table)
  const id = rows.find((row) => row.table === table)?.values.id
  const before = new Set((await stored()).map((row) => row.id))
  const { code, message } = await copy(String(id))
  expect(code, message).toBe(10200)
  const after = await stored()
  const original = after.find((row) => row.id === id) ?? {}
  const copied = after.find((row) => !before.has(row.id) && row.kind === original.kind) ?? {}
  const different = Object.entries(getTableColumns<PgTable>(table))
    .filter(([property]) => !isDeepStrictEqual(original[property], copied[property]))
    .map(([, { name }]) => name)
  const known = wordsOf(own)
  expect({
    forgotten: different.filter((column) => !known.includes(column)),
    asBefore: known.filter((column) => !different.includes(column)),
  }).toEqual({ forgotten: [], asBefore: [] })
})

test('of an erased account nothing is left', async () => {
  expect((await server.call('user/cancel', { password: PASSWORD }, who)).code).toBe(10200)
  const worker = makeWorker(server)
  await erase(worker, who.userId)
  worker.engine.close()
  const left = await Promise.all(
    rows.map(async (row) => ((await isThere(row)) ? [getTableName(row.table)] : [])),
  )
  expect(left.flat()).toEqual([])
})

const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

async function isThere({ table, values }: Row): Promise<boolean> {
  const { columns, primaryKeys } = getTableConfig(table)
  const keys = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
  if (keys.length === 0) throw new Error(`${getTableName(table)} has no key`)
  const properties = new Map(
    Object.entries(getTableColumns(table)).map(([property, { name }]) => [name, property]),
  )
  const isRow = keys.map((key) => eq(key, values[properties.get(key.name) ?? '']))
  return (await server.ctx.db.$count(table, and(...isRow))) > 0
}
