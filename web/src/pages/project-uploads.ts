import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useUploads } from '../features/files/upload/uploads.ts'
import { call } from '../lib/api.ts'
import { refreshPaths } from '../lib/query.ts'

/** Uploads by the project that they were begun for; outlives the page, as the uploads do. */
const begunFor = new Map<number, string>()
const open: ReadonlySet<string> = new Set([
  'packing',
  'looking',
  'choosing',
  'cleaning',
  'preparing',
  'asking',
  'sending',
  'paused',
])

/** Projects of which a folder is being handed to the server, which is to look at it. */
let looking: readonly string[] = []
const listeners = new Set<() => void>()

export function beginFor(projectId: string, keys: readonly number[]): void {
  for (const key of keys) begunFor.set(key, projectId)
}

/** The folders on their way to a project. */
export function useProjectUploads(projectId: string) {
  const { jobs } = useUploads()
  return jobs.filter(({ key, state }) => begunFor.get(key) === projectId && open.has(state))
}

/** Not tied to a page: an upload that ends after the member has gone elsewhere is looked at all the same. */
export function useRecognise() {
  const queries = useQueryClient()
  return async (projectId: string, folderId: string): Promise<boolean> => {
    setLooking([...looking, projectId])
    try {
      await call('datasets/recognise', { projectId, folderId })
      return true
    } catch {
      // The call has said why.
      return false
    } finally {
      refreshPaths(queries, ['datasets/list', 'projects/detail', 'plans/shared'])
      setLooking(looking.filter((_, index) => index !== looking.indexOf(projectId)))
    }
  }
}

/** Whether a folder of the project is just being looked at. */
export const useIsLooking = (projectId: string): boolean =>
  useSyncExternalStore(subscribe, () => looking.includes(projectId))

function setLooking(next: readonly string[]): void {
  looking = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
