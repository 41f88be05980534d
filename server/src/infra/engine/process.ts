/** One Python process of the engine: starting it, reading its lines in order, ending it. Knows no queue and no database. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { EngineCommand, EngineEvent } from '@neuroloom/contract/engine'
import { queue } from '@neuroloom/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import { yieldToOthers } from '../priority.ts'
import { readLines } from './lines.ts'

export type EngineExit = {
  code: number | null
  signal: NodeJS.Signals | null
  /** The last `end` event; null = the program broke off. */
  end: Extract<EngineEvent, { type: 'end' }> | null
  /** The end of what the program said on standard error, for the log. */
  lastWords: string
}

export type EngineProcess = {
  pid: number
  /** Asks to end the run and export what it learned; terminates and at last kills a process that does not answer. */
  stop(): void
  /** The worker goes: asks to save a checkpoint and end, so that another attempt can go on. Presses like `stop`. */
  leave(): void
  /** Ends it and its children at once. */
  kill(): void
  /** Resolves when the process is gone and every event was handled; rejects with what a handler threw. */
  exited: Promise<EngineExit>
}

/** A process that has not been given a run folder yet, or that runs one. */
export type EngineChild = EngineProcess & {
  /** Resolves true when torch is imported, false when the process ended before. */
  ready: Promise<boolean>
  isAlive(): boolean
  /** Hands over the run folder; `onEvent` gets its events one after the other. */
  give(folder: string, onEvent: OnEvent): void
}

export type OnEvent = (event: EngineEvent) => Promise<void> | void

export type EngineSettings = {
  python: string
  /** Folder that holds the package `neuroloom_engine`. */
  codeFolder: string
  log: FastifyBaseLogger
}

/** `<repository>/engine`, seen from `server/src/infra` as well as from `server/bundle/infra`. */
export const engineFolder = fileURLToPath(new URL('../../../../engine', import.meta.url))

/** Less than work of seconds beside the server: a training on an idle machine goes as fast as ever. */
const NICE = 5
const LAST_WORDS = 8_000
const ABORT_MS = 1000

export function spawnEngine(settings: EngineSettings, args: string[]): EngineChild {
  const { log } = settings
  const child = spawnProgram(settings, args)
  let lastWords = ''
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString('utf8')).slice(-LAST_WORDS)
  })
  const gone = waitForExit(child)
  const [ready, sayReady] = promised<boolean>()
  const [given, give] = promised<OnEvent>()
  void gone.then(() => sayReady(false))
  const ending = createEnding(child, gone)
  const end: { event: EngineExit['end'] } = { event: null }

  const read = async (): Promise<void> => {
    for await (const line of readLines(child.stdout)) {
      if ('ready' in line) sayReady(true)
      else if ('unreadable' in line) log.warn({ line: line.unreadable }, 'the engine printed an unknown line')
      else {
        if (line.event.type === 'end') end.event = line.event
        await (await given)(line.event)
      }
    }
  }
  const exited = read()
    .catch((error: unknown) => {
      ending.kill()
      throw error
    })
    .then(() => gone)
    .then(({ code, signal }) => ({ code, signal, end: end.event, lastWords }))
  // Whoever waits for it meets a rejection; a warm process that nobody took must not end the worker.
  exited.catch(() => undefined)

  return {
    pid: child.pid ?? 0,
    ready,
    exited,
    isAlive: () => child.exitCode === null && child.signalCode === null && child.pid !== undefined,
    give(folder, onEvent) {
      give(onEvent)
      send(child, { command: 'run', folder })
    },
    ...ending,
  }
}

/** `without`: names of its environment that it does better without. */
export function spawnProgram(
  { python, codeFolder }: EngineSettings,
  args: string[],
  without: readonly string[] = [],
): ChildProcessWithoutNullStreams {
  const env = engineEnvironment(codeFolder)
  for (const name of without) delete env[name]
  const child = spawn(python, ['-m', 'neuroloom_engine', ...args], {
    cwd: codeFolder,
    env,
    stdio: 'pipe',
    // A group of its own: Ctrl-C in the terminal reaches our process alone, which then ends this one in good order.
    detached: true,
  })
  yieldToOthers(child, NICE)
  // A process that dies while it is written to reports it by its exit.
  child.stdin.on('error', () => undefined)
  return child
}

/** To the process and its children; nothing when it is gone. */
export function signalGroup(
  { pid, exitCode, signalCode }: ChildProcessWithoutNullStreams,
  name: NodeJS.Signals,
): void {
  // The number of a process that is gone may be another's by now.
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, name)
  } catch {
    // Gone already.
  }
}

/** A promise and what fulfils it. */
function promised<Value>(): [Promise<Value>, (value: Value) => void] {
  let fulfil: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((resolve) => {
    fulfil = resolve
  })
  return [promise, fulfil]
}

/** Ask, wait, terminate, wait, abort, kill: each step only for a process that is still there. */
function createEnding(
  child: ChildProcessWithoutNullStreams,
  gone: Promise<unknown>,
): Pick<EngineProcess, 'stop' | 'leave' | 'kill'> {
  const timers: NodeJS.Timeout[] = []
  void gone.then(() => timers.forEach(clearTimeout))
  const signal = (name: NodeJS.Signals): void => signalGroup(child, name)
  const press = (): void => {
    if (timers.length > 0) return
    timers.push(
      setTimeout(() => signal('SIGTERM'), queue.stopMs),
      // It then writes where each of its threads stands (PYTHONFAULTHANDLER): why it hung.
      setTimeout(() => signal('SIGABRT'), queue.stopMs + queue.killMs),
      setTimeout(() => signal('SIGKILL'), queue.stopMs + queue.killMs + ABORT_MS),
    )
  }
  return {
    stop() {
      send(child, { command: 'stop' })
      press()
    },
    leave() {
      child.stdin.end()
      press()
    },
    kill: () => signal('SIGKILL'),
  }
}

const send = (child: ChildProcessWithoutNullStreams, command: EngineCommand): void => {
  if (child.stdin.writable) child.stdin.write(`${JSON.stringify(command)}\n`)
}

/** A Python that cannot be started at all counts as one that ended at once. */
const waitForExit = (child: ChildProcessWithoutNullStreams): Promise<Pick<EngineExit, 'code' | 'signal'>> =>
  new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: null, signal: null }))
  })

/** Nothing of the server's own settings and secrets; only what Python, its libraries and a GPU driver need. */
export function engineEnvironment(codeFolder: string): Record<string, string> {
  const passed = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'CUDA_VISIBLE_DEVICES', 'SYSTEMROOT']
  const kept = passed.flatMap((name): [string, string][] => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    ...Object.fromEntries(kept),
    LANG: 'C.UTF-8',
    PYTHONPATH: codeFolder,
    // A crash in native code says where it happened.
    PYTHONFAULTHANDLER: '1',
    // Debian's torch starts with one thread unless it is told.
    OMP_NUM_THREADS: String(availableParallelism()),
    // Threads that wait by spinning are "within noise" on an idle machine, but ten times slower beside other programs.
    OMP_WAIT_POLICY: 'PASSIVE',
    // Tensors of one step are given back to the next instead of to the system: 2–16 % of an epoch, measured.
    MALLOC_MMAP_THRESHOLD_: String(1024 ** 3),
    MALLOC_TRIM_THRESHOLD_: String(1024 ** 3),
  }
}
