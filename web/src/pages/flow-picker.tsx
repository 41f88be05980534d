import { SourcePicker } from '../features/files/source-picker.tsx'
import type { FilePicker } from '../features/flow/studies/study-list.tsx'

/** A folder, or files in one, as studies of flow are opened. */
export const FlowPicker: FilePicker = ({ onPick, ...props }) => (
  <SourcePicker
    {...props}
    onPick={(chosen) => onPick('folderId' in chosen ? [chosen.folderId] : chosen.fileIds)}
  />
)
