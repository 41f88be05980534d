/**
 * Which parts of the product are switched off now. Every process reads them at its start and again when another one has changed
 * them, so that no call asks the database.
 */
import { type ModuleName, moduleNames } from '@neuroloom/contract/office/modules'
import { eq, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { fail } from '../../http/fail.ts'
import { type Db, sqlState, type Tx } from '../db.ts'
import type { Listener } from '../listener.ts'
import { modulesOff } from './tables.ts'

export type ModulesNow = {
  isOff(name: ModuleName): boolean
  /** Reads what is stored; also runs by itself when another process tells of a change. */
  load(): Promise<void>
}

const CHANGED = 'modules'
const NO_TABLE = '42P01'

type Parts = { db: Db; listener: Listener; log: FastifyBaseLogger }

export function createModules({ db, listener, log }: Parts): ModulesNow {
  let off: ReadonlySet<ModuleName> = new Set()
  const load = async (): Promise<void> => {
    off = new Set((await stored(db)).keys())
  }
  const reload = () => {
    load().catch((error: unknown) =>
      log.warn({ err: error }, 'switched modules not read; those of before hold'),
    )
  }
  listener.on(CHANGED, reload, reload)
  return { isOff: (name) => off.has(name), load }
}

/** What begins something new in a module is refused while it is off; what was begun or bought before goes on. */
export function requireModule({ modules }: { modules: ModulesNow }, name: ModuleName): void {
  if (modules.isOff(name)) throw fail('module_off')
}

/** Those that are off, with the moment; none in a database that is still empty: a restore begins in one. */
export async function stored(db: Db | Tx): Promise<Map<ModuleName, Date>> {
  const rows = await db
    .select()
    .from(modulesOff)
    .catch((error: unknown) => {
      if (sqlState(error) === NO_TABLE) return []
      throw error
    })
  // A later version may have known more.
  const known = rows.filter(({ name }) => moduleNames.includes(name))
  return new Map(known.map(({ name, since }) => [name, since]))
}

type Switch = { name: ModuleName; isOff: boolean; switchedBy: string; since: Date }

/** Told to all processes when the transaction commits. False where it stands like that already. */
export async function store(tx: Tx, { name, isOff, switchedBy, since }: Switch): Promise<boolean> {
  const changed = isOff
    ? await tx.insert(modulesOff).values({ name, switchedBy, since }).onConflictDoNothing().returning()
    : await tx.delete(modulesOff).where(eq(modulesOff.name, name)).returning()
  if (changed.length === 0) return false
  await tx.execute(sql`select pg_notify(${CHANGED}, '')`)
  return true
}
