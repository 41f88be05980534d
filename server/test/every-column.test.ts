/**
 * Whoever makes a table, or gives one a column, is told here where it was forgotten: in the member's archive, wherever
 * rows are copied with what belongs to them, when an account is erased, and where bytes are kept. One member has a row in every table, with a sign of its own in every column that can
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
import { allTables } from './all-tables.ts'
import { foreignKeysOf } from './foreign-keys.ts'
import { makeServer, PASSWORD, type Session, type TestServer } from './harness.ts'
import { makeRows, type Row } from './rows.ts'
import { unzip } from './unzip.ts'
import { makeWorker } from './worker.ts'

/** Tables in which the test puts no row: they hold nothing of a member's, or something from the beginning. */
const ofNobody = `
  announcements audit_events audit_head backup_plan backups blobs clock codes derived_images derived_sources dicom_places file_tries ledger_accounts
  ledger_entries ledger_postings live_events modules_off partners plan_overrides run_devices sign_in_tries used_challenges
  user_storage custom_prices users view_sources views vip_plans visitor_messages`

/** Columns that the archive has not. A star stands for a whole table. */
const leftOut: Record<string, string> = {
  'a secret, or what would tell one': `
    deidentification_keys.key file_groups.password_hash social_groups.password_hash file_links.password_hash file_links.token_hash
    second_factors.* recovery_codes.*`,
  'work under way, and what is gone soon': `
    live_tickets.* login_keys.* known_devices.* second_factor_tickets.* social_tries.* sessions.closing_at sessions.second_factor_at uploads.* unpacks.* zips.*
    conversions.attempts conversions.lease_until conversion_items.reserved_bytes preparations.attempts preparations.lease_until preparations.reserved_bytes label_exchanges.attempts label_exchanges.lease_until
    text_scans.attempts text_scans.lease_until flow_studies.attempts flow_studies.lease_until flow_studies.reserved_bytes
    run_flow.attempts run_flow.asked_at run_flow.lease_until flow_sharpenings.*`,
  'how far a run was, and who worked at it': `
    runs.attempt runs.claimed_at runs.losses runs.pauses runs.phase runs.preferred_at runs.preview runs.progress runs.queued_at
    runs.reached runs.reached_at_loss runs.stopped_by runs.cost
    runs.foreseen_seconds runs.quiet_seconds`,
  'of the file itself, which is there with its time': `
    files.file_count files.modified_at files.size_bytes files.type run_artifacts.size_bytes`,
  'worked out from the rest, for searching and comparing': `
    label_agreements.* label_wholes.* datasets.content_hash dataset_doubles.* dataset_parts.items deidentifications.sha256 file_records.search_name
    files.search_name files.sort_name projects.search_text run_inputs.plan_hash run_numbers.kind run_numbers.last social_messages.search_text social_posts.search_text`,
  'says nothing to anybody but the database': `
    conversion_items.file_ids conversion_items.position conversions.source_ids dataset_items.id dataset_items.position
    dataset_parts.id dataset_problems.position label_sources.place file_groups.id file_records.entry_id run_items.item_id run_items.place run_set_aside.place run_sources.entry_ids run_sources.pinned preparation_items.file_ids preparation_items.position
    text_pictures.doubt text_scans.source_ids flow_studies.source_ids`,
  'in the table of predictions, which is there': 'run_items.result run_items.score',
  'pictures drawn to be shown': 'run_pictures.name run_previews.*',
  'in the report that it goes with': 'social_report_images.image_id',
}

/** Who may see it, and what is being made of it. */
const outsideFiles = `
  conversion_items.result_id conversion_items.source_id demand_data.entry_id file_links.entry_id file_shares.entry_id own_tool_results.folder_id
  preparations.result_id preparations.source_id unpacks.file_id text_pictures.copy_id text_pictures.source_id
  text_scans.folder_id flow_studies.from_id
  unpacks.folder_id uploads.parent_id social_opinion_studies.file_id social_rounds.file_id`

/** What each copy has of its own, and what refers to the original alone: all the rest is as it was. */
const copies = [
  {
    name: 'a file',
    table: files,
    own: 'id modified_at name public_at public_with_patients search_name sort_name type',
    alone: outsideFiles,
    copy: (id: string) => server.call('files/copy', { ids: [id], targetId: null, sameName: 'rename' }, who),
  },
  {
    name: 'a file in a folder',
    table: files,
    own: 'id modified_at parent_id public_at public_with_patients',
    alone: outsideFiles,
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
    alone: 'label_sets.project_id project_shares.project_id run_numbers.project_id runs.project_id',
    copy: (id: string) => server.call('projects/copy', { id, name: 'Copy' }, who),
  },
  {
    name: 'a network',
    table: networks,
    own: 'created_at id name revision updated_at version',
    alone: 'network_versions.network_id',
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
  notices: { kind: 'password_changed' },
  projects: { displays: ['per_class_table'], recycledAt: null, clearsAt: null },
  project_shares: { userId: other },
  files: { kind: 'file', parentId: null, recycledAt: null, clearsAt: null },
  file_groups: { number: '123456' },
  // Whether others refused is not told.
  social_applications: { state: 'accepted' },
  social_chats: { kind: 'group', pairKey: null },
  // It waits to be sent.
  social_images: { chatId: null, messageId: null, postId: null },
  // A line about a group says nothing by itself.
  social_messages: { event: null },
  file_shares: { userId: other, groupId: null },
  uploads: { receivedBytes: 0 },
  datasets: { state: 'ready', failure: null, channels: 3 },
  dataset_items: { fingerprint: '0'.repeat(128), boxes: [] },
  // A tool that did it would hide the rest.
  runs: {
    kind: 'test',
    task: 'denoising',
    state: 'done',
    worker: null,
    leaseUntil: null,
    error: null,
    parentId: null,
    tool: null,
  },
  run_artifacts: { kind: 'weights' },
  orders: { orderNo: '20260101000000000001', kind: 'plan', state: 'waiting' },
  refunds: { refundNo: '20260101000000000002' },
  invoices: { type: 1, state: 'asked' },
  listings: { state: 'hidden', priceYuan: 999_999 },
  sales: { orderNo: '20260101000000000003', state: 'held' },
  withdrawals: { withdrawalNo: '20260101000000000004', state: 'not_passed' },
  // Nobody does work for themselves.
  demands: { state: 'closed', ended: 'rated', deadline: '2027-01-31', providerId: null, offerId: 'chosen' },
  demand_offers: { id: 'chosen' },
  demand_deliveries: { state: 'accepted' },
  code_uploads: { state: 'rejected', reviewedBy: 'a reviewer', folders: [], entries: [], findings: {} },
  code_runs: { state: 'ended', missing: [], output: [] },
  custom_tasks: { state: 'completed', progress: 100, reviewedBy: 'a reviewer', providerId: other },
  // Of a case or of a demand.
  market_files: { caseId: null },
})

/** What the law has kept, and what was sold: they name nobody but by the number of an account that is gone. */
const books =
  'demand_offers demands listing_versions listings orders payments refunds sales shop_claims withdrawals'

test('a row stands in every table but those that are of no member', async () => {
  const all = (await allTables()).map(getTableName)
  const filled = rows.map((row) => getTableName(row.table))
  expect(all.filter((name) => !filled.includes(name)).sort()).toEqual(wordsOf(ofNobody).sort())
})

test('every column that refers to stored bytes keeps them: its feature says so', async () => {
  // What goes with the bytes needs them no longer.
  const referring = (await foreignKeysOf(server))
    .filter(({ to, onEnd }) => to === 'blobs' && onEnd !== 'cascade')
    .map(({ table, column }) => `${table}.${column}`)
  const kept = server.ctx.told('bytesKept').flat()
  expect(kept.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(referring.sort())
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

test.each(copies)('a copy of $name is whole', async ({ table, own, alone, copy }) => {
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
    alone: await refersTo(table, { has: original.id, hasNot: copied.id }),
  }).toEqual({ forgotten: [], asBefore: [], alone: wordsOf(alone).sort() })
})

test('of an erased account nothing is left', async () => {
  expect((await server.call('user/cancel', { password: PASSWORD }, who)).code).toBe(10200)
  const worker = makeWorker(server)
  await erase(worker, who.userId)
  worker.engine.close()
  const left = await Promise.all(
    rows.map(async (row) => ((await isThere(row)) ? [getTableName(row.table)] : [])),
  )
  expect(left.flat().sort()).toEqual(wordsOf(books))
})

const wordsOf = (text: string): string[] => text.match(/\S+/g) ?? []

/** Columns by which rows belong to the one and none to the other. */
async function refersTo(
  table: PgTable,
  { has, hasNot }: { has: unknown; hasNot: unknown },
): Promise<string[]> {
  const keys = (await foreignKeysOf(server)).filter(({ to }) => to === getTableName(table))
  const found: string[] = []
  for (const { table: from, column } of keys)
    if ((await count(from, column, has)) > 0 && (await count(from, column, hasNot)) === 0)
      found.push(`${from}.${column}`)
  return found.sort()
}

async function count(table: string, column: string, id: unknown): Promise<number> {
  const { rows: counted } = await server.ctx.pool.query<{ count: string }>(
    `select count(*) from ${table} where ${column} = $1`,
    [id],
  )
  return Number(counted[0]?.count)
}

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
