import type { TextScan } from '@neuroloom/contract/burned-in'
import type { Entry } from '@neuroloom/contract/files'
import { useNavigate } from 'react-router'
import { useAction } from '../../../lib/query.ts'

export const textsAddress = (id: string): string => `/cloudTexts?id=${encodeURIComponent(id)}`

/** Begins to look for texts in what was chosen, and goes to where that is shown. */
export function useSeekTexts(onBegun?: (scan: TextScan) => void): {
  seek: (entries: readonly Pick<Entry, 'id'>[]) => void
  isPending: boolean
} {
  const navigate = useNavigate()
  const action = useAction('files/seekTexts', {
    refresh: ['files/textScans'],
    onDone: (scan) => {
      onBegun?.(scan)
      void navigate(textsAddress(scan.id))
    },
  })
  return {
    seek: (entries) => action.mutate({ ids: entries.map(({ id }) => id) }),
    isPending: action.isPending,
  }
}
