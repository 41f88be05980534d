import { useEffect, useRef, useState } from 'react'

type Running = {
  /** Of the whole; `now` goes from 0 to it and begins anew. */
  frames: number
  /** Of a frame, in seconds of the clock on the wall. */
  seconds: number
  isPlaying: boolean
}

/** Frames since the first particle was let go, as many pictures a second as the screen shows. */
export function useClock({ frames, seconds, isPlaying }: Running, start: number) {
  const [now, setNow] = useState(start)
  const latest = useRef(start)
  latest.current = now
  useEffect(() => {
    if (!isPlaying) return
    let from = performance.now()
    let request = requestAnimationFrame(tick)
    function tick(time: number) {
      const next = latest.current + Math.max(0, time - from) / 1000 / seconds
      from = time
      setNow(next > frames ? 0 : next)
      request = requestAnimationFrame(tick)
    }
    return () => cancelAnimationFrame(request)
  }, [frames, seconds, isPlaying])
  return { now: Math.min(now, frames), setNow }
}
