import { useRef } from 'react'
import { uploads, useUploads } from '../features/files/uploads.ts'

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

/**
 * The folders on their way to a project. `watchPick` goes around the button that picks one: what the upload engine
 * takes on between the picker's event going down and coming back up was picked there.
 */
export function useProjectUploads(projectId: string) {
  const { jobs } = useUploads()
  const known = useRef<readonly number[]>([])
  const keys = () => uploads.view().jobs.map(({ key }) => key)
  return {
    jobs: jobs.filter(({ key, state }) => begunFor.get(key) === projectId && open.has(state)),
    watchPick: {
      onChangeCapture: () => {
        known.current = keys()
      },
      onChange: () => {
        for (const key of keys()) if (!known.current.includes(key)) begunFor.set(key, projectId)
      },
    },
  }
}
