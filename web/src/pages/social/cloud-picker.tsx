import { SourcePicker } from '../../features/files/source-picker.tsx'
import type { PickedFile } from '../../features/social/attachments/file-picker.ts'

type Props = { title: string; onPick: (files: readonly PickedFile[]) => void; onClose: () => void }

/** Files of the cloud that a message refers to. */
export function CloudPicker({ title, onPick, onClose }: Props) {
  return (
    <SourcePicker
      open
      busy={false}
      title={title}
      onPick={(_chosen, entries) => onPick(entries)}
      onClose={onClose}
    />
  )
}
