/** `npm run admin -- level <account> <level>`: what an operator does until the back-office exists. */
import { join } from 'node:path'
import * as z from 'zod'
import { type Config, readConfig } from './config.ts'
import { setLevel } from './features/accounts/account.ts'
import { openDb, openPool } from './infra/db.ts'
import { createLog } from './infra/log.ts'
import { startPostgres } from './infra/postgres.ts'

const commandSchema = z.tuple([z.literal('level'), z.string().min(1), z.coerce.number().int().min(0).max(4)])

const command = commandSchema.safeParse(process.argv.slice(2))
process.exitCode = command.success ? await setMemberLevel(command.data[1], command.data[2]) : usage()

function usage(): number {
  process.stderr.write(
    'Usage: npm run admin -- level <account> <0 visitor|1 ordinary|2 bronze|3 silver|4 gold>\n',
  )
  return 1
}

async function setMemberLevel(account: string, level: number): Promise<number> {
  const config = readConfig()
  const isKnown = await withDatabase(config, async (url) => {
    const pool = openPool(url, createLog('error', 'admin'), 1)
    return setLevel(openDb(pool), account, level).finally(() => pool.end())
  })
  process.stdout.write(isKnown ? `${account} now has level ${level}.\n` : `There is no account ${account}.\n`)
  return isKnown ? 0 : 1
}

/** The configured database, or the embedded one: as it runs, or started for this moment. */
async function withDatabase<T>(
  { databaseUrl, dataDir }: Config,
  use: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl) return use(databaseUrl)
  const postgres = await startPostgres({ folder: join(dataDir, 'postgres') })
  try {
    return await use(postgres.url('neuroloom'))
  } finally {
    if (!postgres.adopted) await postgres.stop()
  }
}
