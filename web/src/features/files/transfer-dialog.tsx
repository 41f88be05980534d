import { useTranslation } from 'react-i18next'
import { FolderPicker } from './folder/folder-picker.tsx'
import { SameNames } from './upload/same-names.tsx'
import type { Transfers } from './use-transfer.ts'

/** Where entries are to go, and what becomes of names that are taken there. */
export function TransferDialog({ transfer, from }: { transfer: Transfers; from: string | null }) {
  const { t } = useTranslation('files')
  const { chosen, asked } = transfer
  if (asked)
    return (
      <SameNames
        names={asked.conflicts}
        busy={transfer.isBusy}
        onAnswer={transfer.answer}
        onClose={transfer.close}
      />
    )
  const count = chosen?.entries.length ?? 0
  const kind = chosen?.kind ?? 'move'
  return (
    <FolderPicker
      open
      allowTop
      start={from}
      title={t(kind === 'move' ? 'moveTitle' : 'copyTitle', { count, name: chosen?.entries[0]?.name ?? '' })}
      okText={t(kind === 'move' ? 'moveHere' : 'copyHere')}
      busy={transfer.isBusy}
      onPick={transfer.into}
      onClose={transfer.close}
    />
  )
}
