import type { Entry } from '@neuroloom/contract/files'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isImage } from './file-kind.ts'
import type { ViewProps } from './folder-browser.tsx'
import styles from './folder-view.module.css'
import { NameField } from './name-field.tsx'

/** The name leads into a folder, opens a picture, downloads anything else; or it is being changed. */
export function EntryName({ entry, view }: { entry: Entry; view: ViewProps }) {
  const { t } = useTranslation('files')
  if (view.renaming === entry.id)
    return (
      <NameField
        name={entry.name}
        label={t('newNameOf', { name: entry.name })}
        onSave={(name) => view.actions.rename(entry.id, name)}
        onClose={() => view.onRename(null)}
      />
    )
  if (entry.kind === 'folder')
    return (
      <Link className={styles.name} to={`/cloudFile?id=${encodeURIComponent(entry.id)}`} title={entry.name}>
        {entry.name}
      </Link>
    )
  const open = () =>
    isImage(entry) ? view.onPreview(entry.id) : view.actions.download(entry).catch(() => {})
  return (
    <button type="button" className={styles.name} onClick={open} title={entry.name}>
      {entry.name}
    </button>
  )
}
