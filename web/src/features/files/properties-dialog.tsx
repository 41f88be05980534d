import { Descriptions, Grid, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate, formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { RecordLink } from './deidentify/record-link.tsx'
import styles from './properties-dialog.module.css'

/** Everything about one file or folder. */
export function PropertiesDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('files')
  return (
    <Modal open centered width={620} title={t('properties.title')} footer={null} onCancel={onClose}>
      <Properties id={id} />
    </Modal>
  )
}

function Properties({ id }: { id: string }) {
  const { t } = useTranslation('files')
  const { sm: isWide = true } = Grid.useBreakpoint()
  const query = useCall('files/properties', { id }, { quiet: true })
  if (query.isPending) return <Loading shape="rows" count={5} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const { entry, path, place, folderCount, sha256, publicAt, datasets } = query.data
  const isFolder = entry.kind === 'folder'
  const where = [t('title'), ...path.map(({ name }) => name)].join(' / ')
  const facts: [string, string | null][] = [
    ['name', entry.name],
    ['where', where],
    ['owner', place.owner === '' ? null : place.owner],
    ['type', isFolder ? t('properties.folder') : entry.type.toUpperCase() || '–'],
    [
      'size',
      `${formatBytes(entry.sizeBytes)} (${t('bytes', { count: entry.sizeBytes, shown: formatNumber(entry.sizeBytes) })})`,
    ],
    [
      'content',
      isFolder
        ? `${t('fileCount', { count: entry.fileCount, shown: formatNumber(entry.fileCount) })}, ${t('folderCount', { count: folderCount, shown: formatNumber(folderCount) })}`
        : null,
    ],
    ['modified', formatDate(entry.modifiedAt)],
    ['modifiedBy', entry.modifiedBy || null],
    ['public', publicAt && t('properties.publicSince', { date: formatDate(publicAt, 'day') })],
    ['datasets', datasets.length === 0 ? null : datasets.join(', ')],
    ['sha256', sha256],
  ]
  return (
    <>
      <Descriptions
        column={1}
        size="small"
        bordered
        layout={isWide ? 'horizontal' : 'vertical'}
        className={styles.facts ?? ''}
        items={facts.flatMap(([key, children]) =>
          children === null ? [] : [{ key, label: t(`properties.${key}`), children }],
        )}
      />
      {!isFolder && <RecordLink id={id} name={entry.name} />}
    </>
  )
}
