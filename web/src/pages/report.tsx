import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import type { Report } from '@neuroloom/contract/reports'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import styles from '../features/reports/report.module.css'
import { ReportSection } from '../features/reports/report-blocks.tsx'
import { ReportIndex } from '../features/reports/report-index.tsx'
import { StatementsPanel } from '../features/reports/statements/statements-panel.tsx'
import { ToRuns } from '../features/runs/to-runs.tsx'
import { download } from '../lib/download.ts'
import { currentLanguage } from '../lib/i18n.ts'
import { useAction, useCall } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { UpgradeLink } from '../ui/limits/upgrade-link.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page, PageHeader } from '../ui/page.tsx'

/**
 * `/report?id=`: the report of a finished test, cross-validation or flow run, to read here and, by level, to take along as PDF. `/report?project=`: what
 * its reports ask of people, before there is one.
 */
export function ReportPage() {
  const [search] = useSearchParams()
  const id = search.get('id')
  return <Page>{id ? <OneReport key={id} id={id} /> : <NoReport projectId={search.get('project')} />}</Page>
}

function NoReport({ projectId }: { projectId: string | null }) {
  const { t } = useTranslation('reports')
  return (
    <>
      {projectId && (
        <PageHeader
          title={t('studyTitle')}
          back={{ to: `/projectDetail?id=${encodeURIComponent(projectId)}`, label: t('toProject') }}
        />
      )}
      {projectId && <StatementsPanel projectId={projectId} />}
      <EmptyState title={t('noneTitle')} text={t('noneText')} action={<ToRuns />} />
    </>
  )
}

function OneReport({ id }: { id: string }) {
  const { t } = useTranslation('reports')
  const language = currentLanguage()
  const report = useCall('reports/show', { id, language }, { quiet: true })
  const fetchLink = useAction('reports/download', {
    refresh: [],
    // Made while it is sent, so nobody knows its size before.
    onDone: (link) => download({ ...link, sizeBytes: 0 }),
  })
  if (report.isError && !report.data) {
    return <ErrorState error={report.error} retry={() => void report.refetch()} />
  }
  if (!report.data) return <Loading shape="page" />
  const { projectId, title, subtitle, sections, mayDownload, hasWatermark } = report.data
  const saving = mayDownload ? (
    <Button
      className={styles.save ?? ''}
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
    <div className={styles.report}>
      <PageHeader
        title={title}
        subtitle={subtitle}
        back={{ to: `/run?id=${id}`, label: t(backTo(report.data)) }}
        actions={saving}
      />
      {note && (
        <p className={styles.watermark}>
          {note} {!mayDownload && <WithoutPdf />}
        </p>
      )}
      <div className={styles.columns}>
        <ReportIndex sections={sections} />
        <div className={styles.main}>
          <StatementsPanel projectId={projectId} />
          <article className={styles.sheet}>
            {sections.map((section) => (
              <ReportSection key={section.id} section={section} />
            ))}
          </article>
        </div>
      </div>
    </div>
  )
}

/** A higher level brings the PDF; paper is there for everybody. */
function WithoutPdf() {
  const { t } = useTranslation('reports')
  return (
    <>
      <UpgradeLink />
      <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
        {t('print')}
      </Button>
    </>
  )
}

function backTo({ isCross, isFlow }: Pick<Report, 'isCross' | 'isFlow'>) {
  if (isFlow) return 'toFlow'
  return isCross ? 'toTraining' : 'toTest'
}
