/** `npm run admin -- …`: what an operator does at the server's own console. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from './config.ts'
import { features } from './features.ts'
import { Failure, textOf } from './http/fail.ts'
import { auditCommands, verifyExport } from './infra/audit/commands.ts'
import { backupCommands, restoreCommand, verifyFolder } from './infra/backup/commands.ts'
import { type Command, Misuse } from './infra/command.ts'
import { type Context, closeContext, createContext } from './infra/context.ts'
import { readSecret } from './infra/links.ts'
import { createLog } from './infra/log.ts'
import { databaseUrlOf, ensureDatabase } from './infra/postgres/database.ts'
import { refuseNewer } from './infra/postgres/migrate.ts'
import { type Postgres, startPostgres } from './infra/postgres/postgres.ts'
import { keepPrivate } from './infra/private.ts'
import { createSigner } from './infra/signer.ts'
import { copyAll } from './infra/storage/copy.ts'
import { createDiskStorage, type Storage } from './infra/storage/storage.ts'

const commands: Record<string, Command> = Object.assign(
  {},
  auditCommands,
  backupCommands,
  ...features.map((feature) => feature.commands),
)

type Standalone = Pick<Command, 'words' | 'does'> & { run(config: Config): Promise<number> }
/** They work beside the database, or before there is one. */
const standalone: Record<string, Standalone> = {
  restore: { ...restoreCommand, run: restoreBackup },
  'move-bytes': {
    words: '',
    does: 'copies all files of DATA_DIR into the S3 store that S3_… name',
    run: moveBytes,
  },
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const [name = '', ...words] = process.argv.slice(2)
process.exitCode = await obey(name).catch(sayWhy)

async function obey(wanted: string): Promise<number> {
  const config = readConfig()
  const alone = Object.hasOwn(standalone, wanted) ? standalone[wanted] : undefined
  const command = Object.hasOwn(commands, wanted) ? commands[wanted] : undefined
  const known = alone ?? command
  if (!known) return usage()
  refuseCount(wanted, known)
  const isChecked = await checkFile(config, wanted)
  if (isChecked) return 0
  if (wanted !== 'restore') refuseStrange(config)
  await keepPrivate(config.dataDir)
  if (alone) return alone.run(config)
  if (command) say(await withContext(config, (ctx) => command.run(ctx, words)))
  return 0
}

/** An exported audit log and a backup are checked on any machine, also without a database. */
async function checkFile(config: Config, wanted: string): Promise<boolean> {
  const [first, second] = words
  if (wanted === 'audit' && first === 'verify' && second !== undefined)
    say(await verifyExport(second, await ownKey(config)))
  else if (wanted === 'verify' && first !== undefined) say(await verifyFolder(first))
  else return false
  return true
}

/** Null where an export is checked on another machine. */
async function ownKey({ dataDir }: Config): Promise<string | null> {
  return existsSync(join(dataDir, 'secret')) ? createSigner(await readSecret(dataDir)).publicKey : null
}

/** A server makes its key before anything else: a folder without one belongs to none, and nothing is made in it. */
function refuseStrange({ dataDir }: Config): void {
  if (existsSync(join(dataDir, 'secret'))) return
  throw new Misuse(
    `There is no Neuroloom in ${dataDir}. Set DATA_DIR to the folder that the server uses, or start the server there first.`,
  )
}

function usage(): number {
  const lines = Object.entries({ ...commands, ...standalone }).map(
    ([one, { words: wanted, does }]) => `  ${`${one} ${wanted}`.trim()}\n      ${does}`,
  )
  process.stderr.write(`Usage: npm run admin -- <command>\n${lines.join('\n')}\n`)
  return 1
}

/** Too few words, or more than are looked at, were meant for something else. */
function refuseCount(wanted: string, { words: expected }: Pick<Command, 'words'>): void {
  const most = expected.match(/<[^>]*>|\[[^\]]*\]/g)?.length ?? 0
  const least = expected.match(/<[^>]*>/g)?.length ?? 0
  if (words.length >= least && words.length <= most) return
  throw new Misuse(`This is how it is typed: npm run admin -- ${wanted} ${expected}`)
}

function sayWhy(error: unknown): number {
  if (error instanceof Failure) process.stderr.write(`${textOf(error.failure, error.params, 'en')}\n`)
  else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 1
}

/** Nothing is deleted on the disk, and the database needs no change: it knows bytes by their digests alone. */
async function moveBytes({ s3, dataDir }: Config): Promise<number> {
  if (!s3) throw new Error('S3_BUCKET is not set: see docs/operating.md, Files in S3')
  // The S3 client is loaded only where it is used.
  const { checkS3 } = await import('./infra/storage/s3-check.ts')
  const { createS3Storage } = await import('./infra/storage/s3.ts')
  await checkS3(s3)
  const to = await createS3Storage(s3, dataDir)
  const { sent, known, damaged } = await copyAll(await createDiskStorage(dataDir), to, say)
  say(`${sent} files sent to ${s3.bucket}, ${known} were there; all were read back and are the same.`)
  for (const sha256 of damaged) say(`Damaged on the disk already, not sent: ${sha256}`)
  return damaged.length === 0 ? 0 : 1
}

async function restoreBackup(config: Config): Promise<number> {
  let postgres: Postgres | null = null
  const openDatabase = async (): Promise<string> => {
    if (config.databaseUrl) return config.databaseUrl
    postgres = await startPostgres({ folder: join(config.dataDir, 'postgres') })
    await ensureDatabase(postgres)
    return databaseUrlOf(postgres)
  }
  const openStorage = async (): Promise<Storage> => {
    if (!config.s3) return createDiskStorage(config.dataDir)
    const { createS3Storage } = await import('./infra/storage/s3.ts')
    return createS3Storage(config.s3, config.dataDir)
  }
  try {
    say(await restoreCommand.run({ dataDir: config.dataDir, openDatabase, openStorage }, words[0] ?? ''))
    return 0
  } finally {
    await stopOwn(postgres)
  }
}

/** One that was found running belongs to a server. */
async function stopOwn(postgres: Postgres | null): Promise<void> {
  if (postgres && !postgres.adopted) await postgres.stop()
}

/** On the configured database, or the embedded one: as it runs, or started for this moment. */
async function withContext<T>(config: Config, use: (ctx: Context) => Promise<T>): Promise<T> {
  if (config.databaseUrl) return onDatabase(config, config.databaseUrl, use)
  const postgres = await startPostgres({ folder: join(config.dataDir, 'postgres') })
  try {
    return await onDatabase(config, databaseUrlOf(postgres), use)
  } finally {
    await stopOwn(postgres)
  }
}

async function onDatabase<T>(
  config: Config,
  databaseUrl: string,
  use: (ctx: Context) => Promise<T>,
): Promise<T> {
  const log = createLog('error', 'admin')
  const ctx = await createContext({ ...config, databaseUrl }, { log, features, poolSize: 2 })
  return refuseNewer(ctx.pool)
    .then(() => use(ctx))
    .finally(() => closeContext(ctx))
}
