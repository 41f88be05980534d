/** The worker's part of backups: by plan or by hand, each in a folder of its own, and old ones deleted. */
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { makeBackup } from '../../infra/backup/backup.ts'
import { tryRestore } from '../../infra/backup/trial-restore.ts'
import type { Context, WorkerContext } from '../../infra/context.ts'
import { isCode } from '../../infra/storage/files.ts'
import { ask } from './backups.ts'
import { type BackupRow, backupPlan, backups } from './tables.ts'

export async function register(ctx: WorkerContext): Promise<void> {
  if (ctx.config.backupDir === undefined) return
  await ctx.jobs.work('backup.make', ({ backupId }) => makeOne(ctx, backupId))
  await ctx.jobs.work('backup.test', ({ backupId }) => testOne(ctx, backupId))
  await ctx.jobs.work('backup.plan', () => followPlan(ctx))
  await ctx.jobs.schedule('backup.plan', '*/15 * * * *')
}

/** Begins again where it was ended: what the folder has by then is not copied twice. */
export async function makeOne(ctx: Context, id: string): Promise<void> {
  const { backupDir } = ctx.config
  const [row] = await ctx.db.select().from(backups).where(eq(backups.id, id))
  if (!row || backupDir === undefined || row.state === 'done' || row.state === 'failed') return
  await ctx.db.update(backups).set({ state: 'running' }).where(eq(backups.id, id))
  const folder = join(backupDir, row.name)
  try {
    await mkdir(backupDir, { recursive: true, mode: 0o700 })
    await shareFiles(ctx, backupDir, folder)
    const { manifest, copied } = await makeBackup(ctx, folder)
    const rowCount = Object.values(manifest.tables).reduce((sum, count) => sum + count, 0)
    await end(ctx, id, {
      state: 'done',
      rowCount,
      fileCount: manifest.fileCount,
      copiedCount: copied,
      missingCount: manifest.missing.length,
    })
  } catch (error) {
    ctx.log.error({ err: error, backup: id }, 'a backup failed')
    await end(ctx, id, { state: 'failed', problem: reasonOf(error) })
    await rm(folder, { recursive: true, force: true })
    return
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

export async function testOne(ctx: Context, id: string): Promise<void> {
  const { backupDir, databaseUrl } = ctx.config
  const [row] = await ctx.db.select().from(backups).where(eq(backups.id, id))
  if (row?.testState !== 'waiting' || backupDir === undefined) return
  const result = await tryRestore(databaseUrl ?? '', join(backupDir, row.name)).then(
    () => ({ testState: 'passed', testProblem: null }) as const,
    (error: unknown) => ({ testState: 'failed', testProblem: reasonOf(error) }) as const,
  )
  await ctx.db
    .update(backups)
    .set({ ...result, testedAt: ctx.now() })
    .where(eq(backups.id, id))
}

const PERIOD_MS = { day: 24 * 3_600_000, week: 7 * 24 * 3_600_000 }

/** Asks for a backup when the last one that the plan asked for is a period old. */
export async function followPlan(ctx: Context): Promise<void> {
  const [plan] = await ctx.db.select().from(backupPlan)
  if (!plan || plan.every === 'never') return
  const now = ctx.now()
  // The newest moment at which this hour began.
  const due = new Date(now)
  due.setUTCHours(plan.hour, 0, 0, 0)
  if (due > now) due.setTime(due.getTime() - PERIOD_MS.day)
  const [last] = await ctx.db
    .select()
    .from(backups)
    .where(and(eq(backups.state, 'done'), isNotNull(backups.endedAt)))
    .orderBy(desc(backups.askedAt))
    .limit(1)
  const earliest = plan.every === 'day' ? due.getTime() : due.getTime() - PERIOD_MS.week + PERIOD_MS.day
  if (last && last.askedAt.getTime() >= earliest) return
  await ctx.db.transaction((tx) => ask(ctx, tx, null))
}

/** As many stay as the plan says. A folder is renamed first, so that none is taken for a whole backup while it goes. */
async function deleteOld(ctx: Context, backupDir: string): Promise<void> {
  const [plan] = await ctx.db.select().from(backupPlan)
  const rows = await ctx.db
    .select()
    .from(backups)
    .where(eq(backups.state, 'done'))
    .orderBy(desc(backups.askedAt))
  for (const row of rows.slice(plan?.keep ?? rows.length)) {
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

const end = (ctx: Context, id: string, changes: Partial<BackupRow>) =>
  ctx.db
    .update(backups)
    .set({ ...changes, endedAt: ctx.now() })
    .where(eq(backups.id, id))

const LONGEST_REASON = 2000
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_REASON)
