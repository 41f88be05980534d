/** Everything a service function may use, built once a process. Holds no request and no user. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SQL } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { type Aside, createAside } from './aside/aside.ts'
import { type Db, openDb, openPool } from './db.ts'
import { databaseClock } from './due.ts'
import type { Engine } from './engine/engine.ts'
import { createExams, type Exams } from './engine/exams.ts'
import { createInspections, type Inspections } from './engine/inspections.ts'
import { createLooks, type Looks } from './engine/look.ts'
import { createMaskAnswers, type MaskAnswers } from './engine/mask-answers.ts'
import { createTrials, type Trials } from './engine/trials.ts'
import { createVariations, type Variations } from './engine/variations.ts'
import { type Feature, type Told, toldBy } from './feature.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { createLinks, type Links, readSecret } from './links.ts'
import { createListener, type Listener } from './listener.ts'
import { createLive, type Live } from './live/live.ts'
import { createMessages, type Messages } from './messages/messages.ts'
import { createModules, type ModulesNow } from './modules/modules.ts'
import { createPlanLimits, type PlanLimitsNow } from './plan-limits/plan-limits.ts'
import { createRoom, type Room } from './room.ts'
import { createSeals, type Seals } from './seals.ts'
import { createSigner, type Signer } from './signer.ts'
import { createDiskStorage, type Storage } from './storage/storage.ts'

export type Context = {
  config: Config
  db: Db
  pool: pg.Pool
  storage: Storage
  live: Live
  jobs: Jobs
  links: Links
  signer: Signer
  /** For document numbers. */
  seals: Seals
  messages: Messages
  /** Of the membership levels. */
  planLimits: PlanLimitsNow
  /** Parts of the product that administrators switch. */
  modules: ModulesNow
  /** On the disk. */
  room: Room
  /** What grows with what a member wrote: done beside whoever answers. */
  aside: Aside
  /** Single images through networks: light enough to be answered at once. */
  looks: Looks
  /** Recipes on a few images, likewise. */
  trials: Trials
  variations: Variations
  inspections: Inspections
  /** Images with their masks, likewise. */
  exams: Exams
  /** Masks joined for a look, and measured, likewise. */
  maskAnswers: MaskAnswers
  /** What the features say of themselves. */
  told: Told
  /** The process's one LISTEN connection: news from other processes. */
  listener: Listener
  log: FastifyBaseLogger
  /** The clock; tests turn it. */
  now: () => Date
  /** In a statement: the database's clock, by which things are due; tests turn it too. */
  databaseClock: () => SQL<Date>
}

/** What jobs get: the engine runs in the worker alone. */
export type WorkerContext = Context & { engine: Engine }

type Options = {
  features: readonly Feature[]
  log: FastifyBaseLogger
  now?: () => Date
  databaseClock?: Context['databaseClock']
  poolSize?: number
  aside?: Aside
  room?: Room
}

export async function createContext(config: Config, options: Options): Promise<Context> {
  const { log, now = () => new Date(), poolSize, aside = createAside({ log }) } = options
  if (!config.databaseUrl) throw new Error('DATABASE_URL is not set')
  await mkdir(config.dataDir, { recursive: true })
  const { room = createRoom({ folder: config.dataDir, minFreeBytes: config.minFreeBytes }) } = options
  const pool = openPool(config.databaseUrl, log, poolSize)
  const db = openDb(pool)
  const listener = createListener(config.databaseUrl, log)
  const secret = await readSecret(config.dataDir)
  return {
    config,
    db,
    pool,
    storage: await openStorage(config, room),
    live: createLive({ db, listener, log }),
    jobs: createJobs({ db, pool, listener, log }),
    links: createLinks(secret, now),
    seals: createSeals(secret, 'document number'),
    signer: createSigner(secret),
    messages: createMessages(config, now),
    planLimits: createPlanLimits({ db, listener, base: config.limits, log }),
    modules: createModules({ db, listener, log }),
    room,
    aside,
    told: toldBy(options.features),
    looks: createLooks({ python: config.enginePython, workFolder: join(config.dataDir, 'looks'), log }),
    trials: createTrials({ python: config.enginePython, workFolder: join(config.dataDir, 'trials'), log }),
    inspections: createInspections({
      python: config.enginePython,
      workFolder: join(config.dataDir, 'inspections'),
      log,
    }),
    variations: createVariations({
      python: config.enginePython,
      workFolder: join(config.dataDir, 'variations'),
      log,
    }),
    exams: createExams({ python: config.enginePython, workFolder: join(config.dataDir, 'exams'), log }),
    maskAnswers: createMaskAnswers({
      ...{ python: config.enginePython, workFolder: join(config.dataDir, 'masks'), log },
    }),
    listener,
    log,
    now,
    databaseClock: options.databaseClock ?? databaseClock,
  }
}

/** The S3 client is loaded only where it is used: it would take its share of every start. */
async function openStorage({ s3, dataDir }: Config, room: Room): Promise<Storage> {
  if (!s3) return createDiskStorage(dataDir)
  const { createS3Storage } = await import('./storage/s3.ts')
  return createS3Storage(s3, dataDir, undefined, room.has)
}

/** Lets go of everything in the order in which it is used. */
export async function closeContext(ctx: Context): Promise<void> {
  ctx.looks.close()
  ctx.trials.close()
  ctx.variations.close()
  ctx.inspections.close()
  ctx.exams.close()
  ctx.maskAnswers.close()
  ctx.aside.close()
  await ctx.live.close()
  await ctx.jobs.stop()
  await ctx.listener.close()
  await ctx.pool.end()
}
