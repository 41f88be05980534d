/** Keeps one child process alive: starts it, starts it again when it dies, ends it in order. */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { HOPELESS } from './process.ts'

export type Keeper = {
  /** Resolves with what the child said when it was ready for the first time; rejects when it never can be. */
  ready: Promise<{ port?: number }>
  /** Resolves when the child is given up, because it would only fail again. */
  hopeless: Promise<void>
  pid(): number | undefined
  stop(): Promise<void>
}

const SHORT_MS = 250
const LONG_MS = 10_000
/** A child that ran this long was well: it is started again at once. */
const WELL_MS = 30_000
const KILL_MS = 12_000

type Options = { script: URL; env: NodeJS.ProcessEnv; onExit(text: string): void }

export function keep({ script, env, onExit }: Options): Keeper {
  let child: ChildProcess | undefined
  let stopping = false
  let isReady: (said: { port?: number }) => void = () => undefined
  let isHopeless: () => void = () => undefined
  const ready = new Promise<{ port?: number }>((resolve) => {
    isReady = resolve
  })
  const hopeless = new Promise<void>((resolve) => {
    isHopeless = resolve
  })

  const run = async (): Promise<void> => {
    let pause = SHORT_MS
    while (!stopping) {
      const started = Date.now()
      child = fork(script, { env, stdio: 'inherit' })
      child.once('message', (said: { port?: number }) => {
        // The next one must come back where this one was.
        if (said.port) env.PORT = String(said.port)
        isReady(said)
      })
      const code = await exited(child)
      if (stopping) return
      if (code === HOPELESS) return isHopeless()
      pause = Date.now() - started > WELL_MS ? SHORT_MS : Math.min(pause * 2, LONG_MS)
      onExit(`ended with ${code}; starting again in ${pause} ms`)
      await wait(pause, undefined, { ref: false })
    }
  }
  const ended = run()

  return {
    ready,
    hopeless,
    pid: () => child?.pid,
    async stop() {
      stopping = true
      child?.kill('SIGTERM')
      const timer = setTimeout(() => child?.kill('SIGKILL'), KILL_MS)
      if (child && child.exitCode === null && child.signalCode === null) await ended
      clearTimeout(timer)
    },
  }
}

const exited = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'no code'))
  })
