/** Bounds how long something outside may take; what it does afterwards is its own affair. */

/** A provider that does not answer must not hold the page: calls end after 30 s. */
export const PROVIDER_MS = 10_000

export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DOMException(`No answer after ${limitMs} ms`, 'TimeoutError')),
      limitMs,
    )
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
