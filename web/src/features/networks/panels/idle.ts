/** Does something when the page has nothing else to do; not every browser tells. The answer calls it off. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout: mostMs })
    return () => cancelIdleCallback(id)
  }
  const timer = setTimeout(work, 0)
  return () => clearTimeout(timer)
}

/** Even a busy page gets to it. */
const mostMs = 600
