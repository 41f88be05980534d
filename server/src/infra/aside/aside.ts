/**
 * Work that grows with what a member wrote, done beside the process that answers everybody: in a few warm processes, in
 * turns that are fair by member, bounded in time and memory. Knows no feature; `aside-process.ts` knows what can be asked.
 */
import type { ChildProcess } from 'node:child_process'
import { aside as limits } from '@neuroloom/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import { fail } from '../../http/fail.ts'
import { forkOwn } from '../own-script.ts'
import { yieldToOthers } from '../priority.ts'
import { createTurns, inTurnOrRefused } from './turns.ts'

/** A pure function under a name: what it is given and answers must survive JSON. */
export type Work<Input, Output> = { name: string; run: (input: Input) => Output | Promise<Output> }
/** In a list nothing is known of what goes in: the name told it to whoever asked. */
export type AnyWork = Work<never, unknown>

export type Aside = {
  /** Rejects as `too_much_at_once`, as `busy`, or as `work_too_large` when it was ended for its time or memory. */
  ask<Input, Output>(memberId: string, work: Work<Input, Output>, input: Input): Promise<Output>
  /** Ends the processes. */
  close(): void
}

type Options = {
  log: FastifyBaseLogger
  /** The script, `import.meta.url` of its neighbour and its name; tests bring one of their own. */
  script?: { from: string; name: string }
  workMs?: number
  memoryMegabytes?: number
}

const ownScript = { from: import.meta.url, name: '../../aside-process' }
type Said = { answer: unknown } | { thrown: string } | null
type Helper = {
  child: ChildProcess
  /** Resolves when it listens; what it takes to begin is nobody's work. */
  ready: Promise<unknown>
  /** Null between works. */
  tell: ((said: Said) => void) | null
  idle: NodeJS.Timeout | undefined
}

export function createAside(options: Options): Aside {
  const {
    log,
    script = ownScript,
    workMs = limits.workMs,
    memoryMegabytes = limits.memoryMegabytes,
  } = options
  const turns = createTurns({ atOnce: limits.atOnce, waiting: limits.waiting, waitMs: limits.waitMs })
  const helpers = new Set<Helper>()

  const end = (helper: Helper): void => {
    clearTimeout(helper.idle)
    helpers.delete(helper)
    helper.child.kill('SIGKILL')
  }
  const start = (): Helper => {
    const child = forkOwn({ ...script, flags: [`--max-old-space-size=${memoryMegabytes}`] })
    const ready = new Promise((resolve) => child.once('message', resolve).once('exit', resolve))
    const helper: Helper = { child, ready, tell: null, idle: undefined }
    const lose = (): void => {
      clearTimeout(helper.idle)
      helpers.delete(helper)
      helper.tell?.(null)
    }
    void ready.then(() => child.on('message', (said: Said) => helper.tell?.(said)))
    child.once('error', lose)
    child.once('exit', lose)
    yieldToOthers(child, NICE)
    helpers.add(helper)
    return helper
  }
  const work = async (name: string, input: unknown): Promise<Said> => {
    const helper = [...helpers].find(({ tell }) => tell === null) ?? start()
    clearTimeout(helper.idle)
    hold(helper.child)
    let timer: NodeJS.Timeout | undefined
    const said = await new Promise<Said>((resolve) => {
      helper.tell = resolve
      void helper.ready.then(() => {
        timer = setTimeout(() => end(helper), workMs)
        helper.child.send({ name, input }, () => undefined)
      })
    })
    clearTimeout(timer)
    helper.tell = null
    letGo(helper.child)
    helper.idle = setTimeout(() => end(helper), limits.idleMs).unref()
    return said
  }

  return {
    async ask<Input, Output>(memberId: string, { name }: Work<Input, Output>, input: Input) {
      const said = await inTurnOrRefused(turns, memberId, () => work(name, input))
      if (said === null) {
        log.warn({ work: name, memberId }, 'work beside the server was ended for its time or memory')
        throw fail('work_too_large')
      }
      if ('thrown' in said) throw new Error(`${name}: ${said.thrown}`)
      // The script answers by the very function whose type this is.
      return said.answer as Output
    },
    close() {
      for (const helper of helpers) end(helper)
    },
  }
}

/** Whoever is being answered comes first. */
const NICE = 10

/** A process without work keeps nobody running. */
function letGo(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

function hold(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

/** The other side: answers each question by the work of its name, until the server is gone. */
export function answerWorks(works: readonly AnyWork[]): void {
  const byName = new Map(works.map((work) => [work.name, work]))
  process.on('message', ({ name, input }: { name: string; input: never }) => {
    void answerOf(byName.get(name), input).then((said) => process.send?.(said))
  })
  process.send?.('ready')
}

async function answerOf(work: AnyWork | undefined, input: never): Promise<Said> {
  try {
    if (!work) return { thrown: 'nobody knows this work' }
    return { answer: await work.run(input) }
  } catch (error) {
    return { thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
