/** The dialog that chooses files of the cloud: given by the page, since features do not know each other. */
import { type ComponentType, createContext } from 'react'

export type PickedFile = { id: string; kind: 'file' | 'folder'; name: string }

export const FilePicker = createContext<ComponentType<{
  title: string
  onPick: (files: readonly PickedFile[]) => void
  onClose: () => void
}> | null>(null)
