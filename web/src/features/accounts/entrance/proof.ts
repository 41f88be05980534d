import type { Challenge, ChallengePurpose, Proof } from '@neuroloom/contract/accounts/accounts'
import { call } from '../../../lib/api.ts'

/** A puzzle of the server on its way to a proof: asked for at once, solved when somebody drags. */
export type Puzzling = { isUsable: () => boolean; prove: () => Promise<string> }

export function startPuzzling(purpose: ChallengePurpose, account = ''): Puzzling {
  let expiresAt = Number.POSITIVE_INFINITY
  const challenge = call('user/challenge', { purpose, ...(account && { account }) }, { quiet: true })
  challenge.then(
    (given) => {
      expiresAt = given.expiresAt
    },
    () => {
      expiresAt = 0
    },
  )
  let proof: Promise<string> | undefined
  return {
    isUsable: () => Date.now() < expiresAt,
    prove: () => {
      proof ??= challenge.then(answerOf)
      return proof
    },
  }
}

async function answerOf(puzzle: Challenge): Promise<string> {
  const number = await solveAside(puzzle)
  return JSON.stringify({ ...puzzle, number } satisfies Proof)
}

/** In a worker, so that the slider keeps following the finger. */
async function solveAside(puzzle: Challenge): Promise<number> {
  if (typeof Worker === 'undefined') return (await import('./solve.ts')).solve(puzzle)
  const worker = new Worker(new URL('./solve.worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<number>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<number>) => resolve(data)
      worker.onerror = (event) => reject(new Error(event.message))
      worker.postMessage(puzzle)
    })
  } finally {
    worker.terminate()
  }
}
