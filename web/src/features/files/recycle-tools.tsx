import { DeleteOutlined, SearchOutlined, UndoOutlined } from '@ant-design/icons'
import type { Recycled } from '@neuroloom/contract/files'
import { Button, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/format.ts'
import type { useTyped } from '../../ui/hooks/use-typed.ts'
import styles from '../../ui/list.module.css'

/** What is to be deleted for good, once that is confirmed; no ids = everything. */
export type PurgeAsked = { ids: string[] | null; sizeBytes: number }

type RecycleToolsProps = {
  station: { recycleDays: number; sizeBytes: number }
  search: ReturnType<typeof useTyped>
  selected: readonly Recycled[]
  isRestoring: boolean
  onRestore: (ids: string[]) => void
  onPurge: (asked: PurgeAsked) => void
}

/** Search; what can be done with the selection, or with all of the station. */
export function RecycleTools(props: RecycleToolsProps) {
  const { t } = useTranslation('files')
  const { station, search, selected } = props
  const ids = selected.map(({ id }) => id)
  return (
    <div className={styles.tools}>
      <Input
        allowClear
        prefix={<SearchOutlined aria-hidden />}
        placeholder={t('recycle.search')}
        aria-label={t('recycle.search')}
        maxLength={200}
        value={search.text}
        onChange={(event) => search.setText(event.target.value)}
      />
      {selected.length > 0 ? (
        <>
          <strong>{t('selected', { count: selected.length })}</strong>
          <Button
            icon={<UndoOutlined aria-hidden />}
            loading={props.isRestoring}
            onClick={() => props.onRestore(ids)}
          >
            {t('recycle.restore')}
          </Button>
          <Button
            danger
            icon={<DeleteOutlined aria-hidden />}
            onClick={() =>
              props.onPurge({ ids, sizeBytes: selected.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) })
            }
          >
            {t('recycle.purge')}
          </Button>
        </>
      ) : (
        <>
          <span className={styles.soft}>
            {t('recycle.about', { count: station.recycleDays, size: formatBytes(station.sizeBytes) })}
          </span>
          <span className={styles.spring} />
          <Button danger onClick={() => props.onPurge({ ids: null, sizeBytes: station.sizeBytes })}>
            {t('recycle.clear')}
          </Button>
        </>
      )}
    </div>
  )
}
