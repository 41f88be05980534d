/** Where a conversation is scrolled to: at its end while one reads there, and in place while history is added above. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { observeSeen } from '../../../ui/hooks/seen-rect.ts'

/** So near to an edge counts as there. */
const NEAR_PX = 48
/** Of a row that was not drawn yet. */
const ROW_PX = 56
/** Above the first row, whatever stands there: the button for what is earlier, the day, the line above what is unread. */
export const HEAD_PX = 100
const FOOT_PX = 16
/** Rows that are drawn beyond what is seen, on either side. */
const BEYOND = 20

type Options = {
  keys: readonly (string | number)[]
  firstId: number
  lastId: number
  /** Changes with everything that is shown below the stored messages. */
  pendingCount: number
  /** The newest message is among those that are shown. */
  hasLatest: boolean
  /** The row where the conversation opens, the first unread one; null = the end. */
  startRow: number | null
  onTop: () => void
  onEnd: () => void
}

export function useScroll(options: Options) {
  const { keys, firstId, lastId, pendingCount, hasLatest, startRow, onTop, onEnd } = options
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const atEnd = useRef(true)
  /** The end is wished for, though what is there may still be on its way. */
  const isBound = useRef(false)
  const shown = useRef({ isFirst: true, pendingCount: 0, hasLatest: false })

  const rows = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: keys.length,
    getItemKey: (index) => keys[index] ?? index,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    initialOffset: () => HEAD_PX + (startRow ?? keys.length) * ROW_PX,
    paddingStart: HEAD_PX,
    paddingEnd: FOOT_PX,
    overscan: BEYOND,
    // What comes above leaves the rows that are seen where they are.
    anchorTo: 'end',
    scrollEndThreshold: NEAR_PX,
    observeElementRect: observeSeen,
  })
  const added = useAdded(keys)
  // As by default, but for the lines that come above and are seen at once: in the place of the head, when history is added.
  rows.shouldAdjustScrollPositionOnItemSizeChange = ({ key, index, start, end }, _, list) => {
    const offset = list.scrollOffset ?? 0
    if (list.itemSizeCache.has(key)) return end <= offset && list.scrollDirection !== 'backward'
    return start < offset || index < added.current
  }
  const scroller = useRef(rows)
  scroller.current = rows

  /** Also while newer messages are still being loaded. */
  const toEnd = useCallback(() => {
    isBound.current = true
    scroller.current.scrollToEnd()
  }, [])
  /** Before something further up is shown. */
  const leaveEnd = useCallback(() => {
    atEnd.current = false
    isBound.current = false
  }, [])
  const toRow = useCallback(
    (row: number) => {
      leaveEnd()
      scroller.current.scrollToIndex(row, { align: 'center' })
    },
    [leaveEnd],
  )

  // Before the eye sees the new lines.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part of the history, or a newer message, changes the ids alone.
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { isFirst: false, pendingCount, hasLatest }
    const hasOwn = pendingCount > before.pendingCount
    const isFollowing = atEnd.current && before.hasLatest
    if (before.isFirst && startRow !== null) toRow(startRow)
    else if (before.isFirst || hasOwn || isBound.current || isFollowing) scroller.current.scrollToEnd()
    if (hasLatest) isBound.current = false
  }, [firstId, lastId, pendingCount, hasLatest])

  // A field that grows takes height from the conversation: its end stays in sight.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (atEnd.current) scroller.current.scrollToEnd()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const onScroll = () => {
    const element = box.current
    if (!element) return
    atEnd.current = element.scrollTop + element.clientHeight > element.scrollHeight - NEAR_PX
    setIsAtEnd(atEnd.current)
    // Where nothing can be scrolled, a button loads more.
    if (element.scrollTop < NEAR_PX && element.scrollHeight > element.clientHeight) onTop()
    if (atEnd.current) onEnd()
  }

  return { box, rows, isAtEnd, onScroll, toEnd, toRow, leaveEnd }
}

/** How many rows were just added above those that were there: until they are drawn and measured. */
function useAdded(keys: Options['keys']) {
  const [first] = keys
  const count = useRef(0)
  const before = useRef(first)
  if (before.current !== first) {
    count.current = before.current === undefined ? 0 : Math.max(0, keys.indexOf(before.current))
    before.current = first
  }
  // Some are drawn only once the list has moved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that rows were added.
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        count.current = 0
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [first])
  return count
}
