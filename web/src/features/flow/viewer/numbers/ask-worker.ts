/** The page's end of the worker: questions in, promises out. */
import type { Asks, FromWorker, ToWorker } from './asks.ts'

export type FlowWorker = {
  ask: <Kind extends keyof Asks>(kind: Kind, ask: Asks[Kind]['ask']) => Promise<Asks[Kind]['answer']>
  /** Stops what is under way, too. */
  end: () => void
}

type Progress = (loaded: number, whole: number | null) => void

export function startWorker(onProgress: Progress): FlowWorker {
  const worker = new Worker(new URL('./flow.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()
  let next = 0
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if ('loaded' in data) return onProgress(data.loaded, data.whole)
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if ('failure' in data) asked?.reject(new Error(data.failure))
    // The worker answers what was asked: the table of asks is its contract.
    else asked?.resolve(data.answer as never)
  }
  worker.onerror = () => {
    for (const { reject } of waiting.values()) reject(new Error('the worker ended'))
    waiting.clear()
  }
  return {
    ask: (kind, ask) =>
      new Promise((resolve, reject) => {
        const id = next++
        waiting.set(id, { resolve, reject })
        // One of the table's pairs; the checker loses that they belong together.
        worker.postMessage({ id, kind, ask } as ToWorker)
      }),
    end: () => worker.terminate(),
  }
}
