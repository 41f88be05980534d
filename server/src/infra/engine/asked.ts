/** Answers of the engine that pages wait for: one Python process, one question after the other, ended when nobody asks. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod'
import { createTurns, NoTurn } from '../aside/turns.ts'
import { newId } from '../ids.ts'
import { engineFolder, signalGroup, spawnProgram } from './process.ts'
import { sweepOld } from './rounds.ts'

/** `own`: too many of the member's own wait already; `busy`: no turn came in time. The others: locale keys of `look.json`. */
type AskReason = 'own' | 'busy' | 'too_slow' | 'too_big' | 'image' | 'internal'

export class AskFailure extends Error {
  readonly reason: AskReason

  constructor(reason: AskReason, cause?: unknown) {
    super(`The engine gave no answer: ${reason}`, { cause })
    this.reason = reason
  }
}

export type Asked<Answer> = {
  /** `layOut` fills a folder with the question and all that it names; rejects with `AskFailure`. */
  ask(memberId: string, layOut: (folder: string) => Promise<void>): Promise<Answer>
  /** Ends the process. */
  close(): void
}

type Command = 'look' | 'try' | 'examine' | 'masks' | 'vary' | 'inspect'

type Options<Answer> = {
  python: string | undefined
  workFolder: string
  log: FastifyBaseLogger
  /** What the engine is started as. */
  command: Command
  /** What it leaves in the folder. */
  answerFile: string
  schema: z.ZodType<Answer>
  /** From the question to the answer. */
  answerMs: number
  /** Of one member, behind what is under way. */
  waiting: number
  idleMs: number
}

export function createAsked<Answer>(options: Options<Answer>): Asked<Answer> {
  const {
    python = 'python3',
    workFolder,
    log,
    command,
    answerFile,
    schema,
    answerMs,
    waiting,
    idleMs,
  } = options
  const looker = createLooker({ python, command, idleMs, log })
  // All that one answer may take, waiting included, so whoever has waited longest may still be answered.
  const turns = createTurns({ atOnce: 1, waiting, waitMs: answerMs })
  const run = async (layOut: (folder: string) => Promise<void>, deadline: number): Promise<Answer> => {
    if (performance.now() > deadline) throw new AskFailure('busy')
    await sweepOld(workFolder)
    const folder = join(workFolder, newId())
    try {
      await mkdir(folder, { recursive: true })
      await layOut(folder)
      await looker.ask(folder, deadline)
      return schema.parse(JSON.parse(await readFile(join(folder, answerFile), 'utf8')))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  return {
    async ask(memberId, layOut) {
      const deadline = performance.now() + answerMs
      return turns
        .inTurn(memberId, () => run(layOut, deadline))
        .catch((error: unknown) => {
          if (!(error instanceof NoTurn)) throw error
          throw new AskFailure(error.because === 'own' ? 'own' : 'busy')
        })
    },
    close: looker.end,
  }
}

type Looker = { ask(folder: string, deadline: number): Promise<void>; end(): void }
type Tell = (reason: AskReason | null) => void
type Program = { python: string; command: Command; idleMs: number; log: FastifyBaseLogger }
type Said = { reason: AskReason | null; isGone: boolean }

/** Keeps the process between questions; one that hangs, dies or has been idle is replaced at the next question. */
function createLooker({ python, command, idleMs, log }: Program): Looker {
  let child: ChildProcessWithoutNullStreams | null = null
  let answer: Tell | null = null
  let idle: NodeJS.Timeout | undefined

  const end = (): void => {
    clearTimeout(idle)
    if (child) signalGroup(child, 'SIGKILL')
    child = null
    answer?.('internal')
  }
  const start = (): ChildProcessWithoutNullStreams => {
    const started = spawnLooker({ python, command, log })
    const tell = (said: Said): void => {
      // One that was replaced has nothing more to say.
      if (child !== started) return
      if (said.isGone) child = null
      answer?.(said.reason)
    }
    watch(started, { log, tell })
    return started
  }

  return {
    async ask(folder, deadline) {
      clearTimeout(idle)
      child ??= start()
      const asked = child
      const reason = await new Promise<AskReason | null>((resolve) => {
        const timer = setTimeout(() => resolve('too_slow'), deadline - performance.now())
        answer = (said) => {
          clearTimeout(timer)
          resolve(said)
        }
        asked.stdin.write(`${JSON.stringify({ command: 'look', folder })}\n`)
      })
      answer = null
      if (reason === 'too_slow') end()
      idle = setTimeout(end, idleMs).unref()
      if (reason !== null) throw new AskFailure(reason)
    },
    end,
  }
}

/** Tells each answer of the process; its end is one, too. */
function watch(
  child: ChildProcessWithoutNullStreams,
  { log, tell }: { log: FastifyBaseLogger; tell: (said: Said) => void },
): void {
  createInterface(child.stdout).on('line', (line) => {
    const event = readEvent(line)
    if (event) tell({ reason: event.code, isGone: false })
  })
  child.once('close', (code, signal) => {
    // The system ends what takes too much memory without a word.
    tell({ reason: signal === 'SIGKILL' ? 'too_big' : 'internal', isGone: true })
    if (code !== 0) log.warn({ code, signal }, 'the program that answers pages ended')
  })
  child.once('error', (error) => {
    log.error({ err: error }, 'the program that answers pages cannot be started')
    tell({ reason: 'internal', isGone: true })
  })
}

/** A run keeps the memory of its steps; this program gives back what an answer took. */
const runMemory = ['MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']

function spawnLooker({ python, command, log }: Omit<Program, 'idleMs'>): ChildProcessWithoutNullStreams {
  const child = spawnProgram({ python, codeFolder: engineFolder, log }, [command], runMemory)
  child.stderr.on('data', (chunk: Buffer) =>
    log.warn({ said: chunk.toString('utf8').slice(0, 4000) }, command),
  )
  return child
}

const eventSchema = z.object({
  type: z.literal('looked'),
  code: z.enum(['too_big', 'image', 'internal']).nullable(),
})

function readEvent(line: string): z.infer<typeof eventSchema> | null {
  try {
    return eventSchema.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
