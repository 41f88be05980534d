/** Housekeeping jobs in PostgreSQL (pg-boss). Sent inside the transaction that needs them; training has its own queue. */
import type { OfficeNews } from '@neuroloom/contract/accounts/accounts'
import type { Run } from '@neuroloom/contract/runs'
import type { SeriesWish } from '@neuroloom/contract/viewing'
import { type SQL, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import PgBoss from 'pg-boss'
import type { Db, Tx } from './db.ts'
import { newId } from './ids.ts'
import type { Listener } from './listener.ts'

/** Every job and what it carries. */
export type JobData = {
  'shop.check': { listingId: string; number: number }
  'shop.claim': { claimId: string }
  'shop.record': Record<string, never>
  'files.check': { userId: string; fileIds: string[] }
  'files.purge': Record<string, never>
  'projects.purge': Record<string, never>
  'runs.purge': Record<string, never>
  'runs.letter': {
    userId: string
    runId: string
    kind: Run['kind']
    number: number
    end: 'done' | 'failed' | 'stopped'
  }
  'blobs.sweep': Record<string, never>
  'datasets.recognise': { datasetId: string }
  'uploads.sweep': Record<string, never>
  'files.unpack': { unpackId: string }
  'unpacks.sweep': Record<string, never>
  'files.view': ({ userId: string } | { userId: string; as: string; of: string } | { linkId: string }) & {
    fileId: string
    series: SeriesWish
  }
  'files.overlay': ({ userId: string } | { linkId: string }) & {
    fileId: string
    series: boolean
    maskId: string
  }
  'files.convert': { conversionId: string }
  'files.texts': { scanId: string }
  'texts.sweep': Record<string, never>
  'conversions.sweep': Record<string, never>
  'labelling.gather': { setId: string }
  'runs.look': { runId: string; itemId: string; over: 'truth' | 'prediction' | null }
  'labelling.image': { itemId: string; userId: string }
  'labelling.fold': { readingId: string }
  'recipes.work': { workId: string }
  'recipes.sweep': Record<string, never>
  'labelling.agree': { setId: string; userId: string }
  'views.sweep': Record<string, never>
  'labelling.exchange': { exchangeId: string }
  'labelling.sweep': Record<string, never>
  'labelling.propose': { runId: string }
  'labelling.round': { roundId: string }
  'toolbox.results': { runId: string }
  'flow.work': { studyId: string }
  'flow.measure': { runId: string }
  'flow.sweep': Record<string, never>
  'audit.seal': Record<string, never>
  'live.sweep': Record<string, never>
  'accounts.sweep': Record<string, never>
  'accounts.erase': { userId: string }
  'notices.sweep': Record<string, never>
  'administrators.tell': { kind: OfficeNews }
  'payments.letter': { orderNo: string; kind: 'paid' | 'over' | 'refunded' | 'invoice' }
  'payments.refund': { refundNo: string }
  'payments.reconcile': Record<string, never>
  'wallet.letter': { withdrawalNo: string }
  'social.sweep': Record<string, never>
  'market.remind': Record<string, never>
  'code.inspect': { uploadId: string }
  'code.run': { runId: string }
  'code.sweep': Record<string, never>
  'room.watch': Record<string, never>
  'backup.make': { backupId: string }
  'backup.test': { backupId: string }
  'backup.plan': Record<string, never>
}
export type JobName = keyof JobData

export type Jobs = {
  /** Queues a job; with a transaction, only if it commits. The same `singletonKey` waits once, however often it is sent. */
  send<N extends JobName>(
    tx: Tx | null,
    name: N,
    data: JobData[N],
    options?: { singletonKey?: string },
  ): Promise<void>
  /** Worker only: runs each job of this name; a thrown error is retried later, three times in all. */
  work<N extends JobName>(name: N, handler: (data: JobData[N]) => Promise<void>): Promise<void>
  /** Worker only: sends the job at the times of a cron line (UTC). */
  schedule(name: JobName, cron: string): Promise<void>
  /** Worker only: begins to run jobs and schedules. */
  start(): Promise<void>
  stop(): Promise<void>
}

const jobNames: Record<JobName, true> = {
  'shop.check': true,
  'shop.claim': true,
  'shop.record': true,
  'files.check': true,
  'files.purge': true,
  'projects.purge': true,
  'runs.purge': true,
  'runs.letter': true,
  'blobs.sweep': true,
  'datasets.recognise': true,
  'uploads.sweep': true,
  'files.unpack': true,
  'unpacks.sweep': true,
  'files.view': true,
  'files.overlay': true,
  'files.convert': true,
  'files.texts': true,
  'texts.sweep': true,
  'conversions.sweep': true,
  'labelling.gather': true,
  'runs.look': true,
  'labelling.image': true,
  'labelling.fold': true,
  'recipes.work': true,
  'recipes.sweep': true,
  'labelling.agree': true,
  'views.sweep': true,
  'labelling.exchange': true,
  'labelling.sweep': true,
  'labelling.propose': true,
  'labelling.round': true,
  'toolbox.results': true,
  'flow.work': true,
  'flow.measure': true,
  'flow.sweep': true,
  'audit.seal': true,
  'live.sweep': true,
  'accounts.sweep': true,
  'accounts.erase': true,
  'notices.sweep': true,
  'administrators.tell': true,
  'payments.letter': true,
  'payments.refund': true,
  'payments.reconcile': true,
  'wallet.letter': true,
  'social.sweep': true,
  'market.remind': true,
  'code.inspect': true,
  'code.run': true,
  'code.sweep': true,
  'room.watch': true,
  'backup.make': true,
  'backup.test': true,
  'backup.plan': true,
}
const CHANNEL = 'jobs'
/** A job that hangs is given again after this; large folders need a while. */
const EXPIRE_SECONDS = 3600
const RETENTION_DAYS = 3650
const never = new Promise<never>(() => undefined)

type Parts = { db: Db; pool: pg.Pool; listener: Listener; log: FastifyBaseLogger }

export function createJobs({ db, pool, listener, log }: Parts): Jobs {
  // In the HTTP process nothing but `send` is used: no polling, no maintenance, no cron.
  const onPool = {
    // The library does not wait for its word that a job is over: once stopped, it finds nobody who listens.
    executeSql: (text: string, values: unknown[]) => (isStopped ? never : pool.query(text, values)),
  }
  const boss = new PgBoss({ db: onPool, migrate: false, supervise: true, schedule: true })
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue met an error'))
  let started = false
  let isStopped = false

  return {
    async send(tx, name, data, { singletonKey = newId() } = {}) {
      const through = tx ?? db
      // pg-boss types its bridge by `{ rows }`, which is what the query builder answers with.
      const executeSql = (text: string, values: unknown[]) => through.execute(toSql(text, values))
      await boss.send(name, data, { singletonKey, db: { executeSql } })
      await through.execute(sql`select pg_notify(${CHANNEL}, ${name})`)
    },
    async work(name, handler) {
      const workerId = await boss.work<JobData[typeof name]>(name, async ([job]) => {
        if (!job) return
        log.info({ job: name, id: job.id }, 'job started')
        try {
          await handler(job.data)
        } catch (error) {
          log.error({ job: name, id: job.id, err: error }, 'job failed')
          throw error
        }
      })
      listener.on(CHANNEL, (heard) => {
        if (heard === name) boss.notifyWorker(workerId)
      })
    },
    schedule: (name, cron) => boss.schedule(name, cron),
    async start() {
      isStopped = false
      await boss.start()
      started = true
    },
    async stop() {
      if (started) await boss.stop({ graceful: true, timeout: 10_000, close: false })
      isStopped = true
    },
  }
}

/** Makes the queue's own tables and one queue a job name; part of every migration run. */
export async function prepareJobs(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 2, supervise: false, schedule: false })
  boss.on('error', () => undefined)
  await boss.start()
  for (const name of Object.keys(jobNames)) {
    const queue = {
      name,
      policy: 'short' as const,
      retryLimit: 2,
      retryDelay: 5,
      retryBackoff: true,
      expireInSeconds: EXPIRE_SECONDS,
      // A clock that jumps ahead must not make waiting work too old to be done.
      retentionDays: RETENTION_DAYS,
    }
    await boss.createQueue(name, queue)
    // One that was made by an earlier version.
    await boss.updateQueue(name, queue)
  }
  await boss.stop({ graceful: false })
}

/** The library's `$1` text as a statement of our query builder, so that it runs in our transaction. */
function toSql(text: string, values: unknown[]): SQL {
  const chunks = text.split(/\$(\d+)/).map((part, index) => {
    return index % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1])}`
  })
  return sql.join(chunks)
}
