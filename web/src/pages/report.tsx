import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import styles from '../features/reports/report.module.css'
import { ReportSection } from '../features/reports/report-blocks.tsx'
import { download } from '../lib/download.ts'
import { currentLanguage } from '../lib/i18n.ts'
import { useAction, useCall } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'

/** `/report?id=`: the report of a finished test, to read here and, by level, to take along as PDF. */
export function ReportPage() {
  const [search] = useSearchParams()
  const id = search.get('id')
  const { t } = useTranslation('reports')
  return (
    <Page>
      {id ? <OneReport key={id} id={id} /> : <EmptyState title={t('noneTitle')} text={t('noneText')} />}
    </Page>
  )
}

function OneReport({ id }: { id: string }) {
  const { t } = useTranslation('reports')
  const language = currentLanguage()
  const report = useCall('reports/show', { id, language })
  const fetchLink = useAction('reports/download', {
    refresh: [],
    // Made while it is sent, so nobody knows its size before.
    onDone: (link) => download({ ...link, sizeBytes: 0 }),
  })
  if (report.isError && !report.data) {
    return <ErrorState error={report.error} retry={() => void report.refetch()} />
  }
  if (!report.data) return <Loading shape="page" />
  const { title, subtitle, sections, mayDownload, hasWatermark } = report.data
  const saving = mayDownload ? (
    <Button
      type="primary"
      icon={<DownloadOutlined />}
      loading={fetchLink.isPending}
      onClick={() => fetchLink.mutate({ id, language })}
    >
      {t('download')}
    </Button>
  ) : undefined
  const note = mayDownload ? hasWatermark && t('watermark') : t('level')
  return (
    <>
      <PageHeader
        title={title}
        subtitle={subtitle}
        back={{ to: `/run?id=${id}`, label: t('toTest') }}
        actions={saving}
      />
      {note && <p className={styles.watermark}>{note}</p>}
      <article className={styles.sheet}>
        {sections.map((section) => (
          <ReportSection key={section.id} section={section} />
        ))}
      </article>
    </>
  )
}
