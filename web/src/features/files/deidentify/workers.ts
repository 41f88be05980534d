/** A few workers that take one file after the other; they end with the batch. */
import type { Outcome } from './one-file.ts'

type Crew = { treat(file: File): Promise<Outcome>; end(): void }

const mostWorkers = 4
/** Files from this size on are treated one at a time: each is in memory for a moment. */
const largeBytes = 64 * 1024 * 1024

export function hireCrew(key: Uint8Array, fileCount: number): Crew {
  if (typeof Worker === 'undefined') return { treat: (file) => treatHere(file, key), end: () => {} }
  const size = Math.max(1, Math.min(mostWorkers, fileCount, (navigator.hardwareConcurrency || 2) - 1))
  const all = Array.from({ length: size }, startWorker)
  const idle = [...all]
  const waiting: ((worker: Worker) => void)[] = []
  const release = (worker: Worker) => {
    const next = waiting.shift()
    if (next) next(worker)
    else idle.push(worker)
  }
  const treat = async (file: File) => {
    const worker = idle.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)))
    try {
      return await ask(worker, { file, key })
    } finally {
      release(worker)
    }
  }
  let large: Promise<unknown> = Promise.resolve()
  return {
    treat(file) {
      if (file.size < largeBytes) return treat(file)
      const treated = large.then(() => treat(file))
      large = treated.catch(() => {})
      return treated
    },
    end() {
      for (const worker of all) worker.terminate()
    },
  }
}

const startWorker = () => new Worker(new URL('./deidentify.worker.ts', import.meta.url), { type: 'module' })

function ask(worker: Worker, task: { file: File; key: Uint8Array }): Promise<Outcome> {
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<Outcome>) => resolve(data)
    worker.onerror = () => resolve({ kind: 'refused', reason: 'unreadable' })
    worker.postMessage(task)
  })
}

async function treatHere(file: File, key: Uint8Array): Promise<Outcome> {
  const [{ treatFile }, { memorySource }] = await Promise.all([
    import('./one-file.ts'),
    import('./source.ts'),
  ])
  return treatFile(async () => memorySource(new Uint8Array(await file.arrayBuffer())), key)
}
