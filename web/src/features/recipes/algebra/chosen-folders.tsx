import { DeleteOutlined, FolderFilled } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './algebra.module.css'
import type { ChosenFolder } from './chosen.ts'

type ChosenFoldersProps = {
  folders: readonly ChosenFolder[]
  onChange: (folders: readonly ChosenFolder[]) => void
}

/** In their order: by the first the result is named and placed, and from it the others are taken away. */
export function ChosenFolders({ folders, onChange }: ChosenFoldersProps) {
  const { t } = useTranslation('algebra')
  if (folders.length === 0) return null
  const without = (id: string) => folders.filter((one) => one.id !== id)
  return (
    <ol className={styles.folders} aria-label={t('folders')}>
      {folders.map((folder, index) => (
        <li key={folder.id}>
          <FolderFilled aria-hidden />
          <strong>{folder.name}</strong>
          {index > 0 && (
            <Button size="small" onClick={() => onChange([folder, ...without(folder.id)])}>
              {t('first')}
            </Button>
          )}
          <Button
            type="text"
            size="small"
            icon={<DeleteOutlined aria-hidden />}
            aria-label={t('remove', { name: folder.name })}
            onClick={() => onChange(without(folder.id))}
          />
        </li>
      ))}
    </ol>
  )
}
