import type { Entry } from '@neuroloom/contract/files'
import { useNavigate } from 'react-router'
import { isImage } from './file-kind.ts'
import type { ViewProps } from './folder-browser.tsx'

/** What a press on an entry does: into a folder, a picture large, anything else downloaded. */
export function useOpenEntry({ onPreview, actions }: Pick<ViewProps, 'onPreview' | 'actions'>) {
  const navigate = useNavigate()
  return (entry: Entry): void => {
    if (entry.kind === 'folder') void navigate(folderAddress(entry.id))
    else if (isImage(entry)) onPreview(entry.id)
    // Refusals are told by the call.
    else actions.download([entry]).catch(() => {})
  }
}

export const folderAddress = (id: string): string => `/cloudFile?id=${encodeURIComponent(id)}`
