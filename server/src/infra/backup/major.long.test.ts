/**
 * A new major version of PostgreSQL, as docs/operating.md describes it: an installation on an older server is backed up
 * and restored into the embedded, newer one by the operator's own commands. Every row, sequence and byte is compared.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bytesOf, rowsOf } from '../../../test/backup.ts'
import { makePool, makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { programOf } from '../../../test/program.ts'
import { upload } from '../../../test/uploads.ts'
import { post } from '../../features/ledger/service.ts'
import { firstStart } from '../../first-start.ts'
import { sealEvents } from '../audit/seal.ts'
import { audit } from '../audit.ts'
import { prepareJobs } from '../jobs.ts'
import { databaseUrlOf } from '../postgres/database.ts'
import { migrate } from '../postgres/migrate.ts'
import { chooseOwner } from '../postgres/owner.ts'
import { type Postgres, startPostgres } from '../postgres/postgres.ts'

const run = promisify(execFile)

/** Where Debian and Ubuntu keep each major version, the newest first. */
const DEBIAN = '/usr/lib/postgresql'
const folders = existsSync(DEBIAN)
  ? readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one))
  : []
const programs = folders
  .map((name) => join(DEBIAN, name, 'bin'))
  .find((folder) => existsSync(join(folder, 'initdb')))

const missing = `no PostgreSQL in ${DEBIAN}, as the package postgresql-15 brings it: not tried`
describe.skipIf(programs === undefined)(
  `a new major version of PostgreSQL${programs ? '' : ` (${missing})`}`,
  () => {
    let folder: string
    let older: Older
    let newer: Postgres
    let server: TestServer
    let member: Session
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'neuroloom-major-'))
      older = await startOlder(programs ?? '', join(folder, 'older'))
      await older.query('postgres', 'create database hospital')
      await migrate(older.url('hospital'))
      await prepareJobs(older.url('hospital'))
      server = await makeServer({ databaseUrl: older.url('hospital') })
      member = await fill(server)
    })
    afterAll(async () => {
      await server?.close()
      await newer?.stop()
      await older?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    it('gets every row, sequence and byte of the old one, and goes on with them', async () => {
      const { config, pool } = server.ctx
      const [expected, sequences] = [await rowsOf(pool), await sequencesOf(pool)]
      const backup = join(folder, 'backup')
      expect(
        await admin({ DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl }, 'backup', backup),
      ).toMatch(/^\d+ rows and \d+ files/)
      const dataDir = join(folder, 'restored')
      expect(await admin({ DATA_DIR: dataDir }, 'restore', backup)).toContain('were restored and compared')

      newer = await startPostgres({ folder: join(dataDir, 'postgres'), settings: { timezone: 'UTC' } })
      const databaseUrl = databaseUrlOf(newer)
      const restored = makePool(databaseUrl, 2)
      expect(await majorOf(restored)).toBeGreaterThan(await majorOf(pool))
      expect(await rowsOf(restored)).toEqual(expected)
      expect(await sequencesOf(restored)).toEqual(sequences)
      for (const table of ['users', 'sessions', 'files', 'projects', 'ledger_postings', 'audit_events'])
        expect(expected[table]?.length, table).toBeGreaterThan(0)
      const bytes = await bytesOf(dataDir)
      expect(bytes).toEqual(await bytesOf(config.dataDir))
      expect(Object.keys(bytes).length).toBeGreaterThan(100)
      await restored.end()

      // Whoever was signed in stays so, and the product writes on.
      const after = await makeServer({ dataDir, databaseUrl })
      const made = await after.call('files/createFolder', { parentId: null, name: 'Afterwards' }, member)
      const { data } = await after.call('files/list', { folderId: null }, member)
      await after.close()
      expect(data.entries.map(({ id }) => id)).toContain(made.data.id)
      expect(await admin({ DATA_DIR: dataDir }, 'books')).toBe('The books balance.')
      expect(await admin({ DATA_DIR: dataDir }, 'audit', 'verify')).toMatch(/^The audit log is whole/)
      expect(await admin({ DATA_DIR: dataDir }, 'verify')).toMatch(/^All \d+ stored files are as they were/)
    })
  },
)

/** The samples of a first start, money, a sealed audit log, a job, files with any names, and values that are hard to write as text. */
async function fill(server: TestServer): Promise<Session> {
  const { ctx } = server
  await firstStart(ctx, { demo: true })
  const member = await server.signUp({ nickName: `Łukasz "O'Neill" \\ 李\t雷`, vipSuper: 1 })
  await upload(server, member, {
    files: ['Ünïcode ’ 图像.bin', "it's 100 %_.bin", 'ряд/точка.bin'].map((path) => ({
      path: `names/${path}`,
      bytes: randomBytes(5000),
    })),
  })
  await ctx.db.transaction(async (tx) => {
    const [one, other] = [
      { owner: 'alipay', kind: 'outside', unit: 'fen', amount: -9_007_199_254 },
      { owner: member.userId, kind: 'wallet', unit: 'fen', amount: 9_007_199_254 },
    ] as const
    await post(tx, { kind: 'plan_paid', source: 'one', at: new Date(), postings: [one, other] })
    await ctx.jobs.send(tx, 'files.purge', {})
  })
  const hard = ['5e-324', '1.7976931348623157e308', '-0', '0.30000000000000004', '1e23', '12345678.9']
  for (const [index, value] of hard.entries())
    await ctx.pool.query(
      `insert into run_devices (worker, device, seen_at, others) values ($1, $2, $3, $4::text::double precision)`,
      [
        `worker ${index}`,
        { text: 'a\n\\"\u2028\u{1F9E0}', number: Number(value), list: [null, true, {}] },
        `2026-02-28 23:59:59.99999${index}+05:45`,
        value,
      ],
    )
  await audit(ctx.db, { actor: null, action: 'member.create', subject: 'user:one', address: 'console' })
  await sealEvents(ctx)
  return member
}

async function sequencesOf(pool: pg.Pool): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select sequencename, last_value::text from pg_sequences where schemaname = 'public' order by sequencename`,
  )
  return rows
}

async function majorOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num')
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000)
}

/** What the operator reads; rejects with what went wrong. */
async function admin(env: NodeJS.ProcessEnv, ...words: string[]): Promise<string> {
  const { script, execArgv } = programOf('admin')
  const { stdout } = await run(process.execPath, [...execArgv, script, ...words], {
    env: { PATH: process.env.PATH, ...env },
  })
  return stdout.trim()
}

type Older = {
  url(database: string): string
  query(database: string, statement: string): Promise<void>
  stop(): Promise<void>
}

/** A server of the machine's own PostgreSQL, by the user that the embedded one runs as, too: neither runs as root. */
async function startOlder(bin: string, folder: string): Promise<Older> {
  await mkdir(folder, { recursive: true })
  const data = join(folder, 'data')
  const owner = await chooseOwner(data, join(bin, 'postgres'))
  await mkdir(data, { mode: 0o700 })
  if (owner.ids) await chown(data, owner.ids.uid, owner.ids.gid)
  const init = owner.command(join(bin, 'initdb'), [
    ...['-D', data, '-U', 'neuroloom', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
  ])
  await run(init.command, init.args, init.options)
  const port = await portOf()
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { command, args, options } = owner.command(join(bin, 'postgres'), ['-D', data, ...flags])
  const child = spawn(command, args, { ...options, stdio: 'ignore' })
  const url = (database: string): string => `postgresql://neuroloom@127.0.0.1:${port}/${database}`
  const query = async (database: string, statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url(database) })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await vi.waitUntil(
    () =>
      query('postgres', 'select 1').then(
        () => true,
        () => false,
      ),
    { timeout: 120_000, interval: 50 },
  )
  return { url, query, stop: () => ended(child) }
}

async function ended(child: ChildProcess): Promise<void> {
  const over = once(child, 'exit')
  child.kill('SIGINT')
  await over
}

/** One that nobody listens at. */
async function portOf(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
