/** Fetches files behind links; knows nothing of what is in them. */
import i18next from 'i18next'
import { NetworkError } from './api.ts'

/** All bytes behind a short-lived link, which is the permission; null where the server refuses it. */
export async function bytesBehind(url: string, signal: AbortSignal): Promise<ArrayBuffer | null> {
  try {
    const response = await fetch(url, { signal })
    if (response.ok) return await response.arrayBuffer()
    if (response.status < 500) return null
    throw new TypeError(String(response.status))
  } catch (error) {
    if (signal.aborted) throw error
    await i18next.loadNamespaces('common')
    throw new NetworkError(i18next.t('common:failure.network'), { cause: error })
  }
}
