import type { Access, Entry } from '@neuroloom/contract/files'
import type { FileActions } from '../use-file-actions.ts'
import type { Transfer } from '../use-transfer.ts'
import type { FolderPage } from './use-folder-page.ts'
import type { Selection } from './use-selection.ts'

/** What a table row or a gallery tile needs besides its entry. */
export type ViewProps = {
  /** Of the folder, for those who do not see the page. */
  name: string
  entries: Entry[]
  total: number
  access: Access
  order: FolderPage['order']
  selection: Selection
  renaming: string | null
  actions: FileActions
  onOrder: (order: FolderPage['order']) => void
  onRename: (id: string | null) => void
  onPreview: (id: string) => void
  onProperties: (id: string) => void
  onShare: (entry: Entry) => void
  onTransfer: (transfer: { kind: Transfer['kind']; entries: readonly Entry[] }) => void
  onConvert: (entries: Entry[]) => void
  /** Looks for texts burned into them. */
  onTexts: (entries: Entry[]) => void
  onFrames: (entry: Entry) => void
  onUnpack: (entry: Entry) => void
  onPublish: (entry: Entry) => void
  /** Absent where nothing may be moved. */
  onDropInto: ((ids: string[], target: { id: string | null; isCopy: boolean }) => void) | undefined
  onEnd: () => void
}
