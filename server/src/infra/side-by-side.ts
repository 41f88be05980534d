/** Does a few things at once. After a failure it begins no further one, waits for those under way, and fails. */
export async function sideBySide<T>(
  things: AsyncIterable<T> | Iterable<T>,
  atOnce: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const waiting = each(things)
  let hasFailed = false
  const workOn = async (): Promise<void> => {
    for (let next = await waiting.next(); !next.done && !hasFailed; next = await waiting.next()) {
      await work(next.value)
    }
  }
  const workers = Array.from({ length: atOnce }, () =>
    workOn().catch((error: unknown) => {
      hasFailed = true
      throw error
    }),
  )
  for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason
}

async function* each<T>(things: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* things
}
