/**
 * The limits of the levels that hold now: the product's, with those of `LIMITS_FILE` and those of the back-office in their place.
 * Every process reads them at its start and again when another one has changed them.
 */
import type { PlanTable } from '@neuroloom/contract/limits'
import { type PlanOverrides, planOverridesSchema, planTableWith } from '@neuroloom/contract/plans'
import { eq, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { type Db, sqlState, type Tx } from '../db.ts'
import type { Listener } from '../listener.ts'
import { planOverrides } from './tables.ts'

export type PlanLimitsNow = {
  /** What holds. */
  table(): PlanTable
  /** What holds without the back-office. */
  base: PlanTable
  /** Reads what is stored; also runs by itself when another process tells of a change. */
  load(): Promise<void>
}

const CHANGED = 'plan_limits'
const NO_TABLE = '42P01'
const ROW = 1

type Parts = { db: Db; listener: Listener; base: PlanTable; log: FastifyBaseLogger }

export function createPlanLimits({ db, listener, base, log }: Parts): PlanLimitsNow {
  let table = base
  const load = async (): Promise<void> => {
    table = planTableWith((await stored(db)).overrides, base)
  }
  const reload = () => {
    load().catch((error: unknown) =>
      log.warn({ err: error }, 'limits of the levels not read; those of before hold'),
    )
  }
  listener.on(CHANGED, reload, reload)
  return { table: () => table, base, load }
}

type StoredOverrides = { overrides: PlanOverrides; version: number; changedAt: Date | null }

/** None before the first change, and in a database that is still empty: a restore begins in one. */
export async function stored(db: Db | Tx): Promise<StoredOverrides> {
  const rows = await db
    .select()
    .from(planOverrides)
    .where(eq(planOverrides.id, ROW))
    .catch((error: unknown) => {
      if (sqlState(error) === NO_TABLE) return []
      throw error
    })
  const [row] = rows
  const overrides = planOverridesSchema.parse(row?.overrides ?? {})
  return { overrides, version: row?.version ?? 0, changedAt: row?.changedAt ?? null }
}

/** Told to all processes when the transaction commits. False where somebody else has changed them since `version`. */
export async function store(
  tx: Tx,
  {
    overrides,
    version,
    changedBy,
    changedAt,
  }: {
    overrides: PlanOverrides
    version: number
    changedBy: string
    changedAt: Date
  },
): Promise<boolean> {
  const fresh = { overrides, version: version + 1, changedBy, changedAt }
  const written = await tx
    .insert(planOverrides)
    .values({ id: ROW, ...fresh })
    .onConflictDoUpdate({
      target: planOverrides.id,
      set: fresh,
      setWhere: eq(planOverrides.version, version),
    })
    .returning({ version: planOverrides.version })
  if (written.length === 0) return false
  await tx.execute(sql`select pg_notify(${CHANGED}, '')`)
  return true
}
