/** The worker's part of backups: by plan or by hand, each in a folder of its own, and old ones deleted. */
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backups as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import { alarm } from '../../infra/alarm.ts'
import { makeBackup } from '../../infra/backup/backup.ts'
import { rowCountOf } from '../../infra/backup/folder.ts'
import { connect } from '../../infra/backup/rows.ts'
import { tryRestore } from '../../infra/backup/trial-restore.ts'
import type { Context, WorkerContext } from '../../infra/context.ts'
import type { Db, Tx } from '../../infra/db.ts'
import { isCode } from '../../infra/storage/files.ts'
import { ask, isUnderWay } from './backups.ts'
import { type BackupRow, backupPlan, backups } from './tables.ts'

/** Of the database, held by whoever makes or tests a backup: it goes with its connection, however the process ends. */
const BACKUP_LOCK = 4_830_024

export async function register(ctx: WorkerContext): Promise<void> {
  if (ctx.config.backupDir === undefined) return
  await ctx.jobs.work('backup.make', ({ backupId }) => makeOne(ctx, backupId))
  await ctx.jobs.work('backup.test', ({ backupId }) => testOne(ctx, backupId))
  await ctx.jobs.work('backup.plan', async () => {
    await recover(ctx)
    await followPlan(ctx)
  })
  await ctx.jobs.schedule('backup.plan', '*/15 * * * *')
}

/** One after the other. A job that the queue gives again while its first worker is still at it finds it done. */
async function alone(ctx: Context, work: () => Promise<void>): Promise<void> {
  const client = await connect(ctx.config.databaseUrl ?? '')
  try {
    await client.query('select pg_advisory_lock($1)', [BACKUP_LOCK])
    await work()
  } finally {
    await client.end()
  }
}

/**
 * What is under way by the rows, and by nobody: its jobs were used up by workers that ended, or it came with a restored
 * database. It is begun again, until it was begun often enough.
 */
export async function recover(ctx: Context): Promise<void> {
  const { rows } = await ctx.pool.query<{ isHeld: boolean }>(
    `select exists (select from pg_locks where locktype = 'advisory' and objid = $1 and database =
      (select oid from pg_database where datname = current_database())) as "isHeld"`,
    [BACKUP_LOCK],
  )
  if (rows[0]?.isHeld) return
  for (const { id, state } of await ctx.db.select().from(backups).where(isUnderWay)) {
    const name = state === 'done' ? 'backup.test' : 'backup.make'
    await ctx.jobs.send(null, name, { backupId: id }, { singletonKey: id })
  }
}

/** Begins again where it was ended: what the folder has by then is not copied twice. */
export const makeOne = (ctx: Context, id: string): Promise<void> => alone(ctx, () => make(ctx, id))

async function make(ctx: Context, id: string): Promise<void> {
  const { backupDir } = ctx.config
  if (backupDir === undefined) return
  const [row] = await ctx.db
    .update(backups)
    .set({ state: 'running', attempts: sql`${backups.attempts} + 1` })
    .where(and(eq(backups.id, id), inArray(backups.state, ['waiting', 'running'])))
    .returning()
  if (!row) return
  const folder = join(backupDir, row.name)
  try {
    requireTries(row)
    await mkdir(backupDir, { recursive: true, mode: 0o700 })
    await shareFiles(ctx, backupDir, folder)
    const { manifest, copied } = await makeBackup(ctx, folder)
    await end(ctx.db, ctx.now(), id, {
      state: 'done',
      rowCount: rowCountOf(manifest),
      fileCount: manifest.fileCount,
      copiedCount: copied,
      missingCount: manifest.missing.length,
    })
  } catch (error) {
    ctx.log.error({ err: error, backup: id }, 'a backup failed')
    const problem = problemOf(error)
    await ctx.db.transaction(async (tx) => {
      await end(tx, ctx.now(), id, { state: 'failed', problem })
      await alarm(ctx, tx, { kind: 'backup_failed', params: { name: row.name, problem } })
    })
    await rm(folder, { recursive: true, force: true })
  }
  await deleteOld(ctx, backupDir)
}

/** The bytes of the newest backup appear in the new one without being copied, where the disk knows hard links. */
async function shareFiles(ctx: Context, backupDir: string, folder: string): Promise<void> {
  const [newest] = await ctx.db
    .select()
    .from(backups)
    .where(eq(backups.state, 'done'))
    .orderBy(desc(backups.askedAt))
    .limit(1)
  if (!newest) return
  const from = join(backupDir, newest.name, 'files')
  const paths = await readdir(from, { recursive: true }).catch(() => [])
  for (const path of paths.filter((one) => /^[0-9a-f]{2}[/\\][0-9a-f]{64}$/.test(one))) {
    const target = join(folder, 'files', path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    try {
      await link(join(from, path), target)
    } catch (error) {
      if (isCode(error, 'EEXIST', 'ENOENT')) continue
      // A disk without links, or with too many of one file: the bytes are copied instead.
      return
    }
  }
}

export const testOne = (ctx: Context, id: string): Promise<void> => alone(ctx, () => test(ctx, id))

async function test(ctx: Context, id: string): Promise<void> {
  const { backupDir, databaseUrl } = ctx.config
  if (backupDir === undefined) return
  const [row] = await ctx.db
    .update(backups)
    .set({ attempts: sql`${backups.attempts} + 1` })
    .where(and(eq(backups.id, id), eq(backups.testState, 'waiting')))
    .returning()
  if (!row) return
  let problem: string | null = null
  try {
    requireTries(row)
    await tryRestore(databaseUrl ?? '', join(backupDir, row.name))
  } catch (error) {
    ctx.log.error({ err: error, backup: id }, 'a backup could not be restored')
    problem = problemOf(error)
  }
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(backups)
      .set({ testState: problem === null ? 'passed' : 'failed', testProblem: problem, testedAt: ctx.now() })
      .where(eq(backups.id, id))
    if (problem !== null)
      await alarm(ctx, tx, { kind: 'backup_test_failed', params: { name: row.name, problem } })
  })
}

/** Counted before it is begun: what ends the worker each time is not begun for ever. */
function requireTries({ attempts }: BackupRow): void {
  if (attempts > limits.mostTries)
    throw new Error(
      `It was begun ${limits.mostTries} times and never came to its end: the server was stopped each time.`,
    )
}

const HOUR_MS = 3_600_000
const PERIOD_MS = { day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS }

/** Asks for a backup when the last whole one is a period old; one that failed is tried again an hour later, a few times. */
export async function followPlan(ctx: Context): Promise<void> {
  const [plan] = await ctx.db.select().from(backupPlan)
  if (!plan || plan.every === 'never') return
  const now = ctx.now()
  // The newest moment at which this hour began.
  const due = new Date(now)
  due.setUTCHours(plan.hour, 0, 0, 0)
  if (due > now) due.setTime(due.getTime() - PERIOD_MS.day)
  const earliest = plan.every === 'day' ? due : new Date(due.getTime() - PERIOD_MS.week + PERIOD_MS.day)
  const isDone = and(gte(backups.askedAt, earliest), eq(backups.state, 'done'))
  if ((await ctx.db.$count(backups, isDone)) > 0) return
  const failed = await ctx.db
    .select()
    .from(backups)
    .where(and(gte(backups.askedAt, due), eq(backups.state, 'failed'), isNull(backups.askedBy)))
    .orderBy(desc(backups.askedAt))
  if (failed.length >= limits.mostTries) return
  if (failed[0] && failed[0].askedAt.getTime() > now.getTime() - HOUR_MS) return
  await ctx.db.transaction((tx) => ask(ctx, tx, null))
}

/**
 * As many whole ones stay as the plan says, and the newest of those that failed. A folder is renamed first, so that none
 * is taken for a whole backup while it goes.
 */
async function deleteOld(ctx: Context, backupDir: string): Promise<void> {
  const [plan] = await ctx.db.select().from(backupPlan)
  const rows = await ctx.db.select().from(backups).orderBy(desc(backups.askedAt))
  const whole = rows.filter(({ state }) => state === 'done')
  const failed = rows.filter(({ state }) => state === 'failed')
  for (const row of [...whole.slice(plan?.keep ?? whole.length), ...failed.slice(limits.mostFailedKept)]) {
    await deleteFolder(join(backupDir, row.name))
    await ctx.db.delete(backups).where(eq(backups.id, row.id))
  }
}

async function deleteFolder(folder: string): Promise<void> {
  const going = `${folder}.deleting`
  await rename(folder, going).catch((error: unknown) => {
    if (!isCode(error, 'ENOENT')) throw error
  })
  await rm(going, { recursive: true, force: true })
}

const end = (db: Db | Tx, endedAt: Date, id: string, changes: Partial<BackupRow>) =>
  db
    .update(backups)
    .set({ ...changes, endedAt })
    .where(eq(backups.id, id))

const LONGEST_REASON = 2000
const problemOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_REASON)
