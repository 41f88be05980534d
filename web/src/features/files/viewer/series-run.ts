/** Which slice of a series is seen, and the way to the others: told by the image to the window around it. */
import { createContext, useContext, useEffect, useRef } from 'react'

export type SeriesRun = {
  /** The series' own name; '' = it has none. */
  description: string
  /** From 0. */
  slice: number
  count: number
  go: (by: number) => void
  /** What ← and → do: points in time where there are any, else slices. */
  turn: (by: number) => void
}

/** Nobody listens to images without a window of their own, or beside another. */
export const SeriesRunContext = createContext<(run: SeriesRun | null) => void>(() => undefined)

/** Null while there is no series to go through. */
export function useToldRun(run: SeriesRun | null): void {
  const tell = useContext(SeriesRunContext)
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  const isThere = run !== null
  const { description = '', slice = 0, count = 0 } = run ?? {}
  useEffect(() => {
    if (!isThere) return
    tell({
      ...{ description, slice, count },
      go: (by) => latest.current?.go(by),
      turn: (by) => latest.current?.turn(by),
    })
  }, [tell, isThere, description, slice, count])
  useEffect(() => {
    if (!isThere) return
    return () => tell(null)
  }, [tell, isThere])
}
