/** `npm start`: database, migrations, first accounts, then the HTTP and the job process, kept alive until a signal. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Config, readConfig, type S3Config } from './config.ts'
import { features } from './features.ts'
import { firstStart, trialWarning } from './first-start.ts'
import { closeContext, createContext } from './infra/context.ts'
import { prepareJobs } from './infra/jobs.ts'
import { createLog } from './infra/log.ts'
import { databaseUrlOf, ensureDatabase } from './infra/postgres/database.ts'
import { migrate } from './infra/postgres/migrate.ts'
import { type Postgres, startPostgres } from './infra/postgres/postgres.ts'
import { keepPrivate } from './infra/private.ts'
import { type Keeper, keep } from './keeper.ts'

/** Held by the supervisor of an embedded database, so that a second one keeps its hands off. */
const SUPERVISOR_LOCK = 4_830_022
/** Before a database that did not come back is tried once more. */
const AGAIN_MS = 2000

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const stopped = new Promise<number>((resolve) => {
  process.on('SIGINT', () => resolve(0))
  process.on('SIGTERM', () => resolve(0))
})

process.exitCode = await supervise().catch((error: unknown) => {
  say(`Neuroloom cannot start: ${reasonOf(error)}`)
  if (error instanceof Error && error.cause instanceof Error) say(`  ${error.cause.message}`)
  return 1
})
process.exit()

async function supervise(): Promise<number> {
  const config = readConfig()
  await keepPrivate(config.dataDir)
  if (config.s3) await tryS3(config, config.s3)
  const database = config.databaseUrl ? null : await ownDatabase(config)
  const databaseUrl = config.databaseUrl ?? database?.url
  if (!databaseUrl) throw new Error('there is no database')
  try {
    await prepare({ ...config, databaseUrl })
    return await runProcesses(config, { databaseUrl, ends: database ? [stopped, database.lost] : [stopped] })
  } finally {
    await database?.stop()
  }
}

async function tryS3({ dataDir }: Config, s3: S3Config): Promise<void> {
  const { checkS3 } = await import('./infra/storage/s3-check.ts')
  await checkS3(s3)
  const left = await readdir(join(dataDir, 'blobs')).catch(() => [])
  if (left.length === 0) return
  say(
    'Files from before still lie in DATA_DIR/blobs: `npm run admin -- move-bytes` brings them to S3; then delete it.',
  )
}

/** Tables, queues and first accounts. */
async function prepare(config: Config & { databaseUrl: string }): Promise<void> {
  const applied = await migrate(config.databaseUrl)
  await prepareJobs(config.databaseUrl)
  const log = createLog(config.logLevel, 'start')
  if (applied.length > 0) log.info({ applied }, 'migrated')
  const ctx = await createContext(config, { log, features, poolSize: 3 })
  try {
    const lines = await firstStart(ctx, { demo: process.argv.includes('--demo') })
    for (const line of lines) say(line)
  } finally {
    await closeContext(ctx)
  }
}

/** One line: the values of a failed statement stand on the next. */
function reasonOf(error: unknown): string {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return reason
}

type Running = {
  databaseUrl: string
  /** Each resolves with the exit code when all is to end. */
  ends: Promise<number>[]
}

async function runProcesses(config: Config, { databaseUrl, ends }: Running): Promise<number> {
  // The first accounts are there: nobody else needs the password that one of them was given.
  const { ADMIN_PASSWORD: _, ...given } = process.env
  const env = { ...given, DATABASE_URL: databaseUrl }
  const child = (name: 'main' | 'worker'): Keeper =>
    keep({
      script: new URL(`./${name}.js`, import.meta.url),
      env: { ...env },
      onExit: (text) => say(`The ${name} process ${text}.`),
    })
  const main = child('main')
  const keepers = [main]
  const refused = main.hopeless.then(() => {
    say('Neuroloom cannot start: its address is taken or not allowed; choose another HOST or PORT.')
    return 1
  })
  const end = await Promise.race([...ends, refused, begin()])
  await Promise.all(keepers.map((keeper) => keeper.stop()))
  return end

  /** The job process comes second: loading the engine would make people wait for the first page. */
  async function begin(): Promise<number> {
    const { port } = await main.ready
    announce(config, port ?? config.port)
    const worker = child('worker')
    keepers.push(worker)
    await worker.hopeless
    return 1
  }
}

function announce(config: Config, port: number): void {
  const { host, publicUrl, tls, mode } = config
  const name = ['0.0.0.0', '::', '127.0.0.1'].includes(host) ? 'localhost' : host
  // Before the line that people and programs wait for: what comes after it may be read by nobody.
  if (mode === 'trial') say(trialWarning(config))
  say(`Neuroloom is ready at ${publicUrl ?? `${tls ? 'https' : 'http'}://${name}:${port}`}`)
  if (tls || publicUrl?.startsWith('https:') || host === '127.0.0.1') return
  say('Connections are not encrypted: set TLS_CERT and TLS_KEY, or PUBLIC_URL of an https proxy in front.')
}

type OwnDatabase = {
  url: string
  /** Resolves with the exit code when it is another supervisor's now. */
  lost: Promise<number>
  stop(): Promise<void>
}

/** The embedded PostgreSQL, started again where it was should it die. */
async function ownDatabase({ dataDir }: Config): Promise<OwnDatabase> {
  const folder = join(dataDir, 'postgres')
  let postgres = await startPostgres({ folder })
  let lock = await lockSupervisor(postgres)
  if (!lock) throw new Error('it already runs on this data folder (DATA_DIR)')
  await ensureDatabase(postgres)
  let stopping = false
  /** What keeps it from starting (a full disk, no memory) may pass. Until then those who ask are told that it is away. */
  const startAgain = async (): Promise<void> => {
    while (!stopping) {
      try {
        postgres = await startPostgres({ folder, port: postgres.port })
        lock = await lockSupervisor(postgres)
        return
      } catch (error) {
        say(`The database does not start, and is tried again: ${reasonOf(error)}`)
        await wait(AGAIN_MS, undefined, { ref: false })
      }
    }
  }
  const watch = async (): Promise<number> => {
    while (lock && !stopping) {
      await postgres.ended
      if (stopping) break
      say('The database ended; starting it again.')
      await startAgain()
    }
    if (stopping) return stopped
    say('The database is in the hands of another start on this data folder (DATA_DIR).')
    return 1
  }
  return {
    url: databaseUrlOf(postgres),
    lost: watch(),
    async stop() {
      stopping = true
      await lock?.end().catch(() => undefined)
      // Whoever holds the lock goes on with it.
      if (lock) await postgres.stop()
    },
  }
}

/** Null: another supervisor has it. */
async function lockSupervisor(postgres: Postgres): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
    SUPERVISOR_LOCK,
  ])
  if (rows[0]?.free) return client
  await client.end()
  return null
}
