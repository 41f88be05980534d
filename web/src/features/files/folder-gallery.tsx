import type { Entry } from '@neuroloom/contract/files'
import { Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { EntryMenu } from './entry-menu.tsx'
import { EntryName } from './entry-name.tsx'
import { isImage } from './file-kind.ts'
import { FilePicture } from './file-picture.tsx'
import type { ViewProps } from './folder-browser.tsx'
import styles from './folder-view.module.css'

/** A folder's content as pictures. */
export function FolderGallery(view: ViewProps) {
  return (
    <ul className={styles.gallery}>
      {view.entries.map((entry) => (
        <Tile key={entry.id} entry={entry} view={view} />
      ))}
    </ul>
  )
}

function Tile({ entry, view }: { entry: Entry; view: ViewProps }) {
  const { t } = useTranslation('files')
  const navigate = useNavigate()
  const isSelected = view.selected.includes(entry.id)
  const open = () => {
    if (entry.kind === 'folder') void navigate(`/cloudFile?id=${encodeURIComponent(entry.id)}`)
    else if (isImage(entry)) view.onPreview(entry.id)
  }
  const select = (checked: boolean) =>
    view.onSelect(checked ? [...view.selected, entry.id] : view.selected.filter((id) => id !== entry.id))
  return (
    <li className={styles.tile} data-selected={isSelected}>
      {/* The name below is the same door for the keyboard. */}
      <button type="button" className={styles.tilePicture} onClick={open} tabIndex={-1} aria-hidden>
        <FilePicture entry={entry} size="large" />
      </button>
      <span className={styles.tileCheck}>
        <Checkbox
          checked={isSelected}
          aria-label={t('select', { name: entry.name })}
          onChange={(event) => select(event.target.checked)}
        />
      </span>
      <div className={styles.tileFoot}>
        <div>
          <EntryName entry={entry} view={view} />
          <small>
            {entry.kind === 'folder'
              ? t('fileCount', { count: entry.fileCount, shown: formatNumber(entry.fileCount) })
              : formatBytes(entry.sizeBytes)}
          </small>
        </div>
        <EntryMenu entry={entry} actions={view.actions} onRename={() => view.onRename(entry.id)} />
      </div>
    </li>
  )
}
