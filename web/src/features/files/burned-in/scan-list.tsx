import { EyeInvisibleOutlined } from '@ant-design/icons'
import type { TextScan } from '@neuroloom/contract/burned-in'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { usePages } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { Page, PageHeader } from '../../../ui/page.tsx'
import { SourcePicker } from '../source-picker.tsx'
import { MissingNote } from './missing-note.tsx'
import { TextMark } from './text-mark.tsx'
import styles from './texts.module.css'
import { textsAddress, useSeekTexts } from './use-seek-texts.ts'

/** Own searches for texts, newest first, and where a new one begins. */
export function ScanList({ onBegun }: { onBegun: (scan: TextScan) => void }) {
  const { t } = useTranslation('texts')
  const [isPicking, setPicking] = useState(false)
  const query = usePages('files/textScans', {})
  const { seek, isPending } = useSeekTexts(onBegun)
  const missing = query.data?.pages[0]?.missing ?? []
  const scans = query.data?.pages.flatMap((page) => page.scans) ?? []
  const start = (
    <Button type="primary" disabled={missing.length > 0 || query.isPending} onClick={() => setPicking(true)}>
      {t('choose')}
    </Button>
  )
  return (
    <Page>
      <PageHeader
        title={t('title')}
        subtitle={t('subtitle')}
        back={{ to: '/cloudHome', label: t('toCloud') }}
        actions={scans.length > 0 && start}
      />
      <div className={styles.list}>
        <MissingNote missing={missing} />
        {query.isPending && <Loading shape="rows" count={3} />}
        {query.isError && scans.length === 0 && (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        )}
        {query.isSuccess && scans.length === 0 && (
          <EmptyState
            icon={<EyeInvisibleOutlined aria-hidden />}
            title={t('empty')}
            text={t('emptyText')}
            action={start}
          />
        )}
        {scans.map((scan) => (
          <ScanRow key={scan.id} scan={scan} />
        ))}
        <MoreButton query={query} />
      </div>
      <SourcePicker
        open={isPicking}
        busy={isPending}
        onPick={(chosen) =>
          seek('folderId' in chosen ? [{ id: chosen.folderId }] : chosen.fileIds.map((id) => ({ id })))
        }
        onClose={() => setPicking(false)}
      />
    </Page>
  )
}

function ScanRow({ scan }: { scan: TextScan }) {
  const { t } = useTranslation('texts')
  const { id, name, total, createdAt } = scan
  return (
    <Link to={textsAddress(id)} className={styles.row}>
      <span>
        <strong>{name || t('waits')}</strong>
        <small>
          {formatDate(createdAt, 'minute')} · {t('pictures', { count: total, shown: formatNumber(total) })}
        </small>
      </span>
      <TextMark scan={scan} />
    </Link>
  )
}
