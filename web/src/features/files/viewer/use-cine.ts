import { useEffect, useRef, useState } from 'react'
import { nextOf, ratesOf, type Way } from './cine.ts'

type CineOptions = {
  count: number
  index: number
  show: (index: number) => void
  frameSeconds: number | null
}

/** Plays points in time, frames or slices. */
export function useCine({ count, index, show, frameSeconds }: CineOptions) {
  const { rates, first } = ratesOf(frameSeconds)
  const [isWanted, setIsWanted] = useState(false)
  const [rate, setRate] = useState(first)
  const [way, setWay] = useState<Way>('round')
  const isForth = useRef(true)
  const latest = useRef({ index, show })
  useEffect(() => {
    latest.current = { index, show }
  })
  const isPlaying = isWanted && count > 1
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(() => {
      const next = nextOf({ index: latest.current.index, isForth: isForth.current }, count, way)
      isForth.current = next.isForth
      latest.current.show(next.index)
    }, 1000 / rate)
    return () => clearInterval(timer)
  }, [isPlaying, count, rate, way])
  const step = (by: number) => {
    setIsWanted(false)
    show((index + by + count) % count)
  }
  return { isPlaying, play: () => setIsWanted(!isPlaying), step, rate, rates, setRate, way, setWay }
}

export type Cine = ReturnType<typeof useCine>
