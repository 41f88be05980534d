import { useTranslation } from 'react-i18next'
import { SourcePicker } from '../../features/files/source-picker.tsx'
import type { ChosenFile } from '../../features/market/file-field.tsx'

type Props = { title: string; onPick: (files: ChosenFile[]) => void; onClose: () => void }

/** Own files of the cloud: what belongs to others is not handed on here. */
export function OwnFilePicker({ title, onPick, onClose }: Props) {
  const { t } = useTranslation('market')
  return (
    <SourcePicker
      open
      busy={false}
      only="ownFiles"
      title={title}
      okText={t('file.take')}
      onPick={(_chosen, entries) => onPick(entries.map(({ id, name }) => ({ id, name })))}
      onClose={onClose}
    />
  )
}

/** One folder of the own cloud, with all that is in it. */
export function OwnFolderPicker({ title, onPick, onClose }: Props) {
  const { t } = useTranslation('market')
  return (
    <SourcePicker
      open
      busy={false}
      only="ownFolder"
      isOnlyFolder
      title={title}
      okText={t('data.take')}
      onPick={(_chosen, entries) => onPick(entries.map(({ id, name }) => ({ id, name })))}
      onClose={onClose}
    />
  )
}
