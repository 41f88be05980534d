import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

type WindowRows = {
  list: RefObject<HTMLElement | null>
  count: number
  /** Pixels of a row that was not drawn yet. */
  rowHeight: number
  /** Told when the last rows come near. */
  onEnd: () => void
}

/** Draws of a long list only the rows near the window, and says when more are wanted. */
export function useWindowRows({ list, count, rowHeight, onEnd }: WindowRows) {
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setScrollMargin((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [list])
  const rows = useWindowVirtualizer({ count, estimateSize: () => rowHeight, overscan: 12, scrollMargin })
  const drawn = rows.getVirtualItems()
  const last = drawn.at(-1)?.index ?? -1
  useEffect(() => {
    // A page ahead: whoever scrolls fast should not see the end of what is loaded.
    if (count > 0 && last >= count - AHEAD) onEnd()
  }, [last, count, onEnd])
  return { drawn, height: rows.getTotalSize(), scrollMargin, measureElement: rows.measureElement }
}

const AHEAD = 60
