/** The one upload engine of this tab, wired to the product's calls, and the hook through which components see it. */
import type { BUNDLE_PATH, UPLOAD_PATH } from '@neuroloom/contract/uploads'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { apiRoot } from '../../../lib/address.ts'
import { CallError, call, headersFor } from '../../../lib/api.ts'
import { refreshPaths } from '../../../lib/query.ts'
import * as session from '../../../lib/session.ts'
import { prepareFiles } from '../deidentify/files.ts'
import { pack } from './pack.ts'
import { createBundler } from './upload-bundle.ts'
import type { Steps } from './upload-intake.ts'
import { forget, remember } from './upload-memory.ts'
import { createSender, type Reason } from './upload-send.ts'
import { UploadStore, type UploadView } from './upload-store.ts'

// The contract's module carries schemas that must not reach the browser; the type keeps both ends equal.
const path = 'chunk/upload' satisfies typeof UPLOAD_PATH
const endpoint = () => new URL(apiRoot + path, window.location.href).href
const bundlePath = 'chunk/bundle' satisfies typeof BUNDLE_PATH
const bundleEndpoint = () => new URL(apiRoot + bundlePath, window.location.href).href

/** Patient data goes out of DICOM files first; what resists is left out as the member says. */
export const clean: Steps['clean'] = async (picked, { signal, onProgress }) => {
  const { files, refused } = await prepareFiles(picked, {
    signal,
    onProgress: ({ done, total }) => onProgress(total > 0 ? done / total : 1),
  })
  return {
    files,
    refused: refused.map((one) => ({ path: one.path, reason: { name: `left:${one.reason}`, params: {} } })),
  }
}

export const uploads = new UploadStore({
  prepare: (body) => call('files/prepare', body, { quiet: true }),
  cancel: (numbers) => call('files/cancel', { uploads: numbers }, { quiet: true }),
  send: createSender({ endpoint, headers: () => headersFor(path) }),
  sendMany: createBundler({ endpoint: bundleEndpoint, headers: () => headersFor(bundlePath) }),
  locationOf: (upload) => `${endpoint()}/${upload}`,
  reasonOf,
  steps: {
    clean,
    pack,
    // Fetched with the first upload.
    look: async (picked, options) => (await import('./upload-look.ts')).lookAt(picked, options),
  },
  onBatch: (batch, { handles, packedName }) => {
    const userId = session.user()?.id
    if (userId && handles.length > 0) void remember({ batch, userId, handles, packed: packedName })
  },
  onBatchEnded: (batch) => void forget(batch),
})

/** Uploads are a member's: they wait when nobody is signed in and are gone from here for anybody else. */
const watchMember = () => uploads.belongTo(session.user()?.id ?? null)
session.subscribe(watchMember)

export function useUploads(): UploadView {
  return useSyncExternalStore(uploads.subscribe, uploads.view)
}

/** Mounted once: keeps lists fresh, holds back a careless closing of the tab, and hears when the line is back. */
export function useUploadHousekeeping(): void {
  const { isBusy, revision } = useUploads()
  const queries = useQueryClient()

  useEffect(watchMember, [])

  useEffect(() => {
    if (revision > 0) refreshPaths(queries, ['files/list', 'user/size', 'files/unpacks'])
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

export function reasonOf(error: unknown): Reason {
  if (error instanceof CallError) return { name: error.name, params: error.params }
  return { name: error instanceof Error && error.name !== 'network' ? 'unreadable' : 'network', params: {} }
}
