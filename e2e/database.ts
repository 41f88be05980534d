/** The running product's own database, for what no journey can wait for. */
import { join } from 'node:path'
import { type Db, openDb, openPool } from '../server/src/infra/db.ts'
import { createLog } from '../server/src/infra/log.ts'
import { startPostgres } from '../server/src/infra/postgres/postgres.ts'
import type { Product } from './stack.ts'

export async function withDatabase<Result>(
  { dataDir }: Product,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  // It runs already, and is only asked for its address.
  const postgres = await startPostgres({ folder: join(dataDir, 'postgres') })
  const pool = openPool(postgres.url('neuroloom'), createLog('error', 'e2e'), 1)
  try {
    return await work(openDb(pool))
  } finally {
    await pool.end()
  }
}
