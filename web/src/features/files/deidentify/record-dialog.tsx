import { DownloadOutlined } from '@ant-design/icons'
import type { KeptRecord } from '@neuroloom/contract/deidentification'
import { Alert, Button, Descriptions, Grid, Modal, Table } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from './deidentify.module.css'

type Props = { id: string; name: string; onClose: () => void }

/** What was taken out of one file before it was sent; for reading, and for the data protection officer's folder. */
export function RecordDialog({ id, name, onClose }: Props) {
  const { t } = useTranslation('deidentify')
  const query = useCall('files/deidentification', { id }, { quiet: true })
  const record = query.data?.record
  return (
    <Modal
      open
      centered
      width={760}
      title={t('record.title')}
      onCancel={onClose}
      footer={
        record && (
          <Button icon={<DownloadOutlined aria-hidden />} onClick={() => save(record, name)}>
            {t('record.download')}
          </Button>
        )
      }
    >
      {query.isPending && <Loading shape="rows" count={5} />}
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {record === null && <p>{t('record.none')}</p>}
      {record && <Record record={record} />}
    </Modal>
  )
}

function Record({ record }: { record: KeptRecord }) {
  const { t } = useTranslation('deidentify')
  const { sm: isWide = true } = Grid.useBreakpoint()
  const { counts, identifiers, pixels, burnedInText } = record
  const isDoubtful = burnedInText === 'yes' || burnedInText === 'possible'
  const facts: [string, string | null][] = [
    ['profile', t('record.profileText', { edition: record.profile })],
    ['time', formatDate(record.recordedAt, 'minute')],
    ['pixels', pixels ? t('record.pixelsUnchanged', { sum: pixels.after }) : t('record.noPixels')],
    ['patient', identifiers.patient],
    ['study', identifiers.study],
    ['series', identifiers.series],
    ['instance', identifiers.instance],
    ['sha256', record.sha256],
  ]
  return (
    <div className={styles.record}>
      <Alert type={isDoubtful ? 'warning' : 'info'} showIcon title={t(`burnedIn.${burnedInText}`)} />
      <ul className={styles.counts}>
        {countKeys.map((key) => (
          <li key={key}>
            <strong>{formatNumber(counts[key])}</strong>
            <span>{t(`count.${key}`)}</span>
          </li>
        ))}
      </ul>
      <Descriptions
        column={1}
        layout={isWide ? 'horizontal' : 'vertical'}
        size="small"
        bordered
        items={facts.flatMap(([key, children]) =>
          children === null ? [] : [{ key, label: t(`record.${key}`), children }],
        )}
      />
      <Table
        size="small"
        rowKey={({ tag, action }) => `${tag} ${action}`}
        dataSource={record.attributes}
        pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
        columns={[
          { title: t('column.name'), dataIndex: 'name' },
          {
            title: t('column.tag'),
            dataIndex: 'tag',
            render: (tag: string) => `(${tag.slice(0, 4)},${tag.slice(4)})`,
          },
          {
            title: t('column.action'),
            dataIndex: 'action',
            render: (action: string) => t(`action.${action}`),
          },
          {
            title: t('column.count'),
            dataIndex: 'count',
            align: 'right',
            render: (count: number) => formatNumber(count),
          },
        ]}
      />
    </div>
  )
}

const countKeys = ['removed', 'emptied', 'replaced', 'newUids', 'privateRemoved', 'cleared'] as const

function save(record: KeptRecord, name: string) {
  const file = new Blob([`${JSON.stringify({ file: name, ...record }, null, 2)}\n`], {
    type: 'application/json',
  })
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}.deidentification.json`
  link.click()
  URL.revokeObjectURL(address)
}
