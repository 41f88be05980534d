import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { useEffect, useRef, useState } from 'react'
import { frameSeconds, isPeriodic } from './beat.ts'

/** Where nothing tells the time from frame to frame. */
const UNKNOWN_SECONDS = 0.1

type Playing = { head: FlowStudy; frame: number; setFrame: (frame: number) => void }
export type Play = ReturnType<typeof usePlay>

/** Frames one after the other, by the clock: what cannot be drawn in time is left out, so that a beat stays a beat. */
export function usePlay({ head, frame, setFrame }: Playing) {
  const [isPlaying, setPlaying] = useState(false)
  const [pace, setPace] = useState<1 | 0.25>(0.25)
  const start = useRef(frame)
  start.current = frame
  useEffect(() => {
    if (!isPlaying) return
    const step = (frameSeconds(head) ?? UNKNOWN_SECONDS) / pace
    const isRound = isPeriodic(head)
    const begin = !isRound && start.current === head.frames - 1 ? 0 : start.current
    const from = performance.now()
    let shown = -1
    let request = requestAnimationFrame(tick)
    function tick(now: number) {
      const gone = begin + Math.max(0, Math.floor((now - from) / 1000 / step))
      const next = isRound ? gone % head.frames : Math.min(gone, head.frames - 1)
      if (next !== shown) setFrame(next)
      shown = next
      if (!isRound && gone >= head.frames - 1) setPlaying(false)
      else request = requestAnimationFrame(tick)
    }
    return () => cancelAnimationFrame(request)
  }, [isPlaying, pace, head, setFrame])
  return {
    isPlaying,
    pace,
    setPace,
    toggle: () => setPlaying((before) => !before),
    stop: () => setPlaying(false),
  }
}
