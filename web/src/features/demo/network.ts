/** The network in a worker of its own: asked with pictures, answers the newest one. Draws nothing. */
import type { Answer } from './inference.ts'

export type Request = { pixels: Uint8ClampedArray }
export type Reply = { answer: Answer } | { failure: string }

export type Network = {
  /** While it is busy only the last picture waits. */
  ask(pixels: Uint8ClampedArray): void
  end(): void
}

type Listener = { onAnswer: (answer: Answer) => void; onFailure: (reason: string) => void }

export function startNetwork({ onAnswer, onFailure }: Listener): Network {
  const worker = new Worker(new URL('./network.worker.ts', import.meta.url), { type: 'module' })
  let isBusy = false
  let waiting: Uint8ClampedArray | null = null
  const send = (pixels: Uint8ClampedArray): void => {
    isBusy = true
    waiting = null
    worker.postMessage({ pixels } satisfies Request)
  }
  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    if ('failure' in data) return onFailure(data.failure)
    isBusy = false
    if (waiting) send(waiting)
    onAnswer(data.answer)
  }
  worker.onerror = (event) => onFailure(event.message)
  return {
    ask(pixels) {
      if (isBusy) waiting = pixels
      else send(pixels)
    },
    end: () => worker.terminate(),
  }
}
