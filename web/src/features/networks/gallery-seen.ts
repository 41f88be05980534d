import { type RefObject, useEffect, useState } from 'react'

/** True from the moment on at which an element first came near the window. */
export function useWasSeen(element: RefObject<HTMLElement | null>): boolean {
  const [wasSeen, setWasSeen] = useState(false)
  useEffect(() => {
    const { current } = element
    if (current === null || wasSeen) return
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setWasSeen(true)
      },
      { rootMargin: '200px' },
    )
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [element, wasSeen])
  return wasSeen
}
