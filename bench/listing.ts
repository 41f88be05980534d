/**
 * `npm run bench -- listing`: how quick a folder of 100,000 files is listed: its first page (goal ≤ 150 ms), pages deep
 * in it by each sort, filters and searches, and scrolled through in Chromium; beside a bare `select … limit 100` of the
 * same run, through pg alone.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Body } from '@neuroloom/contract/calls'
import { removeData, startProduct } from '../e2e/stack.ts'
import { openPool } from '../server/src/infra/db.ts'
import { createLog } from '../server/src/infra/log.ts'
import { startPostgres } from '../server/src/infra/postgres/postgres.ts'
import { type Client, signIn } from './client.ts'
import { type Scrolled, scrollFolder } from './listing-scroll.ts'

type Pool = ReturnType<typeof openPool>

const FILES = 100_000
/** Pages turned before a page counts as deep. */
const DEEP = 100
const ROUNDS = 15
const GOAL_MS = 150
const COPIED = 20_000
const COPY_GOAL_MS = 2000

async function bench() {
  const dataDir = mkdtempSync(join(tmpdir(), 'neuroloom-listing-'))
  const postgres = await startPostgres({ folder: join(dataDir, 'database') })
  process.env.DATABASE_URL = postgres.url('postgres')
  const product = await startProduct({ dataDir: join(dataDir, 'data') })
  const pool = openPool(postgres.url('postgres'), createLog('silent', 'bench'))
  try {
    const client = await signIn(product)
    const folderId = await fill(pool, client, { name: 'Many files', count: FILES, largestBytes: 1_000_003 })
    await measure(client, pool, folderId)
    await measureCopy(client, await fill(pool, client, { name: 'Copied', count: COPIED, largestBytes: 1009 }))
    tellScrolled(await scrollFolder(product, folderId))
  } finally {
    await pool.end()
    await product.stop()
    await postgres.stop()
    await removeData(dataDir)
  }
}

async function measure(client: Client, pool: Pool, folderId: string) {
  const bare = await median(() => pool.query(bareSelect, [folderId]))
  console.log(`bare select of 100 rows through pg: ${bare.toFixed(1)} ms`)
  const first = await firstPage(client, { folderId })
  console.log(
    `first page of ${FILES}: ${first.toFixed(1)} ms (goal ≤ ${GOAL_MS} ms) ${verdict(first)}, ${(first / bare).toFixed(1)} × the bare select`,
  )
  for (const sort of ['name', 'type', 'size', 'modified'] as const) {
    for (const descending of [false, true]) {
      const asked = { folderId, sort, descending }
      const [top, deep] = [await firstPage(client, asked), await deepPage(client, asked)]
      const way = descending ? 'down' : 'up'
      console.log(
        `by ${sort}, ${way}: first ${top.toFixed(1)} ms, after ${DEEP} pages ${deep.toFixed(1)} ms ${verdict(Math.max(top, deep))}`,
      )
    }
  }
  for (const filter of ['folder', 'image', 'volume', 'document'] as const) {
    await tell(client, `only ${filter}`, { folderId, filter, sort: 'modified' })
  }
  await tell(client, 'search, many found', { folderId, search: 'slice 9' })
  await tell(client, 'search, one found', { folderId, search: 'slice 99998.' })
  await tell(client, 'search in the whole cloud', {
    folderId: null,
    below: true,
    search: '9999',
    sort: 'size',
  })
}

async function measureCopy(client: Client, id: string) {
  const copy = () => client.call('files/copy', { ids: [id], targetId: null, sameName: 'rename' })
  const ms = await median(copy, 3)
  console.log(
    `copy of a folder of ${COPIED} files: ${ms.toFixed(0)} ms (goal ≤ ${COPY_GOAL_MS} ms) ${verdict(ms, COPY_GOAL_MS)}`,
  )
}

async function tell(client: Client, what: string, asked: Body<'files/list'>) {
  const ms = await firstPage(client, asked)
  console.log(`${what}: ${ms.toFixed(1)} ms ${verdict(ms)}`)
}

function tellScrolled({ frames, blankFrames, framesPerSecond, rowsSeen }: Scrolled) {
  if (blankFrames > 0) process.exitCode = 1
  console.log(
    `scrolling in Chromium to row ${rowsSeen}: ${blankFrames} of ${frames} frames with a blank row (goal 0) ${blankFrames === 0 ? 'reached' : 'MISSED'}, ${framesPerSecond.toFixed(0)} frames a second`,
  )
}

const firstPage = (client: Client, asked: Body<'files/list'>) =>
  median(() => client.call('files/list', asked))

async function deepPage(client: Client, asked: Body<'files/list'>): Promise<number> {
  let after: string | null = null
  for (let page = 0; page < DEEP; page += 1) {
    after = (await client.call('files/list', { ...asked, after })).next
  }
  return median(() => client.call('files/list', { ...asked, after }))
}

async function median(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  const times: number[] = []
  await work()
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN
}

function verdict(ms: number, goalMs = GOAL_MS) {
  if (ms > goalMs) process.exitCode = 1
  return ms <= goalMs ? 'reached' : 'MISSED'
}

const bareSelect = `select * from files where parent_id = $1 and recycled_at is null order by id limit 100`

type Filled = { name: string; count: number; largestBytes: number }

/** One stored byte under as many names. */
async function fill(pool: Pool, client: Client, { name, count, largestBytes }: Filled): Promise<string> {
  const { id } = await client.call('files/createFolder', { parentId: null, name })
  const sha256 = '0'.repeat(64)
  await pool.query(`insert into blobs (sha256, size_bytes) values ($1, 1) on conflict do nothing`, [sha256])
  await pool.query(
    `insert into files (
       id, owner_id, parent_id, kind, name, search_name, sort_name, type, sha256, size_bytes, file_count, modified_at
     )
     select substr(md5($2 || n), 1, 16), $1, $2, 'file', name, name, 'slice ' || lpad(n::text, 8, '0') || '.' || type,
       type, $3, n * 7919 % $5, 1, now() - n * 37 % $4 * interval '1 second'
     from generate_series(1, $4::integer) n,
       lateral (select (array['dcm', 'dcm', 'dcm', 'png', 'csv'])[1 + n % 5] as type) t,
       lateral (select 'slice ' || n || '.' || type as name) u`,
    [client.headers.userId, id, sha256, count, largestBytes],
  )
  // As the database does by itself within a minute.
  await pool.query('vacuum analyze files')
  return id
}

await bench()
