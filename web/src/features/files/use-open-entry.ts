import type { Entry } from '@neuroloom/contract/files'
import { useNavigate } from 'react-router'
import type { ViewProps } from './folder/view-props.ts'

/** What a press on an entry does: into a folder, or the file large. */
export function useOpenEntry({ onPreview }: Pick<ViewProps, 'onPreview'>) {
  const navigate = useNavigate()
  return (entry: Entry): void => {
    if (entry.kind === 'folder') void navigate(folderAddress(entry.id))
    else onPreview(entry.id)
  }
}

export const folderAddress = (id: string): string => `/cloudFile?id=${encodeURIComponent(id)}`
