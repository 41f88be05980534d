/** The one upload engine of this tab, wired to the product's calls, and the hook through which components see it. */
import type { UPLOAD_PATH } from '@neuroloom/contract/files'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { apiRoot } from '../../lib/address.ts'
import { CallError, call, headersFor } from '../../lib/api.ts'
import { refreshPaths } from '../../lib/query.ts'
import { createSender, type Reason } from './upload-send.ts'
import { UploadStore, type UploadView } from './upload-store.ts'

// The contract's module carries schemas that must not reach the browser; the type keeps both ends equal.
const path = 'chunk/upload' satisfies typeof UPLOAD_PATH

export const uploads = new UploadStore({
  prepare: (body) => call('files/prepare', body, { quiet: true }),
  cancel: (numbers) => call('files/cancel', { uploads: numbers }, { quiet: true }),
  send: createSender({
    endpoint: () => new URL(apiRoot + path, window.location.href).href,
    headers: () => headersFor(path),
  }),
  reasonOf,
})

export function useUploads(): UploadView {
  return useSyncExternalStore(uploads.subscribe, uploads.view)
}

/** Mounted once: keeps lists fresh, holds back a careless closing of the tab, and hears when the line is back. */
export function useUploadHousekeeping(): void {
  const { isBusy, revision } = useUploads()
  const queries = useQueryClient()

  useEffect(() => {
    if (revision > 0) refreshPaths(queries, ['files/list', 'user/size'])
  }, [revision, queries])

  useEffect(() => {
    if (!isBusy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isBusy])

  useEffect(() => {
    const wake = () => uploads.wake()
    window.addEventListener('online', wake)
    return () => window.removeEventListener('online', wake)
  }, [])
}

function reasonOf(error: unknown): Reason {
  if (error instanceof CallError) return { name: error.name, params: error.params }
  return { name: 'network', params: {} }
}
