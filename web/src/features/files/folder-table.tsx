import type { Entry } from '@neuroloom/contract/files'
import { Table, type TableColumnsType } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate, formatNumber } from '../../lib/format.ts'
import { EntryMenu } from './entry-menu.tsx'
import { EntryName } from './entry-name.tsx'
import { FilePicture } from './file-picture.tsx'
import type { ViewProps } from './folder-browser.tsx'
import styles from './folder-view.module.css'

/** A folder's content in rows: name, size, when and by whom. */
export function FolderTable(view: ViewProps) {
  const { t } = useTranslation('files')
  const sizeOf = (entry: Entry) =>
    entry.kind === 'folder' && entry.fileCount > 0
      ? `${formatBytes(entry.sizeBytes)} · ${t('fileCount', { count: entry.fileCount, shown: formatNumber(entry.fileCount) })}`
      : formatBytes(entry.sizeBytes)
  const columns: TableColumnsType<Entry> = [
    {
      key: 'name',
      title: t('name'),
      render: (_, entry) => (
        <div className={styles.nameCell}>
          <FilePicture entry={entry} size="small" />
          <div>
            <EntryName entry={entry} view={view} />
            <small className={styles.narrowFacts}>{sizeOf(entry)}</small>
          </div>
        </div>
      ),
    },
    { key: 'size', title: t('size'), width: 200, responsive: ['md'], render: (_, entry) => sizeOf(entry) },
    {
      key: 'modified',
      title: t('modified'),
      width: 215,
      responsive: ['md'],
      render: (_, entry) => formatDate(entry.modifiedAt, 'minute'),
    },
    {
      key: 'modifiedBy',
      title: t('modifiedBy'),
      width: 150,
      ellipsis: true,
      responsive: ['lg'],
      render: (_, entry) => entry.modifiedBy,
    },
    {
      key: 'menu',
      title: <span className="nl-hidden">{t('actions')}</span>,
      width: 56,
      render: (_, entry) => (
        <EntryMenu entry={entry} actions={view.actions} onRename={() => view.onRename(entry.id)} />
      ),
    },
  ]
  return (
    <div className={styles.table}>
      <Table<Entry>
        rowKey="id"
        size="middle"
        columns={columns}
        dataSource={view.entries}
        pagination={false}
        rowSelection={{
          selectedRowKeys: view.selected,
          onChange: (keys) => view.onSelect(keys.map(String)),
          columnWidth: 44,
          getTitleCheckboxProps: () => ({ 'aria-label': t('selectAll') }),
          getCheckboxProps: (entry) => ({ 'aria-label': t('select', { name: entry.name }) }),
        }}
      />
    </div>
  )
}
