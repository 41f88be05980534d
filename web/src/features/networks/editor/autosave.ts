/** Saves a while after the last change, keeps trying, and writes the journal meanwhile. Shows nothing itself. */
import type { Body } from '@neuroloom/contract/calls'
import { CallError, NetworkError } from '../../../lib/api.ts'
import type { Journal } from './journal.ts'
import { type EditorState, type EditorStore, type Step, textOf } from './store.ts'

const saveDelayMs = 1500
const journalDelayMs = 250
/** The server cannot be reached: next tries. */
const retryMs = [3000, 6000, 12_000, 30_000] as const

export interface Saving {
  /** Saves at once what is not saved yet. */
  flush: () => Promise<void>
  stop: () => void
}

type Send = (body: Body<'networks/save'>) => Promise<{ revision: number }>

export function startSaving(store: EditorStore, { journal, send }: { journal: Journal; send: Send }): Saving {
  const autosave = new Autosave(store, journal, send)
  const unsubscribe = store.subscribe((now, before) => {
    if (!isSame(now, before) || now.saved !== before.saved) autosave.changed()
  })
  const handleOnline = () => void autosave.save()
  const handleHide = () => {
    if (document.visibilityState === 'hidden') void autosave.save()
  }
  window.addEventListener('online', handleOnline)
  document.addEventListener('visibilitychange', handleHide)
  if (isDirty(store.getState())) autosave.changed()
  return {
    flush: () => autosave.save(),
    stop: () => {
      unsubscribe()
      window.removeEventListener('online', handleOnline)
      document.removeEventListener('visibilitychange', handleHide)
      autosave.stop()
    },
  }
}

class Autosave {
  private readonly store: EditorStore
  private readonly journal: Journal
  private readonly send: Send
  private saveTimer: ReturnType<typeof setTimeout> | undefined
  private journalTimer: ReturnType<typeof setTimeout> | undefined
  private running: Promise<void> | null = null
  private failures = 0
  private isStopped = false

  constructor(store: EditorStore, journal: Journal, send: Send) {
    this.store = store
    this.journal = journal
    this.send = send
  }

  changed(): void {
    this.journalTimer ??= setTimeout(() => this.note(), journalDelayMs)
    if (!isDirty(this.store.getState())) {
      clearTimeout(this.saveTimer)
      if (this.store.getState().saveState !== 'saved') this.store.getState().show({ saveState: 'saved' })
      return
    }
    if (this.store.getState().saveState !== 'conflict') this.later(saveDelayMs)
  }

  async save(): Promise<void> {
    clearTimeout(this.saveTimer)
    while (this.running !== null) await this.running
    const state = this.store.getState()
    if (!isDirty(state) || state.saveState === 'conflict') return
    this.running = this.attempt(state)
    await this.running
    this.running = null
  }

  /** What is not saved now stays in the journal. */
  stop(): void {
    this.isStopped = true
    clearTimeout(this.saveTimer)
    if (this.journalTimer !== undefined) this.note()
  }

  private later(delayMs: number): void {
    clearTimeout(this.saveTimer)
    if (!this.isStopped) this.saveTimer = setTimeout(() => void this.save(), delayMs)
  }

  private async attempt(state: EditorState): Promise<void> {
    const { document, layout, text, file, saved, show } = state
    show({ saveState: 'saving' })
    try {
      const sent = { id: file.id, revision: saved.revision, text: textOf(state), layout }
      const { revision } = await this.send(sent)
      this.failures = 0
      show({ saved: { document, layout, text, revision } })
      if (isDirty(this.store.getState())) show({ saveState: 'waiting' })
      // Nobody listens any more; the journal must not hold what is saved.
      if (this.isStopped) this.note()
    } catch (error) {
      this.failed(error)
    }
  }

  private failed(error: unknown): void {
    const { show } = this.store.getState()
    const isConflict = error instanceof CallError && error.name === 'network_changed'
    show({ saveState: isConflict ? 'conflict' : 'failed' })
    if (!(error instanceof NetworkError)) return
    this.later(retryMs[Math.min(this.failures, retryMs.length - 1)] ?? saveDelayMs)
    this.failures += 1
  }

  private note(): void {
    clearTimeout(this.journalTimer)
    this.journalTimer = undefined
    const state = this.store.getState()
    const { file, saved, document, layout, text } = state
    const { revision } = saved
    const work = isDirty(state)
      ? this.journal.write({ id: file.id, revision, document, layout, text, at: Date.now() })
      : this.journal.remove(file.id)
    // A full or forbidden browser store: saving to the server goes on.
    work.catch((error: unknown) => console.error(error))
  }
}

function isDirty(state: EditorState): boolean {
  return !isSame(state, state.saved)
}

function isSame(a: Step, b: Step): boolean {
  return a.document === b.document && a.layout === b.layout && a.text === b.text
}
