import { sql } from 'drizzle-orm'
import type { Tx } from '../../infra/db.ts'

/**
 * Holds these names until the transaction ends. Always in one order, so that two transactions never wait for each other. The
 * first is asked for at once: what the transaction asks next comes after it, also without waiting.
 */
export async function lock(tx: Tx, ...names: readonly string[]): Promise<void> {
  for (const name of [...names].sort())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`social ${name}`}, 0))`).execute()
}
