/** What can wait until the page has nothing else to do. */
import { useEffect } from 'react'

/** Even a busy page gets to it. */
const mostMs = 600

/** Not every browser tells. The answer calls it off. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout: mostMs })
    return () => cancelIdleCallback(id)
  }
  const timer = setTimeout(work, 0)
  return () => clearTimeout(timer)
}

interface Part {
  load: () => Promise<unknown>
}

/** Fetches parts that will probably be asked for next, one after the other. `parts` never changes. */
export function useQuietFetch(parts: readonly Part[]): void {
  useEffect(() => {
    if (isFrugal()) return
    let cancel = () => {}
    const next = (k: number) => {
      cancel = whenIdle(() => {
        // What does not come now comes when it is asked for, where its absence is told.
        parts[k]?.load().then(
          () => next(k + 1),
          () => undefined,
        )
      })
    }
    next(0)
    return () => cancel()
  }, [parts])
}

/** Who saves data, or has a slow line, fetches only what is asked for. */
function isFrugal(): boolean {
  const { connection } = navigator as Navigator & {
    connection?: { saveData?: boolean; effectiveType?: string }
  }
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '')
}
