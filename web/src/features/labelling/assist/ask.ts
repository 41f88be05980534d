/** Asks the worker of the assists; it starts with the first question. */
import type { jobs } from './jobs.ts'

type Jobs = typeof jobs
type Waiting = { resolve: (answer: never) => void; reject: (error: Error) => void }

let worker: Worker | null = null
let last = 0
const waiting = new Map<number, Waiting>()

export function ask<Name extends keyof Jobs>(
  name: Name,
  given: Parameters<Jobs[Name]>[0],
): Promise<ReturnType<Jobs[Name]>> {
  worker ??= begin()
  const id = ++last
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    worker?.postMessage({ id, name, given })
  })
}

function begin(): Worker {
  const begun = new Worker(new URL('./assist.worker.ts', import.meta.url), { type: 'module' })
  begun.onmessage = ({ data: { id, answer, failure } }) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    // The worker answers what the job of that name gives.
    if (failure === undefined) asked?.resolve(answer as never)
    else asked?.reject(new Error(failure))
  }
  begun.onerror = () => {
    worker = null
    for (const { reject } of waiting.values()) reject(new Error('the worker of the assists ended'))
    waiting.clear()
  }
  return begun
}
