/** How the whole server is doing, the runs of everybody, and what administrators announce. */
import * as z from 'zod'
import { backups as backupLimits, announcements as limits, operations } from '../limits.ts'
import { route } from '../route.ts'
import { runStates } from '../run-states.ts'
import { runSchema } from '../runs.ts'
import { projectTaskSchema } from '../task-schema.ts'

const whole = z.int().min(0)

/** One calendar day in UTC. */
export const dayFiguresSchema = z.object({
  day: z.iso.date(),
  newMembers: whole,
  endedRuns: whole,
  failedRuns: whole,
  storedBytes: z.number(),
  /** Paid less refunded; null where nothing is sold. */
  paidFen: z.int().nullable(),
})
export type DayFigures = z.infer<typeof dayFiguresSchema>

export const deviceSchema = z.object({
  worker: z.string(),
  kind: z.enum(['cpu', 'cuda']),
  /** The number of the graphics card, or how many threads the processor gives. */
  number: whole,
  /** Bytes that the device has for runs. */
  memoryBytes: z.number(),
  seenAt: z.iso.datetime(),
  /** Whether the worker reported within the last minutes. */
  isThere: z.boolean(),
  runs: whole,
})

const share = z.number().min(0).max(1)

/** What a machine did in a minute. */
export const sampleSchema = z.object({
  at: z.iso.datetime(),
  /** Of all its processors together, since the sample before. */
  processor: share,
  memory: share,
  /** Runs. */
  waiting: whole,
  running: whole,
})
export type Sample = z.infer<typeof sampleSchema>

export const officeRunSchema = z.object({
  id: z.string(),
  kind: z.enum(['train', 'test', 'predict', 'flow', 'flow_train']),
  number: z.int(),
  task: projectTaskSchema,
  state: z.enum(runStates),
  member: z.object({ nickName: z.string(), account: z.string() }),
  network: z.string(),
  ownNetworkName: z.string().nullable(),
  /** Place in the queue; null where it does not wait. */
  position: z.int().nullable(),
  /** An administrator put it before the others. */
  isPreferred: z.boolean(),
  isStopping: z.boolean(),
  /** From 0 to 1; null before the first step. */
  share: z.number().nullable(),
  foreseenSeconds: z.number().nullable(),
  worker: z.string().nullable(),
  error: runSchema.shape.error,
  queuedAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
})
export type OfficeRun = z.infer<typeof officeRunSchema>

const announcementText = z.string().trim().max(limits.textLength)
const texts = z.object({ en: announcementText, zh: announcementText, ru: announcementText })
export const announcementKinds = ['info', 'warning'] as const

export const announcementSchema = z.object({
  id: z.string(),
  kind: z.enum(announcementKinds),
  texts,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
})
export type Announcement = z.infer<typeof announcementSchema>

export const backupSchema = z.object({
  id: z.string(),
  /** Of its folder below BACKUP_DIR. */
  name: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Asked for by an administrator, not by the plan. */
  isByHand: z.boolean(),
  askedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  rowCount: z.number().nullable(),
  fileCount: whole.nullable(),
  copiedCount: whole.nullable(),
  missingCount: whole.nullable(),
  problem: z.string().nullable(),
  test: z
    .object({
      state: z.enum(['waiting', 'passed', 'failed']),
      at: z.iso.datetime().nullable(),
      problem: z.string().nullable(),
    })
    .nullable(),
})
export type Backup = z.infer<typeof backupSchema>

export const backupPeriods = ['never', 'day', 'week'] as const
export const backupPlanSchema = z.object({
  every: z.enum(backupPeriods),
  /** From this hour of the day on, UTC. */
  hour: z.int().min(0).max(23),
  /** So many finished backups stay. */
  keep: z.int().min(1).max(backupLimits.mostKept),
})
export type BackupPlan = z.infer<typeof backupPlanSchema>

const runId = z.object({ id: z.string().max(40) })

export const operationCalls = {
  'office/overview': route({
    summary: 'Members, storage, queue, devices, money and errors of the whole server',
    request: z.object({}),
    response: z.object({
      version: z.string(),
      members: z.object({ total: whole, activeWeek: whole, blocked: whole }),
      storage: z.object({ files: whole, bytes: z.number() }),
      disk: z.object({ freeBytes: z.number(), totalBytes: z.number(), reserveBytes: z.number() }),
      /** Of the machine that answers. The load is the mean of processes that want to run, over the last minute. */
      machine: z.object({
        cores: whole,
        load: z.number(),
        memoryBytes: z.number(),
        freeMemoryBytes: z.number(),
        upSeconds: z.number(),
      }),
      databaseBytes: z.number(),
      queue: z.object({ waiting: whole, running: whole, paused: whole }),
      /** The same by kind; kinds of which there is none are left out. */
      kinds: z.array(
        z.object({ kind: officeRunSchema.shape.kind, waiting: whole, running: whole, paused: whole }),
      ),
      /** Work behind the pages, by the name of its queue; what is idle is left out. */
      jobs: z.array(z.object({ name: z.string(), waiting: whole, running: whole })),
      /** The last ones, the newest first. Of the work behind the pages those that were given up. */
      failures: z.object({
        runs: z.array(
          officeRunSchema.pick({ id: true, kind: true, number: true, error: true, endedAt: true }),
        ),
        jobs: z.array(z.object({ name: z.string(), at: z.iso.datetime() })),
      }),
      /** Of the process that answers, in its memory: one sample a minute since it began, of the last hour at most. */
      history: z.object({ since: z.iso.datetime(), samples: z.array(sampleSchema) }),
      devices: z.array(deviceSchema),
      /** The last days, the oldest first, today included. */
      days: z.array(dayFiguresSchema),
    }),
    errors: [],
  }),
  'office/runs': route({
    summary:
      'Runs of all members: those that are open in the order of the queue, or those that ended, the newest first',
    request: z.object({
      state: z.enum(['open', 'ended', 'failed']).default('open'),
      page: z.int().min(1).max(operations.mostPages).default(1),
    }),
    response: z.object({ runs: z.array(officeRunSchema), total: whole, pageSize: whole }),
    errors: [],
  }),
  'office/stopRun': route({
    summary: 'Stop a run of any member; its owner is told',
    request: runId,
    response: z.object({}),
    errors: ['missing', 'run_ended'],
  }),
  'office/preferRun': route({
    summary: 'Put a waiting run before all others, or back to its place',
    request: runId.extend({ isPreferred: z.boolean() }),
    response: z.object({}),
    errors: ['missing', 'run_ended'],
  }),
  'office/announcements': route({
    summary: 'All announcements, the newest first',
    request: z.object({}),
    response: z.object({ announcements: z.array(announcementSchema) }),
    errors: [],
  }),
  'office/announce': route({
    summary: 'Show a text to everybody who is signed in, for some time',
    request: z
      .object({
        kind: z.enum(announcementKinds),
        texts,
        startsAt: z.iso.datetime().max(40),
        endsAt: z.iso.datetime().max(40),
      })
      .superRefine(({ texts: { en, zh, ru }, startsAt, endsAt }, context) => {
        if (en === '' && zh === '' && ru === '')
          context.addIssue({
            code: 'custom',
            path: ['texts'],
            message: 'A text in one language at least is needed.',
          })
        if (Date.parse(endsAt) <= Date.parse(startsAt))
          context.addIssue({ code: 'custom', path: ['endsAt'], message: 'The end must be after the start.' })
      }),
    response: announcementSchema,
    errors: ['too_many_announcements'],
  }),
  'office/endAnnouncement': route({
    summary: 'End an announcement now',
    request: runId,
    response: z.object({}),
    errors: ['missing'],
  }),
  'office/backups': route({
    summary: 'Backups of the server, the newest first, and when the next ones are made',
    request: z.object({}),
    response: z.object({
      /** False where the server was started without BACKUP_DIR. */
      isSetUp: z.boolean(),
      plan: backupPlanSchema,
      backups: z.array(backupSchema),
    }),
    errors: [],
  }),
  'office/backup': route({
    summary: 'Make a backup now',
    request: z.object({}),
    response: z.object({}),
    errors: ['backup_not_set_up', 'backup_running'],
  }),
  'office/backupPlan': route({
    summary: 'When backups are made, and how many are kept',
    request: backupPlanSchema,
    response: z.object({}),
    errors: ['backup_not_set_up'],
  }),
  'office/testBackup': route({
    summary: 'Restore a backup into a database of its own, compare, and delete it again',
    request: runId,
    response: z.object({}),
    errors: ['missing', 'backup_not_set_up', 'backup_running'],
  }),
  'announcements/current': route({
    summary: 'What is announced now',
    request: z.object({}),
    response: z.object({ announcements: z.array(announcementSchema) }),
    errors: [],
  }),
}
