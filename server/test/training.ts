/** Small data sets made as members make them, and runs followed to their end. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Body } from '@neuroloom/contract/calls'
import type { Run } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import { vi } from 'vitest'
import type { Config } from '../src/config.ts'
import { cellKinds, drawCell, drawField } from '../src/demo/pictures.ts'
import { encodePng } from '../src/demo/png.ts'
import { look } from '../src/features/datasets/jobs.ts'
import type { Session, TestServer } from './harness.ts'
import { makeMeasuredPython } from './measured-python.ts'
import { programOf } from './program.ts'
import { type TestFile, upload } from './uploads.ts'
import { makeWorker, untilDeviceIsKnown } from './worker.ts'

export type TrainingSet = { projectId: string; datasetId: string; parts: string[]; task: Task }

/** Settings with which a network trains in seconds; only gold members may give them. */
export const quick = {
  epochs: 2,
  validationInterval: 1,
  batchSize: 8,
  imageSize: [32, 32],
  patience: 0,
} satisfies Body<'runs/start'>['hyper']

/** A project with a data set that was uploaded, recognised and looked at. */
export async function makeTrainingSet(
  server: TestServer,
  session: Session,
  { task = 'classification' as Task, items = 24, size = 32, name = 'cells', beside = [] as TestFile[] } = {},
): Promise<TrainingSet> {
  const project = await server.call('projects/create', { name: `Project of ${name}`, task }, session)
  const dataset = await addDataset(server, session, {
    projectId: project.data.id,
    task,
    items,
    size,
    name,
    beside,
  })
  return { projectId: project.data.id, task, ...dataset }
}

export async function addDataset(
  server: TestServer,
  session: Session,
  {
    projectId,
    task,
    items,
    size,
    name,
    seed = 1,
    beside = [],
  }: {
    projectId: string
    task: Task
    items: number
    size: number
    name: string
    seed?: number
    /** Such as tables. */
    beside?: TestFile[]
  },
): Promise<{ datasetId: string; parts: string[] }> {
  const draw = task === 'classification' ? drawClasses : drawMasks
  const folderId = await upload(server, session, { files: [...draw({ items, size, name, seed }), ...beside] })
  const made = await server.call('datasets/recognise', { projectId, folderId: folderId ?? '' }, session)
  const worker = makeWorker(server)
  await look(worker, made.data.id)
  worker.engine.close()
  const { data } = await server.call('datasets/detail', { id: made.data.id }, session)
  if (data.state !== 'ready') throw new Error(`The data set is ${data.state}: ${data.failure}`)
  return { datasetId: data.id, parts: data.parts.map(({ id }) => id) }
}

/** Queues a training that takes seconds. */
export async function startQuick(
  server: TestServer,
  session: Session,
  { set, ...body }: { set: TrainingSet } & Partial<Body<'runs/start'>>,
): Promise<Run> {
  const { data, message, code } = await server.call(
    'runs/start',
    {
      projectId: set.projectId,
      parts: set.parts,
      network: set.task === 'classification' ? 'small_resnet' : 'unet_small',
      force: true,
      ...body,
      hyper: { ...quick, ...body.hyper },
    },
    session,
  )
  if (code !== 10200) throw new Error(`runs/start: ${message} ${JSON.stringify(data)}`)
  return data
}

/** The run as soon as it is as wanted; its end comes too late for nothing. */
export async function until(
  server: TestServer,
  session: Session,
  { id, is, timeout = 240_000 }: { id: string; is: (run: Run) => boolean; timeout?: number },
): Promise<Run> {
  return vi.waitFor(
    async () => {
      const { data } = await server.call('runs/detail', { id }, session)
      if (!is(data.run)) throw new Error(`The run is ${JSON.stringify(data.run).slice(0, 600)}`)
      return data.run
    },
    { timeout, interval: 50 },
  )
}

export const hasEnded = ({ state }: Run): boolean => ['done', 'stopped', 'failed'].includes(state)

/** The worker as the product starts it: a process of its own, which tests may kill. */
export async function spawnWorker(server: TestServer): Promise<ChildProcess> {
  const { ctx } = server
  const { script, execArgv } = programOf('worker')
  const child = fork(script, {
    cwd: join(import.meta.dirname, '..'),
    execArgv,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: ctx.config.databaseUrl,
      DATA_DIR: ctx.config.dataDir,
      ENGINE_PYTHON: makeMeasuredPython(ctx.config.dataDir),
      LOG_LEVEL: ctx.config.logLevel,
      ...storeOf(ctx.config),
    },
  })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`The worker ended with ${code}`)))
  })
  await untilDeviceIsKnown(server)
  return child
}

/** Where its bytes lie, when not on this machine. */
const storeOf = ({ s3 }: Config): NodeJS.ProcessEnv =>
  s3 === undefined
    ? {}
    : {
        ...{ S3_BUCKET: s3.bucket, S3_REGION: s3.region, S3_PREFIX: s3.prefix, S3_ENDPOINT: s3.endpoint },
        ...{ S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_ACCESS_KEY: s3.secretAccessKey },
        S3_ADDRESSING: s3.pathStyle ? 'path' : 'host',
      }

/** Resolves when the process is gone. */
export const gone = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

/**
 * Stops a worker's process between two of its transactions: asleep in one it would hold locks, for which everybody else
 * would have to wait.
 */
export async function freeze({ ctx }: TestServer, worker: ChildProcess): Promise<void> {
  for (;;) {
    worker.kill('SIGSTOP')
    await vi.waitFor(async () => {
      if (!/^State:\s+T/m.test(await readFile(`/proc/${worker.pid}/status`, 'utf8'))) {
        throw new Error('The worker does not stand still yet')
      }
    })
    const { rowCount } = await ctx.pool.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' and xact_start is not null`,
    )
    if (rowCount === 0) return
    worker.kill('SIGCONT')
  }
}

/** Kills a process, or with a negative number a group of them; one that has just ended by itself is gone as well. */
export function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

type Draw = { items: number; size: number; name: string; seed: number }

const drawClasses = ({ items, size, name, seed }: Draw): TestFile[] =>
  Array.from({ length: items }, (_, index) => {
    const kind = cellKinds[index % cellKinds.length] ?? 'round'
    return {
      path: `${name}/${kind}/${index}.png`,
      bytes: encodePng(drawCell(kind, seed * 1000 + index, size)),
    }
  })

const drawMasks = ({ items, size, name, seed }: Draw): TestFile[] =>
  Array.from({ length: items }, (_, index) => {
    const { image, mask } = drawField(seed * 1000 + index, size)
    return [
      { path: `${name}/images/${index}.png`, bytes: encodePng(image) },
      { path: `${name}/masks/${index}.png`, bytes: encodePng(mask) },
    ]
  }).flat()
