/** Backups as administrators see them, and what they ask for. The work is the worker's (`backup-jobs.ts`). */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { backups as limits } from '@neuroloom/contract/limits'
import type { Backup } from '@neuroloom/contract/office/operations'
import { desc, eq, inArray, or } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit, changedFacts } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import { type BackupRow, backupPlan, backups } from './tables.ts'

/** Made or tested, or waiting for it. */
export const isUnderWay = or(inArray(backups.state, ['waiting', 'running']), eq(backups.testState, 'waiting'))

export async function list(ctx: Context): Promise<Answer<'office/backups'>> {
  const rows = await ctx.db
    .select()
    .from(backups)
    .orderBy(desc(backups.askedAt), desc(backups.id))
    .limit(limits.mostListed)
  const [plan] = await ctx.db.select().from(backupPlan)
  return {
    isSetUp: ctx.config.backupDir !== undefined,
    plan: { every: plan?.every ?? 'never', hour: plan?.hour ?? 1, keep: plan?.keep ?? 7 },
    backups: rows.map(shown),
  }
}

export async function make(
  ctx: Context,
  _body: unknown,
  { user, address }: Caller,
): Promise<Answer<'office/backup'>> {
  requireFolder(ctx)
  await ctx.db.transaction(async (tx) => {
    const id = await ask(ctx, tx, user.id)
    if (id === null) throw fail('backup_running')
    await audit(tx, { actor: user.id, action: 'backup.make', subject: `backup:${id}`, address })
  })
  return {}
}

/** Queues a backup; null where one is under way. */
export async function ask(ctx: Context, tx: Tx, askedBy: string | null): Promise<string | null> {
  await lock(tx)
  if ((await tx.$count(backups, isUnderWay)) > 0) return null
  const id = newId()
  const now = ctx.now()
  const name = `backup-${now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}-${id.slice(-6)}`
  await tx.insert(backups).values({ id, name, state: 'waiting', askedBy, askedAt: now })
  await ctx.jobs.send(tx, 'backup.make', { backupId: id }, { singletonKey: id })
  return id
}

export async function savePlan(
  ctx: Context,
  plan: Parsed<'office/backupPlan'>,
  { user, address }: Caller,
): Promise<Answer<'office/backupPlan'>> {
  requireFolder(ctx)
  await ctx.db.transaction(async (tx) => {
    const [was] = await tx.select().from(backupPlan).for('update')
    await tx.update(backupPlan).set(plan)
    const { every, hour, keep } = was ?? plan
    await audit(tx, {
      actor: user.id,
      action: 'backup.plan',
      subject: 'server',
      address,
      ...changedFacts({ every, hour, keep }, plan),
    })
  })
  return {}
}

export async function test(
  ctx: Context,
  { id }: Parsed<'office/testBackup'>,
  { user, address }: Caller,
): Promise<Answer<'office/testBackup'>> {
  requireFolder(ctx)
  await ctx.db.transaction(async (tx) => {
    await lock(tx)
    const [row] = await tx.select().from(backups).where(eq(backups.id, id))
    if (row?.state !== 'done') throw fail('missing')
    if ((await tx.$count(backups, isUnderWay)) > 0) throw fail('backup_running')
    await tx
      .update(backups)
      .set({ testState: 'waiting', testedAt: null, testProblem: null, attempts: 0 })
      .where(eq(backups.id, id))
    await ctx.jobs.send(tx, 'backup.test', { backupId: id }, { singletonKey: id })
    await audit(tx, { actor: user.id, action: 'backup.test', subject: `backup:${id}`, address })
  })
  return {}
}

function requireFolder({ config }: Context): void {
  if (config.backupDir === undefined) throw fail('backup_not_set_up')
}

/** Whoever asks does so one after the other. */
const lock = (tx: Tx) => tx.select().from(backupPlan).for('update')

const shown = (row: BackupRow): Backup => ({
  id: row.id,
  name: row.name,
  state: row.state,
  isByHand: row.askedBy !== null,
  askedAt: row.askedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  rowCount: row.rowCount,
  fileCount: row.fileCount,
  copiedCount: row.copiedCount,
  missingCount: row.missingCount,
  problem: row.problem,
  test:
    row.testState === null
      ? null
      : { state: row.testState, at: row.testedAt?.toISOString() ?? null, problem: row.testProblem },
})
