import type { Entry } from '@neuroloom/contract/files'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { NameField } from '../name-field.tsx'
import { nameOf } from '../series-files.ts'
import { folderAddress, useOpenEntry } from '../use-open-entry.ts'
import styles from './folder-view.module.css'
import type { ViewProps } from './view-props.ts'

/** The name leads into a folder or opens a file; or it is being changed. */
export function EntryName({ entry, view }: { entry: Entry; view: ViewProps }) {
  const { t } = useTranslation('files')
  const open = useOpenEntry(view)
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
      <Link className={styles.name} to={folderAddress(entry.id)} title={entry.name} draggable={false}>
        {entry.name}
      </Link>
    )
  return (
    <button type="button" className={styles.name} onClick={() => open(entry)} title={nameOf(entry)}>
      {nameOf(entry)}
    </button>
  )
}
