/** Steps on their way: at once into the browser's database, soon to the server, once each; tells how that stands. Knows no marks. */
import type { Body } from '@neuroloom/contract/calls'
import type { KeptStep } from '@neuroloom/contract/labelling/labelling'
import type { Step } from '@neuroloom/contract/labelling/steps'
import { labelling as limits } from '@neuroloom/contract/limits'
import { apiRoot } from '../../../lib/address.ts'
import { CallError, call, headersFor, messageOf } from '../../../lib/api.ts'
import type { KeptSteps } from './kept-steps.ts'

/** `kept`: on this computer alone, because the server is not reached; `refused`: the server will not take them. */
export type SaveState = 'saved' | 'saving' | 'kept' | 'refused'
export type Saving = {
  state: SaveState
  /** Steps that the server has not confirmed. */
  waiting: number
  /** Why, of `kept` and `refused`. */
  message: string
  /** False: a closed tab loses what waits. */
  isKeptHere: boolean
}

const PATH = 'labelling/save'
/** What a page may still send when it goes (Fetch standard: 64 KiB over all requests). */
const LAST_BYTES = 60_000
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000]
/** The server's answer is final: sending the same again changes nothing. */
const final: ReadonlySet<string> = new Set([
  'reading_closed',
  'reading_missing',
  'not_allowed',
  'step_refused',
])

type Options = {
  readingId: string
  seq: number
  kept: KeptSteps | null
  /** Steps of other pages, and those of this page that the server has put behind them. */
  onMissed: (missed: readonly KeptStep[], later: readonly Step[]) => void
  onState: (saving: Saving) => void
}

export class StepQueue {
  readonly #options: Options
  #seq: number
  #waiting: Step[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The sending that is on its way, until nothing waits. */
  #sending: Promise<void> | null = null
  #tries = 0
  #isKeptHere: boolean
  #isRefused = false
  /** Rejections of the database come late; the order of writing and forgetting must hold. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    this.#seq = options.seq
    this.#isKeptHere = options.kept !== null
  }

  /** The server's number of the last step that this page knows. */
  get seq(): number {
    return this.#seq
  }

  get steps(): readonly Step[] {
    return this.#waiting
  }

  add(step: Step): void {
    this.#waiting.push(step)
    this.#keep([step])
    this.#tell(this.#isRefused ? 'refused' : 'saving')
    if (!this.#isRefused && this.#tries === 0) this.#later(limits.saveMs)
  }

  /**
   * Sends what waits; without anything it asks for what other pages did. Ends when the server has all of it or is not
   * reached: also for a caller that comes while an earlier part is on its way.
   */
  send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null
    })
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    do {
      if (this.#isRefused) return
      clearTimeout(this.#timer)
      await this.#sendSome()
    } while (this.#tries === 0 && this.#waiting.length > 0)
  }

  async #sendSome(): Promise<void> {
    const steps = firstOf(this.#waiting)
    try {
      const { readingId } = this.#options
      const { seq, missed } = await call(PATH, { readingId, after: this.#seq, steps }, { quiet: true })
      this.#tries = 0
      this.#seq = Math.max(seq, this.#seq)
      this.#settle(steps, missed)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** The page goes: what is small enough still leaves, the rest lies in the database. */
  leave(): void {
    clearTimeout(this.#timer)
    if (this.#waiting.length === 0 || this.#isRefused) return
    const { readingId } = this.#options
    const body: Body<typeof PATH> = {
      readingId,
      after: this.#seq,
      steps: this.#waiting.slice(0, limits.steps),
    }
    const text = JSON.stringify(body)
    if (text.length > LAST_BYTES) return
    const headers = { 'Content-Type': 'application/json', ...headersFor(PATH) }
    fetch(apiRoot + PATH, { method: 'POST', headers, body: text, keepalive: true }).catch(() => undefined)
  }

  /** Nothing more is sent from here. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#isRefused = true
    void this.#writing.finally(() => this.#options.kept?.close())
  }

  #settle(steps: readonly Step[], missed: readonly KeptStep[]): void {
    const ids = new Set(steps.map(({ id }) => id))
    if (missed.length > 0) this.#options.onMissed(missed, this.#waiting)
    this.#waiting = this.#waiting.filter(({ id }) => !ids.has(id))
    this.#forget([...ids])
    this.#tell(this.#waiting.length > 0 ? 'saving' : 'saved')
  }

  #fail(error: unknown): void {
    if (error instanceof CallError && final.has(error.name)) {
      this.#isRefused = true
      this.#tell('refused', messageOf(error))
      return
    }
    this.#tell('kept', messageOf(error))
    this.#later(RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)] ?? 0)
  }

  #later(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.send(), ms)
  }

  #keep(steps: readonly Step[]): void {
    const { kept, readingId } = this.#options
    if (!kept || !this.#isKeptHere) return
    // At once, so that the database writes together what comes together; it keeps the order.
    const written = kept.keep(readingId, steps).catch(() => {
      // Full, or taken away by the browser: the server alone keeps the work from here on.
      this.#isKeptHere = false
      this.#tell(this.#waiting.length > 0 ? 'saving' : 'saved')
    })
    this.#writing = Promise.all([this.#writing, written])
  }

  #forget(ids: readonly string[]): void {
    const { kept } = this.#options
    if (!kept || ids.length === 0) return
    // What stays behind is sent once more at the next visit, and counts once.
    this.#writing = this.#writing.then(() => kept.forget(ids)).catch(() => undefined)
  }

  #tell(state: SaveState, message = ''): void {
    const { onState } = this.#options
    onState({ state, message, waiting: this.#waiting.length, isKeptHere: this.#isKeptHere })
  }
}

/** As many as one call takes; a step is at most a third of that. */
export function firstOf(steps: readonly Step[]): Step[] {
  const taken: Step[] = []
  let bytes = 0
  for (const step of steps) {
    bytes += step.deed.do === 'pixels' ? step.deed.patch.length : 4000
    if (taken.length >= limits.steps || (taken.length > 0 && bytes > limits.saveBytes / 2)) break
    taken.push(step)
  }
  return taken
}
