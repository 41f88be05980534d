import type { Entry } from '@neuroloom/contract/files'
import { useEffect } from 'react'
import { useCall } from '../../lib/query.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useFileActions } from './use-file-actions.ts'
import type { useFileAddress } from './use-file-address.ts'

const ViewDialog = lazyPart(async () => (await import('./viewer/view-dialog.tsx')).ViewDialog, { over: true })

type FileWindowProps = {
  entries: readonly Entry[]
  /** In which all of them lie. */
  folder?: string | undefined
  address: ReturnType<typeof useFileAddress>
}

/** The file of the address, among those of its list; or alone, where the list does not reach as far. */
export function FileWindow({ entries, folder, address: { fileId, move, close } }: FileWindowProps) {
  const isListed = entries.some(({ id }) => id === fileId)
  const query = useCall('files/properties', { id: fileId ?? '' }, { enabled: fileId !== null && !isListed })
  const actions = useFileActions()
  useEffect(() => {
    // Why is told by the call.
    if (query.isError && !isListed) close()
  }, [query.isError, isListed, close])
  if (fileId === null) return null
  const shown = isListed ? entries : query.data ? [query.data.entry] : []
  if (shown.length === 0) return null
  return (
    <ViewDialog
      entries={shown}
      id={fileId}
      folder={isListed ? folder : query.data?.path.at(-1)?.name}
      onMove={move}
      onClose={close}
      // Refusals are told by the call.
      onDownload={(id) => void actions.download(shown.filter((one) => one.id === id)).catch(() => {})}
    />
  )
}
