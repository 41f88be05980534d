/** Where everybody looks in a case round: the leader's moves on their way out, and those that are heard. Draws nothing. */
import type { RoundState } from '@neuroloom/contract/social/rounds'

/** Leads; sees what the leader sees; or looks around alone. */
export type RoundMode = 'lead' | 'follow' | 'free'
type News = { stateCount: number; state: RoundState }

export type RoundSync = {
  now: () => RoundState
  /** What came last counts, whichever way it came. */
  receive: (news: News) => void
  /** The image was moved on this page: the leader tells it, whoever follows is brought back. */
  move: (part: RoundState) => void
  hear: (listener: (state: RoundState) => void) => () => void
  setMode: (mode: RoundMode) => void
}

type Options = {
  /** Answers the highest number that is known there. */
  send: (news: News) => Promise<number>
  /** Between two sendings. */
  pauseMs: number
}

export function makeSync({ send, pauseMs }: Options): RoundSync {
  let count = 0
  let state: RoundState = {}
  let mode: RoundMode = 'follow'
  let isSending = false
  let isWaiting = false
  const listeners = new Set<(state: RoundState) => void>()
  const tellAll = () => {
    for (const listener of listeners) listener(state)
  }
  /** One at a time; what is moved meanwhile goes with the next. */
  const flush = async (): Promise<void> => {
    if (isSending) {
      isWaiting = true
      return
    }
    isSending = true
    // Counted before the answer: the own news may be heard earlier, and must not lead back.
    count += 1
    try {
      count = Math.max(count, await send({ stateCount: count, state }))
    } catch {
      // The call has told why; the next move tries again.
    }
    setTimeout(() => {
      isSending = false
      if (!isWaiting) return
      isWaiting = false
      if (mode === 'lead') void flush()
    }, pauseMs)
  }
  return {
    now: () => state,
    receive(news) {
      if (news.stateCount <= count) return
      count = news.stateCount
      state = news.state
      if (mode !== 'free') tellAll()
    },
    move(part) {
      if (mode === 'free') return
      if (mode === 'follow') return tellAll()
      state = { ...state, ...part }
      void flush()
    },
    hear(listener) {
      listeners.add(listener)
      listener(state)
      return () => listeners.delete(listener)
    },
    setMode(next) {
      if (next === mode) return
      mode = next
      if (next !== 'free') tellAll()
    },
  }
}
