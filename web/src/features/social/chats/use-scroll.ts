/** Where a conversation is scrolled to: at its end while one reads there, and in place while history is added above. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So near to an edge counts as there. */
const NEAR_PX = 48

type Options = {
  firstId: number
  lastId: number
  /** Changes with everything that is shown below the stored messages. */
  pendingCount: number
  /** Where the conversation opens: the first unread line; without one, the end. */
  startAt: RefObject<HTMLElement | null>
  onTop: () => void
  onEnd: () => void
}

export function useScroll({ firstId, lastId, pendingCount, startAt, onTop, onEnd }: Options) {
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const atEnd = useRef(true)
  const shown = useRef({ firstId: -1, pendingCount: 0, height: 0 })

  /** Also while newer messages are still being loaded. */
  const toEnd = useCallback(() => {
    atEnd.current = true
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [])
  /** Before something further up is shown. */
  const leaveEnd = useCallback(() => {
    atEnd.current = false
  }, [])

  // Before the eye sees the new lines.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer message changes `lastId` alone.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const before = shown.current
    const isFirst = before.firstId === -1
    const hasHistory = !isFirst && firstId < before.firstId
    const hasOwn = pendingCount > before.pendingCount
    if (isFirst && startAt.current) centre(element, startAt.current)
    else if (hasHistory) element.scrollTop += element.scrollHeight - before.height
    else if (isFirst || hasOwn || atEnd.current) element.scrollTop = element.scrollHeight
    shown.current = { firstId, pendingCount, height: element.scrollHeight }
  }, [firstId, lastId, pendingCount, startAt])

  // A field that grows takes height from the conversation: its end stays in sight.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight
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

  return { box, isAtEnd, onScroll, toEnd, leaveEnd }
}

/** Scrolls the conversation alone: the page around it stays where it is. */
export function centre(box: HTMLElement, line: Element): void {
  const { top, height } = line.getBoundingClientRect()
  box.scrollTop += top - box.getBoundingClientRect().top - (box.clientHeight - height) / 2
}
