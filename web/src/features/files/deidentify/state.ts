/** What the member has chosen and what is to be told: on or off, files that need a word, what the last uploads gave. */
import { useSyncExternalStore } from 'react'
import type { RefusalReason } from './refusal.ts'

export type RefusedFile = { path: string; reason: RefusalReason }
export type Answer = 'leaveOut' | 'send'

/** Of files that are on their way or have been sent since the list was last cleared. */
export type Summary = {
  treated: number
  /** Paths of pictures that may hold letters. */
  burnedIn: string[]
  /** Paths whose names named the patient. */
  renamed: number
  leftOut: number
  sentAsTheyAre: number
}

export type State = {
  /** Until the page is left: it never stays off by itself. */
  isOn: boolean
  question: RefusedFile[] | null
  summary: Summary | null
}

let state: State = { isOn: true, question: null, summary: null }
let answerQuestion: ((answer: Answer) => void) | null = null
let lastQuestion: Promise<unknown> = Promise.resolve()
const listeners = new Set<() => void>()

export const deidentification = {
  current: () => state,

  turn(isOn: boolean) {
    change({ isOn })
  },

  /** One question at a time; a second upload waits for the answer to the first. */
  async ask(files: RefusedFile[], signal: AbortSignal | undefined): Promise<Answer> {
    const before = lastQuestion
    const asked = before.then(() => askNow(files, signal))
    lastQuestion = asked.catch(() => {})
    return asked
  },

  answer(answer: Answer) {
    answerQuestion?.(answer)
  },

  add(more: Summary) {
    const sum = state.summary ?? { treated: 0, burnedIn: [], renamed: 0, leftOut: 0, sentAsTheyAre: 0 }
    change({
      summary: {
        treated: sum.treated + more.treated,
        burnedIn: [...sum.burnedIn, ...more.burnedIn],
        renamed: sum.renamed + more.renamed,
        leftOut: sum.leftOut + more.leftOut,
        sentAsTheyAre: sum.sentAsTheyAre + more.sentAsTheyAre,
      },
    })
  },

  clear() {
    change({ summary: null })
  },
}

export const useDeidentification = (): State => useSyncExternalStore(subscribe, deidentification.current)

function askNow(files: RefusedFile[], signal: AbortSignal | undefined): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const end = () => {
      answerQuestion = null
      signal?.removeEventListener('abort', giveUp)
      change({ question: null })
    }
    const giveUp = () => {
      end()
      reject(signal?.reason)
    }
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', giveUp)
    answerQuestion = (answer) => {
      end()
      resolve(answer)
    }
    change({ question: files })
  })
}

function change(part: Partial<State>) {
  state = { ...state, ...part }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
