/** Fetches files behind links; knows nothing of what is in them. */
import i18next from 'i18next'
import { NetworkError } from './api.ts'

/** All bytes behind a short-lived link, which is the permission; null where the server refuses it. */
export const bytesBehind = (url: string, signal: AbortSignal): Promise<ArrayBuffer | null> =>
  fetchBytes({ url, signal })

type Fetched = {
  url: string
  signal: AbortSignal
  /** Hears how much of it has come, from 0 to 1, where the server says how much there is. */
  onShare?: (share: number) => void
}

/** The same, for what takes its time. */
export async function fetchBytes({ url, signal, onShare }: Fetched): Promise<ArrayBuffer | null> {
  try {
    const response = await fetch(url, { signal })
    if (response.ok) return await (onShare ? counted(response, onShare) : response).arrayBuffer()
    if (response.status < 500) return null
    throw new TypeError(String(response.status))
  } catch (error) {
    if (signal.aborted) throw error
    await i18next.loadNamespaces('common')
    throw new NetworkError(i18next.t('common:failure.network'), { cause: error })
  }
}

function counted(response: Response, onShare: (share: number) => void): Response {
  const total = Number(response.headers.get('content-length') ?? 0)
  if (!response.body || !(total > 0)) return response
  let come = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, stream) {
      come += part.length
      onShare(Math.min(come / total, 1))
      stream.enqueue(part)
    },
  })
  return new Response(response.body.pipeThrough(count))
}
