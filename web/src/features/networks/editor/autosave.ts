/** Saves a while after the last change, keeps trying, and writes the journal meanwhile. Shows nothing itself. */
import type { Body } from '@neuroloom/contract/calls'
import { CallError, NetworkError } from '../../../lib/api.ts'
import { keepBeforeReload } from '../../../lib/reload.ts'
import type { Journal } from './journal.ts'
import { type EditorState, type EditorStore, type Step, textOf } from './store.ts'

const saveDelayMs = 1500
const journalDelayMs = 250
/** The server cannot be reached: next tries. */
const retryMs = [3000, 6000, 12_000, 30_000] as const

export interface Saving {
  /** The network was saved somewhere, perhaps from here. */
  heard: (revision: number) => Promise<void>
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
  const release = keepBeforeReload(() => autosave.keep())
  const handleGone = () => void autosave.keep()
  window.addEventListener('online', handleOnline)
  window.addEventListener('pagehide', handleGone)
  document.addEventListener('visibilitychange', handleHide)
  if (isDirty(store.getState())) autosave.changed()
  return {
    heard: (revision) => autosave.heard(revision),
    flush: () => autosave.save(),
    stop: () => {
      unsubscribe()
      release()
      window.removeEventListener('pagehide', handleGone)
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
  private noting: Promise<void> = Promise.resolve()
  private failures = 0
  private isStopped = false

  constructor(store: EditorStore, journal: Journal, send: Send) {
    this.store = store
    this.journal = journal
    this.send = send
  }

  changed(): void {
    this.journalTimer ??= setTimeout(() => void this.note(), journalDelayMs)
    if (!isDirty(this.store.getState())) {
      clearTimeout(this.saveTimer)
      const { saveState, show } = this.store.getState()
      // Ended by a choice alone.
      if (saveState !== 'saved' && saveState !== 'conflict') show({ saveState: 'saved' })
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

  /** What was sent from here is told here, too: its answer may still be on its way. */
  async heard(revision: number): Promise<void> {
    while (this.running !== null) await this.running
    const { saved, saveState, show } = this.store.getState()
    if (revision <= saved.revision || saveState === 'conflict' || this.isStopped) return
    clearTimeout(this.saveTimer)
    show({ saveState: 'conflict' })
  }

  /** In the journal at once; a page that goes has no time to wait. */
  keep(): Promise<void> {
    return this.journalTimer === undefined ? this.noting : this.note()
  }

  /** What is not saved now stays in the journal. */
  stop(): void {
    this.isStopped = true
    clearTimeout(this.saveTimer)
    if (this.journalTimer !== undefined) void this.note()
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
      if (this.isStopped) void this.note()
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

  private note(): Promise<void> {
    clearTimeout(this.journalTimer)
    this.journalTimer = undefined
    const state = this.store.getState()
    const { file, saved, document, layout, text } = state
    const { revision } = saved
    const work = isDirty(state)
      ? this.journal.write({ id: file.id, revision, document, layout, text, at: Date.now() })
      : this.journal.remove(file.id)
    // A full or forbidden browser store: saving to the server goes on.
    this.noting = work.catch((error: unknown) => console.error(error))
    return this.noting
  }
}

function isDirty(state: EditorState): boolean {
  return !isSame(state, state.saved)
}

function isSame(a: Step, b: Step): boolean {
  return a.document === b.document && a.layout === b.layout && a.text === b.text
}
