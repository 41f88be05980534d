import { useEffect, useRef, useState } from 'react'
import type { FlowWorker } from '../viewer/numbers/ask-worker.ts'
import type { SpaceAsk } from '../viewer/numbers/asks.ts'
import type { SpaceLines } from './numbers/streams.ts'

type Wanted = {
  ask: Omit<SpaceAsk, 'frame'>
  /** The moment that is seen, of so many. */
  frame: number
  frames: number
  /** False asks nothing, and keeps what was made. */
  isOn: boolean
}
type Made = { key: string; lines: Map<number, SpaceLines>; fault: 'too_many' | 'failed' | null }

export type Frames = {
  /** Of the moment that is seen; until they are made, the last ones. */
  lines: SpaceLines | null
  fault: Made['fault']
  /** Moments that can be played without waiting. */
  ready: number
}

/** Streamlines of all moments: of the one that is seen first, then of those behind it, one question at a time. */
export function useFrames(worker: FlowWorker, wanted: Wanted): Frames {
  const key = JSON.stringify(wanted.ask)
  const newest = useRef({ ...wanted, key })
  newest.current = { ...wanted, key }
  const made = useRef<Made>({ key: '', lines: new Map(), fault: null })
  const last = useRef<SpaceLines | null>(null)
  const isBusy = useRef(false)
  // Of the page, not of one effect: the loop that is under way goes on with what is asked next.
  const isThere = useRef(false)
  const [, setCount] = useState(0)
  const { frame, isOn } = wanted

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all of the question, and the loop reads the newest one
  useEffect(() => {
    isThere.current = true
    const next = (): { key: string; ask: SpaceAsk } | null => {
      const now = newest.current
      if (!isThere.current || !now.isOn) return null
      if (made.current.key !== now.key) made.current = { key: now.key, lines: new Map(), fault: null }
      const missing = missingFrame(made.current.lines, now)
      return missing === null || made.current.fault
        ? null
        : { key: now.key, ask: { ...now.ask, frame: missing } }
    }
    const run = async () => {
      if (isBusy.current) return
      isBusy.current = true
      for (let one = next(); one !== null; one = next()) {
        const answer = await worker.ask('space', one.ask).catch((error: unknown) => {
          console.error(error)
          return 'failed' as const
        })
        const isNewest = made.current.key === one.key
        if (typeof answer !== 'string') last.current = answer
        if (isNewest && typeof answer === 'string') made.current.fault = answer
        if (isNewest && typeof answer !== 'string') made.current.lines.set(one.ask.frame, answer)
        setCount((count) => count + 1)
      }
      isBusy.current = false
    }
    void run()
    return () => {
      isThere.current = false
    }
  }, [worker, key, frame, isOn])

  const { lines, fault } = made.current.key === key ? made.current : { lines: null, fault: null }
  const shown = lines?.get(frame) ?? last.current
  if (shown) last.current = shown
  return { lines: shown, fault, ready: lines?.size ?? 0 }
}

function missingFrame(lines: ReadonlyMap<number, SpaceLines>, { frame, frames }: Wanted): number | null {
  for (let ahead = 0; ahead < frames; ahead++) {
    const next = (frame + ahead) % frames
    if (!lines.has(next)) return next
  }
  return null
}
