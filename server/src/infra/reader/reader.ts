/** Has images read by a program of its own: bounded in time and memory, without secrets, ended after each task. Knows no members. */
import type { ChildProcess } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { viewing } from '@neuroloom/contract/limits'
import type { ViewReason } from '@neuroloom/contract/viewing'
import type { FastifyBaseLogger } from 'fastify'
import { forkOwn, startsFromSource } from '../own-script.ts'
import type { AnswerOf, Task } from './tasks.ts'

/** The program could not answer; what it was reading may be to blame. */
export class ReaderFailure extends Error {
  readonly reason: ViewReason

  constructor(name: 'too_slow' | 'too_much_memory' | 'reader_failed') {
    super(`The reading program: ${name}`)
    this.reason = { name, params: {} }
  }
}

/** More wait than may. */
export class ReaderBusy extends Error {}

export type ReadOptions = {
  log: FastifyBaseLogger
  /** The folder that holds everything the task names; the program sees nothing else. */
  folder: string
  /** From the start of the program on. */
  timeMs: number
  /** Refused as busy when more than so many stand in line. */
  mayWait: number
  signal?: AbortSignal
}

let running = 0
const waiting: (() => void)[] = []

export async function read<T extends Task>(task: T, options: ReadOptions): Promise<AnswerOf<T>> {
  await turn(options.mayWait)
  try {
    return await ask<AnswerOf<T>>(task, options)
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

async function turn(mayWait: number): Promise<void> {
  if (running >= viewing.atOnce) {
    if (waiting.length >= mayWait) throw new ReaderBusy('Too many images wait to be read')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running += 1
}

type Ending = 'too_slow' | 'too_much_memory' | 'reader_failed'

async function ask<Answer>(task: Task, { log, folder, timeMs, signal }: ReadOptions): Promise<Answer> {
  signal?.throwIfAborted()
  const child = start(folder)
  let ending: Ending = 'reader_failed'
  const end = (why: Ending): void => {
    ending = why
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => end('too_slow'), timeMs)
  const watch = setInterval(() => void watchMemory(child, () => end('too_much_memory')), WATCH_MS)
  const abort = (): void => end('reader_failed')
  signal?.addEventListener('abort', abort)
  let lastWords = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString('utf8')).slice(-LAST_WORDS)
  })
  try {
    const answer = await new Promise<{ answer: Answer } | null>((resolve) => {
      // Our own program answers each kind of task with its kind of answer.
      child.once('message', (message) => resolve(message as { answer: Answer }))
      child.once('error', () => resolve(null))
      child.once('close', (code, exitSignal) => {
        // What the engine itself ends for want of memory.
        if (code === 134 || exitSignal === 'SIGABRT') ending = 'too_much_memory'
        resolve(null)
      })
      child.send(task, () => undefined)
    })
    signal?.throwIfAborted()
    if (answer) return answer.answer
    log.warn({ ending, said: lastWords }, 'the reading program did not answer')
    throw new ReaderFailure(ending)
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    signal?.removeEventListener('abort', abort)
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  }
}

const WATCH_MS = 100
const LAST_WORDS = 4000

/** Where the system tells it; elsewhere the sizes that headers claim are the only bound. */
async function watchMemory({ pid }: ChildProcess, end: () => void): Promise<void> {
  const status = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  const pages = Number(status.split(' ')[1] ?? 0)
  if (pages * PAGE_BYTES > viewing.readBytes) end()
}

const PAGE_BYTES = 4096

/** `<repository>`, seen from `server/src/infra` as well as from `server/bundle/infra`. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))

function start(folder: string): ChildProcess {
  const isSource = startsFromSource(import.meta.url, 'process')
  return forkOwn(
    { from: import.meta.url, name: 'process', guards: () => guards(folder) },
    {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        UV_THREADPOOL_SIZE: '2',
        ...(isSource ? {} : { TMPDIR: folder }),
      },
      cwd: isSource ? root : folder,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  )
}

/** It may read our code and its own folder, write into its folder, and start nothing. */
export function guards(folder: string): string[] {
  const flag = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission'
  const code = [
    'node_modules/',
    'server/node_modules/',
    'contract/',
    'server/bundle/',
    'server/package.json',
    'package.json',
  ]
  // Packages may lie elsewhere, behind a link.
  const linked = ['node_modules', 'node_modules/@neuroloom/contract'].map(
    (name) => `${realpathSync(join(root, name))}/`,
  )
  // Each once: Node 20 breaks off over a path that is given twice.
  const readable = new Set([...code.map((name) => join(root, name)), ...linked, `${folder}/`])
  return [
    '--no-warnings',
    `--max-old-space-size=${Math.round(viewing.readBytes / 1024 ** 2)}`,
    flag,
    '--allow-addons',
    ...[...readable].map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${folder}/`,
  ]
}
