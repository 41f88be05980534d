/** The network in a worker of its own, which may be ended in the middle of a picture. Draws nothing. */
import type { FailureName } from './failure.ts'
import type { Answer } from './network.ts'
import type { Shown } from './shown.ts'

export type Question = { network: Uint8Array } | { file: Blob } | { turn: true }

export type Reply =
  | { kind: 'picture'; shown: Shown }
  | { kind: 'part'; done: number; of: number }
  | { kind: 'answer'; answer: Answer; milliseconds: number }
  | { kind: 'failure'; failure: FailureName }

export type Asker = {
  ask(question: { file: Blob } | { turn: true }): void
  end(): void
}

/** Gives the worker a copy of the network's bytes, which it may change. */
export function startAsker(network: Uint8Array, onReply: (reply: Reply) => void): Asker {
  const worker = new Worker(new URL('./try.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<Reply>) => onReply(data)
  worker.onerror = () => onReply({ kind: 'failure', failure: 'unexpected' })
  const send = (question: Question) => worker.postMessage(question)
  send({ network })
  return { ask: send, end: () => worker.terminate() }
}
