/** How the whole server is doing, in figures that name nobody. */
import { availableParallelism, freemem, loadavg, totalmem, uptime } from 'node:os'
import type { Answer } from '@neuroloom/contract/calls'
import { operations as limits } from '@neuroloom/contract/limits'
import type { DayFigures } from '@neuroloom/contract/office/operations'
import { count, isNull, sql } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import { blobs } from '../../infra/storage/blobs.ts'
import { productVersion } from '../../infra/version.ts'
import { sessions, users } from '../accounts/tables.ts'
import { payments, refunds } from '../payments/tables.ts'
import { runDevices, runs } from '../runs/tables.ts'
import { historyOf } from './history.ts'
import { failuresOf, jobsOf, queueOf } from './queues.ts'

export async function overview(ctx: Context): Promise<Answer<'office/overview'>> {
  const [members, storage, queues, jobs, failures, devices, days, databaseBytes, disk] = await Promise.all([
    membersOf(ctx),
    storageOf(ctx),
    queueOf(ctx),
    jobsOf(ctx),
    failuresOf(ctx),
    devicesOf(ctx),
    daysOf(ctx),
    databaseSize(ctx),
    ctx.room.left(),
  ])
  const machine = {
    cores: availableParallelism(),
    load: loadavg()[0] ?? 0,
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    upSeconds: uptime(),
  }
  const history = historyOf(ctx)
  const told = { ...queues, jobs, failures, history }
  return { version: productVersion, members, storage, disk, machine, databaseBytes, ...told, devices, days }
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

async function membersOf(ctx: Context) {
  const since = new Date(ctx.now().getTime() - WEEK_MS)
  const active = sql`exists (select 1 from ${sessions} s where s.user_id = ${users.id} and s.used_at >= ${since})`
  const [row] = await ctx.db
    .select({
      total: count(),
      blocked: sql<number>`count(*) filter (where ${users.blockedAt} is not null)`.mapWith(Number),
      activeWeek: sql<number>`count(*) filter (where ${active})`.mapWith(Number),
    })
    .from(users)
    .where(isNull(users.cancelledAt))
  return { total: row?.total ?? 0, blocked: row?.blocked ?? 0, activeWeek: row?.activeWeek ?? 0 }
}

async function storageOf(ctx: Context) {
  const [row] = await ctx.db
    .select({ files: count(), bytes: sql<number>`coalesce(sum(${blobs.sizeBytes}), 0)`.mapWith(Number) })
    .from(blobs)
  return { files: row?.files ?? 0, bytes: row?.bytes ?? 0 }
}

async function devicesOf(ctx: Context) {
  const rows = await ctx.db
    .select({ device: runDevices, runs: count(runs.id) })
    .from(runDevices)
    .leftJoin(runs, sql`${runs.worker} = ${runDevices.worker} and ${runs.state} = 'running'`)
    .groupBy(runDevices.worker)
    .orderBy(runDevices.worker)
  const newest = ctx.now().getTime() - limits.goneMs
  return rows.map(({ device: { worker, device, seenAt }, runs: held }) => ({
    worker,
    kind: device.kind,
    number: device.kind === 'cuda' ? device.index : device.threads,
    memoryBytes: device.memoryBytes,
    seenAt: seenAt.toISOString(),
    isThere: seenAt.getTime() >= newest,
    runs: held,
  }))
}

async function databaseSize(ctx: Context): Promise<number> {
  const { rows } = await ctx.db.execute<{ bytes: string }>(
    sql`select pg_database_size(current_database()) as bytes`,
  )
  return Number(rows[0]?.bytes ?? 0)
}

/** Sums by calendar day in UTC; days without anything are zero. */
async function daysOf(ctx: Context): Promise<DayFigures[]> {
  const isSold = ctx.config.deployment !== 'private'
  const today = sql`(${ctx.now()}::timestamptz at time zone 'UTC')::date`
  const day = (column: unknown) => sql`(${column} at time zone 'UTC')::date`
  const first = sql`(${today} - ${limits.days - 1}::int)`
  const since = sql`(${first}::timestamp at time zone 'UTC')`
  const { rows } = await ctx.db.execute<Record<keyof DayFigures, string>>(sql`
    select
      to_char(d.day, 'YYYY-MM-DD') as day,
      coalesce(m.count, 0) as "newMembers",
      coalesce(r.ended, 0) as "endedRuns",
      coalesce(r.failed, 0) as "failedRuns",
      coalesce(b.bytes, 0) as "storedBytes",
      coalesce(p.fen, 0) - coalesce(f.fen, 0) as "paidFen"
    from (select generate_series(${first}, ${today}, interval '1 day')::date as day) d
    left join (
      select ${day(users.createdAt)} as day, count(*) as count from ${users}
      where ${users.createdAt} >= ${since} group by 1
    ) m on m.day = d.day
    left join (
      select ${day(runs.endedAt)} as day, count(*) as ended, count(*) filter (where ${runs.state} = 'failed') as failed
      from ${runs} where ${runs.endedAt} >= ${since} group by 1
    ) r on r.day = d.day
    left join (
      select ${day(blobs.createdAt)} as day, sum(${blobs.sizeBytes}) as bytes from ${blobs}
      where ${blobs.createdAt} >= ${since} group by 1
    ) b on b.day = d.day
    left join (
      select ${day(payments.at)} as day, sum(${payments.amountFen}) as fen from ${payments}
      where ${payments.at} >= ${since} group by 1
    ) p on p.day = d.day
    left join (
      select ${day(refunds.sentAt)} as day, sum(${refunds.amountFen}) as fen from ${refunds}
      where ${refunds.sentAt} >= ${since} group by 1
    ) f on f.day = d.day
    order by d.day`)
  return rows.map((row) => ({
    day: row.day,
    newMembers: Number(row.newMembers),
    endedRuns: Number(row.endedRuns),
    failedRuns: Number(row.failedRuns),
    storedBytes: Number(row.storedBytes),
    paidFen: isSold ? Number(row.paidFen) : null,
  }))
}
