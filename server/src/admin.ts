/** `npm run admin -- …`: what an operator does at the server's own console until the back-office exists. */
import { join } from 'node:path'
import { accountCalls } from '@neuroloom/contract/accounts'
import { loginKey } from '@neuroloom/contract/limits'
import * as z from 'zod'
import { type Config, readConfig } from './config.ts'
import { setLevel } from './features/accounts/account.ts'
import { linkTo, makeKey } from './features/accounts/link-key.ts'
import { Failure, textOf } from './http/fail.ts'
import { type Db, openDb, openPool } from './infra/db.ts'
import { createLog } from './infra/log.ts'
import { startPostgres } from './infra/postgres.ts'
import { createDiskStorage } from './infra/storage.ts'
import { copyAll } from './infra/storage-copy.ts'

const levelSchema = z.tuple([z.literal('level'), z.string().min(1), z.coerce.number().int().min(0).max(4)])
const keySchema = z.tuple([z.literal('key'), z.string().min(1), z.string().min(1)])
const moveSchema = z.tuple([z.literal('move-bytes')])
const commandSchema = z.union([levelSchema, keySchema, moveSchema])

const command = commandSchema.safeParse(process.argv.slice(2))
process.exitCode = command.success ? await obey(command.data) : usage()

function usage(): number {
  process.stderr.write(
    [
      'Usage: npm run admin -- level <account> <0 visitor|1 ordinary|2 bronze|3 silver|4 gold>',
      '       npm run admin -- key <account> <path>    a link that signs the member in, once, within a minute',
      '       npm run admin -- move-bytes    copies all files of DATA_DIR into the S3 store that S3_… name',
      '',
    ].join('\n'),
  )
  return 1
}

async function obey(given: z.infer<typeof commandSchema>): Promise<number> {
  const config = readConfig()
  if (given[0] === 'move-bytes') return moveBytes(config).catch(sayWhy)
  try {
    const said = await withDatabase(config, (db) =>
      given[0] === 'level' ? setMemberLevel(db, given[1], given[2]) : makeLink(db, config, given),
    )
    process.stdout.write(`${said}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`${textOf(error.failure, error.params, 'en')}\n`)
    return 1
  }
}

/** Nothing is deleted on the disk, and the database needs no change: it knows bytes by their digests alone. */
async function moveBytes({ s3, dataDir }: Config): Promise<number> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  if (!s3) throw new Error('S3_BUCKET is not set: see README, Files in S3')
  // The S3 client is loaded only where it is used.
  const { checkS3 } = await import('./infra/s3-check.ts')
  const { createS3Storage } = await import('./infra/storage-s3.ts')
  await checkS3(s3)
  const to = await createS3Storage(s3, dataDir)
  const { sent, known, damaged } = await copyAll(await createDiskStorage(dataDir), to, say)
  say(`${sent} files sent to ${s3.bucket}, ${known} were there; all were read back and are the same.`)
  for (const sha256 of damaged) say(`Damaged on the disk already, not sent: ${sha256}`)
  return damaged.length === 0 ? 0 : 1
}

function sayWhy(error: unknown): number {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 1
}

async function setMemberLevel(db: Db, account: string, level: number): Promise<string> {
  if (!(await setLevel(db, account, level))) throw new Failure('account_missing', {})
  return `${account} now has level ${level}.`
}

async function makeLink(
  db: Db,
  config: Config,
  [, account, path]: z.infer<typeof keySchema>,
): Promise<string> {
  const wish = accountCalls['user/key'].request.safeParse({ account, path })
  if (!wish.success) throw new Failure('invalid', {})
  const link = linkTo(path)
  const { key } = await makeKey(db, { account, now: new Date(), madeBy: null, address: 'console' })
  const { publicUrl, tls, port } = config
  const here = `${tls ? 'https' : 'http'}://localhost:${port}`
  return `${link(key, publicUrl ?? here)}\nGood once, for ${loginKey.validMs / 1000} seconds.`
}

/** The configured database, or the embedded one: as it runs, or started for this moment. */
async function withDatabase<T>({ databaseUrl, dataDir }: Config, use: (db: Db) => Promise<T>): Promise<T> {
  if (databaseUrl) return onPool(databaseUrl, use)
  const postgres = await startPostgres({ folder: join(dataDir, 'postgres') })
  try {
    return await onPool(postgres.url('neuroloom'), use)
  } finally {
    if (!postgres.adopted) await postgres.stop()
  }
}

async function onPool<T>(url: string, use: (db: Db) => Promise<T>): Promise<T> {
  const pool = openPool(url, createLog('error', 'admin'), 1)
  return use(openDb(pool)).finally(() => pool.end())
}
