/** Has files of flow looked at, and studies made: a light engine process for each piece of work. Knows no members. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineEvent, FlowSpec, RunError, RunSpec } from '@neuroloom/contract/engine'
import type { FlowSectionsTold } from '@neuroloom/contract/flow/run'
import { type FlowLook, type FlowProblem, flowProblemSchema } from '@neuroloom/contract/flow/study'
import { flowLimits, flowReading } from '@neuroloom/contract/limits'
import { type EngineSettings, spawnEngine } from './process.ts'

export type FlowDone =
  | { look: FlowLook }
  /** Paths, in the order in which they were told. */
  | { made: string[] }
  | { told: FlowSectionsTold }
  | { refused: FlowProblem[] }

export type FlowOptions = {
  /** Holds everything that the work names; the study is written below it. */
  folder: string
  timeMs: number
  signal: AbortSignal
}

/** There was no answer; `code` says why, as far as the engine could. */
export class FlowBroke extends Error {
  readonly code: RunError

  constructor(code: RunError, said: string) {
    super(`The engine did not do its work on a flow: ${code}\n${said}`)
    this.code = code
  }
}

export async function doFlow(
  settings: EngineSettings,
  work: FlowSpec['work'],
  { folder, timeMs, signal }: FlowOptions,
): Promise<FlowDone> {
  signal.throwIfAborted()
  await mkdir(join(folder, 'out'), { recursive: true })
  await writeFile(join(folder, 'run.json'), JSON.stringify(specOf(work)))
  const made: string[] = []
  let done: FlowDone | null = null
  let error: Extract<EngineEvent, { type: 'error' }> | null = null
  let isLate = false
  const child = spawnEngine(settings, ['check'])
  const timer = setTimeout(() => {
    isLate = true
    child.kill()
  }, timeMs)
  signal.addEventListener('abort', child.kill, { once: true })
  child.give(folder, (event) => {
    if (event.type === 'flow_look') done = { look: event.look }
    if (event.type === 'flow_made') {
      made.push(join(folder, event.path))
      done = { made }
    }
    if (event.type === 'flow_sections') done = { told: event.told }
    if (event.type === 'error') error = event
  })
  const exit = await child.exited.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', child.kill)
  })
  signal.throwIfAborted()
  if (isLate) throw new FlowBroke('timeout', '')
  return answerOf({ done, error, killed: exit.signal !== null, said: exit.lastWords })
}

type Ended = {
  done: FlowDone | null
  error: Extract<EngineEvent, { type: 'error' }> | null
  killed: boolean
  said: string
}

function answerOf({ done, error, killed, said }: Ended): FlowDone {
  if (error === null) {
    if (done !== null) return done
    // The system ends what takes too much memory without a word.
    throw new FlowBroke(killed ? 'out_of_memory' : 'internal', said)
  }
  if (error.code !== 'flow_refused') throw new FlowBroke(error.code, error.trace)
  const { problem, ...params } = error.data
  return { refused: [flowProblemSchema.parse({ reason: problem, params, isBlocking: true })] }
}

const specOf = (work: FlowSpec['work']): RunSpec => ({
  ...{ v: 1, kind: 'flow', run: 'flow', attempt: 1, outputs: 'out' },
  ...{ maxBytes: flowReading.studyBytes, memoryBytes: flowLimits.memoryBytes, work },
})
