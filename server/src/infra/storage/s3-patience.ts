/** Which failures of an S3 store pass, how often and how long to wait for that, and what is said of those that do not. */
import { setTimeout as wait } from 'node:timers/promises'

/** How long to wait and how often to try; tests are in a hurry. */
export type Patience = { [K in 'idleMs' | 'attempts' | 'retryMs' | 'partBytes']: number }

/** A request that failed for good. Says what the store said, and never holds the request with its signature. */
export class StoreFailure extends Error {
  readonly code: string
  /** The store may well do it later: callers answer "busy". */
  readonly statusCode: 503 | 500
  constructor(what: string, cause: unknown) {
    const { name, message, code } = said(cause)
    super(`S3, ${what}: ${name}${message && message !== name ? `: ${message}` : ''}`)
    this.code = code ?? name
    this.statusCode = isPassing(cause) || name === 'AbortError' ? 503 : 500
  }
}

type Trying = { what: string; patience: Patience; signal: AbortSignal | undefined }

export async function withPatience<T>(
  { what, patience, signal }: Trying,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= patience.attempts || signal?.aborted || !isPassing(error)) {
        throw new StoreFailure(what, error)
      }
      await pause(attempt, patience, signal)
    }
  }
}

/** Longer each time, and not the same for all who failed together. Ends early, without a word, when nobody waits any more. */
export const pause = (
  attempt: number,
  { retryMs }: Patience,
  signal: AbortSignal | undefined,
): Promise<unknown> =>
  wait(retryMs * 3 ** (attempt - 1) * (0.5 + Math.random()), undefined, signal ? { signal } : {}).catch(
    () => undefined,
  )

/** A cut line, a busy or broken store: another attempt may succeed. */
export function isPassing(error: unknown): boolean {
  if (error instanceof StoreFailure) return error.statusCode === 503
  const { status, name, code } = said(error)
  // The store did not get all bytes in time: an answer of kind 400.
  if (name === 'RequestTimeout') return true
  if (status !== undefined) return status >= 500 || status === 429 || status === 408
  return name === 'TimeoutError' || (code !== undefined && lineCodes.has(code))
}

const lineCodes = new Set([
  ...['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ERR_STREAM_PREMATURE_CLOSE', 'UND_ERR_SOCKET'],
])

type Said = { name: string; message: string; code: string | undefined; status: number | undefined }

/** Errors of the client hang requests and keys on themselves: only these four are taken. */
function said(error: unknown): Said {
  if (!(error instanceof Error))
    return { name: 'Error', message: String(error), code: undefined, status: undefined }
  const { name, message } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const metadata = '$metadata' in error ? error.$metadata : null
  const isAnswer = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
  return { name, message, code, status: isAnswer ? Number(metadata.httpStatusCode) : undefined }
}
