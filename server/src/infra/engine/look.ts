/** Lets images flow through networks: one Python process, one look after the other, ended when nobody asks. Knows no members. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { networkFileLimits as limits } from '@neuroloom/contract/limits'
import { networkCalls } from '@neuroloom/contract/networks'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod'
import { createTurns, NoTurn } from '../aside/turns.ts'
import { newId } from '../ids.ts'
import { sweepOld } from './check.ts'
import { engineFolder, signalGroup, spawnProgram } from './process.ts'

const { response: seenSchema } = networkCalls['networks/look']
export type Seen = z.infer<typeof seenSchema>

/** `own`: too many of the member's own wait already; `busy`: no turn came in time. The others: locale keys of `look.json`. */
export type LookReason = 'own' | 'busy' | 'too_slow' | 'too_big' | 'image' | 'internal'

export class LookFailure extends Error {
  readonly reason: LookReason

  constructor(reason: LookReason, cause?: unknown) {
    super(`The look failed: ${reason}`, { cause })
    this.reason = reason
  }
}

export type Looks = {
  /** `layOut` fills a folder with `look.json` and all that it names; rejects with `LookFailure`. */
  look(memberId: string, layOut: (folder: string) => Promise<void>): Promise<Seen>
  /** Ends the process. */
  close(): void
}

type Options = {
  python: string | undefined
  workFolder: string
  log: FastifyBaseLogger
  /** From the question to the answer; tests make it short. */
  answerMs?: number
}

export function createLooks({
  python = 'python3',
  workFolder,
  log,
  answerMs = limits.lookMs,
}: Options): Looks {
  const looker = createLooker(python, log)
  // All that one look may take, waiting included, so whoever has waited longest may still be answered.
  const turns = createTurns({ atOnce: 1, waiting: limits.lookWaiting, waitMs: answerMs })
  const run = async (layOut: (folder: string) => Promise<void>, deadline: number): Promise<Seen> => {
    if (performance.now() > deadline) throw new LookFailure('busy')
    await sweepOld(workFolder)
    const folder = join(workFolder, newId())
    try {
      await mkdir(folder, { recursive: true })
      await layOut(folder)
      await looker.ask(folder, deadline)
      return seenSchema.parse(JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8')))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  return {
    async look(memberId, layOut) {
      const deadline = performance.now() + answerMs
      return turns
        .inTurn(memberId, () => run(layOut, deadline))
        .catch((error: unknown) => {
          if (!(error instanceof NoTurn)) throw error
          throw new LookFailure(error.because === 'own' ? 'own' : 'busy')
        })
    },
    close: looker.end,
  }
}

type Looker = { ask(folder: string, deadline: number): Promise<void>; end(): void }
type Answer = (reason: LookReason | null) => void
type Said = { reason: LookReason | null; isGone: boolean }

/** Keeps the process between questions; one that hangs, dies or has been idle is replaced at the next question. */
function createLooker(python: string, log: FastifyBaseLogger): Looker {
  let child: ChildProcessWithoutNullStreams | null = null
  let answer: Answer | null = null
  let idle: NodeJS.Timeout | undefined

  const end = (): void => {
    clearTimeout(idle)
    if (child) signalGroup(child, 'SIGKILL')
    child = null
    answer?.('internal')
  }
  const start = (): ChildProcessWithoutNullStreams => {
    const started = spawnLooker(python, log)
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
      const reason = await new Promise<LookReason | null>((resolve) => {
        const timer = setTimeout(() => resolve('too_slow'), deadline - performance.now())
        answer = (said) => {
          clearTimeout(timer)
          resolve(said)
        }
        asked.stdin.write(`${JSON.stringify({ command: 'look', folder })}\n`)
      })
      answer = null
      if (reason === 'too_slow') end()
      idle = setTimeout(end, limits.lookIdleMs).unref()
      if (reason !== null) throw new LookFailure(reason)
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
    if (code !== 0) log.warn({ code, signal }, 'the program that looks into networks ended')
  })
  child.once('error', (error) => {
    log.error({ err: error }, 'the program that looks into networks cannot be started')
    tell({ reason: 'internal', isGone: true })
  })
}

/** A run keeps the memory of its steps; this program gives back what a look took. */
const runMemory = ['MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']

function spawnLooker(python: string, log: FastifyBaseLogger): ChildProcessWithoutNullStreams {
  const child = spawnProgram({ python, codeFolder: engineFolder, log }, ['look'], runMemory)
  child.stderr.on('data', (chunk: Buffer) =>
    log.warn({ said: chunk.toString('utf8').slice(0, 4000) }, 'look'),
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
