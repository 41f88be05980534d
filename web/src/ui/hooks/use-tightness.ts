/** How tightly a row must be set so that nothing leaves it: words differ in length from language to language, so no width of a window tells. */
import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'

/**
 * 0 = as the row likes to be, then one step more each time something still leaves it, up to `tightest`. What the steps
 * mean is the row's own business. `words`: whatever changes them, as the language.
 */
export function useTightness(row: RefObject<HTMLElement | null>, tightest: number, words: unknown): number {
  const [tightness, setTightness] = useState(0)
  const [, look] = useReducer((count: number) => count + 1, 0)
  const width = useRef(0)
  const wordsBefore = useRef(words)

  // Without a list: anything drawn anew may have grown. All steps are taken before the eye sees one.
  useLayoutEffect(() => {
    const isNew = wordsBefore.current !== words
    wordsBefore.current = words
    if (isNew && tightness > 0) return setTightness(0)
    const element = row.current
    if (!element || tightness >= tightest) return
    if (element.scrollWidth > element.clientWidth) setTightness(tightness + 1)
  })

  useEffect(() => {
    const element = row.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      // A part that grew may need another step; only a row that did has room for fewer.
      if (element.clientWidth === width.current) return look()
      width.current = element.clientWidth
      setTightness(0)
    })
    const observe = () => {
      for (const part of [element, ...element.children]) observer.observe(part)
    }
    observe()
    // A part that comes by itself, as one that waits for an answer, takes room from nobody who would notice.
    const comings = new MutationObserver(() => {
      observe()
      look()
    })
    comings.observe(element, { childList: true })
    return () => {
      observer.disconnect()
      comings.disconnect()
    }
  }, [row])

  return tightness
}
