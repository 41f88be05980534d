/** The runs of everybody, as administrators see them. Projects, data and results are not shown: they are their owners'. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { operations as limits } from '@neuroloom/contract/limits'
import { shareOf } from '@neuroloom/contract/run-progress'
import { openStates } from '@neuroloom/contract/run-states'
import { desc, eq, inArray, not, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import { audit } from '../../infra/audit.ts'
import type { Context } from '../../infra/context.ts'
import { users } from '../accounts/tables.ts'
import { positions, prefer, stopByOffice } from '../runs/service.ts'
import { runs } from '../runs/tables.ts'

type Wish = Parsed<'office/runs'>['state']

export async function list(
  ctx: Context,
  { state, page }: Parsed<'office/runs'>,
): Promise<Answer<'office/runs'>> {
  const where = wanted[state]
  const places = state === 'open' ? await positions(ctx.db) : new Map<string, number>()
  const order =
    state === 'open'
      ? [
          sql`case ${runs.state} when 'running' then 0 when 'queued' then 1 else 2 end`,
          sql`array_position(${sqlArray([...places.keys()])}, ${runs.id})`,
          runs.queuedAt,
        ]
      : [desc(sql`coalesce(${runs.endedAt}, ${runs.queuedAt})`), desc(runs.id)]
  const rows = await ctx.db
    .select({
      run: shownColumns,
      nickName: users.nickName,
      emailKey: users.emailKey,
      phoneKey: users.phoneKey,
    })
    .from(runs)
    .innerJoin(users, eq(users.id, runs.userId))
    .where(where)
    .orderBy(...order)
    .limit(limits.pageSize)
    .offset((page - 1) * limits.pageSize)
  return {
    runs: rows.map(({ run, nickName, emailKey, phoneKey }) => ({
      ...run,
      member: { nickName, account: emailKey ?? `+${phoneKey ?? ''}` },
      position: places.get(run.id) ?? null,
      isPreferred: run.preferredAt !== null,
      share: run.progress === null ? null : shareOf(run.progress),
      queuedAt: run.queuedAt.toISOString(),
      startedAt: run.startedAt?.toISOString() ?? null,
      endedAt: run.endedAt?.toISOString() ?? null,
    })),
    total: await ctx.db.$count(runs, where),
    pageSize: limits.pageSize,
  }
}

export async function stop(
  ctx: Context,
  { id }: Parsed<'office/stopRun'>,
  { user, address }: Caller,
): Promise<Answer<'office/stopRun'>> {
  await ctx.db.transaction(async (tx) => {
    const [run] = await tx.select({ state: runs.state }).from(runs).where(eq(runs.id, id))
    if (!run) throw fail('missing')
    await stopByOffice(ctx, tx, { id, by: user.id })
    await audit(tx, {
      actor: user.id,
      action: 'run.stop',
      subject: `run:${id}`,
      address,
      before: { state: run.state },
    })
  })
  return {}
}

export async function putFirst(
  ctx: Context,
  { id, isPreferred }: Parsed<'office/preferRun'>,
  { user, address }: Caller,
): Promise<Answer<'office/preferRun'>> {
  await ctx.db.transaction(async (tx) => {
    await prefer(ctx, tx, { id, isPreferred })
    await audit(tx, {
      actor: user.id,
      action: 'run.prefer',
      subject: `run:${id}`,
      address,
      after: { isPreferred },
    })
  })
  return {}
}

const shownColumns = {
  id: runs.id,
  kind: runs.kind,
  number: runs.number,
  task: runs.task,
  state: runs.state,
  network: runs.network,
  ownNetworkName: runs.ownNetworkName,
  preferredAt: runs.preferredAt,
  isStopping: runs.stopRequested,
  progress: runs.progress,
  foreseenSeconds: runs.foreseenSeconds,
  worker: runs.worker,
  error: runs.error,
  queuedAt: runs.queuedAt,
  startedAt: runs.startedAt,
  endedAt: runs.endedAt,
}

const wanted: Record<Wish, SQL | undefined> = {
  open: inArray(runs.state, openStates),
  ended: not(inArray(runs.state, openStates)),
  failed: eq(runs.state, 'failed'),
}

const sqlArray = (ids: readonly string[]): SQL => sql`${sql.param([...ids])}::text[]`
