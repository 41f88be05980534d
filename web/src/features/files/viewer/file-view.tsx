import { FileUnknownOutlined, WarningOutlined } from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { client, files as limits } from '@neuroloom/contract/limits'
import type { View } from '@neuroloom/contract/viewing'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button, Spin } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '../../../lib/live.ts'
import { useCall } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Facts } from './facts.tsx'
import { PictureView } from './picture-view.tsx'
import { TextView } from './text-view.tsx'
import { VideoView } from './video-view.tsx'
import styles from './viewer.module.css'
import { WorkbookView } from './workbook-view.tsx'

const VolumeView = lazyPart(async () => (await import('./volume-view.tsx')).VolumeView)
const PdfView = lazyPart(async () => (await import('./pdf-view.tsx')).PdfView)

type FileViewProps = { entry: Pick<Entry, 'id'> }

/** What is in a file, shown with what its kind needs; or why it cannot be shown. */
export function FileView({ entry: { id } }: FileViewProps) {
  const user = useUser()
  const [series, setSeries] = useState(false)
  const query = useCall('files/view', { id, series }, waiting)
  useLive(user && { kind: 'user', id: user.id }, {
    onEvent: ({ type, data }) => {
      if (type === 'view' && data.id === id) void query.refetch()
    },
  })
  return <Shown query={query} onSeries={setSeries} />
}

/** The same for visitors of a share link, who hear no news. */
export function LinkedFileView({ entry: { id }, pass }: FileViewProps & { pass: string }) {
  const [series, setSeries] = useState(false)
  const query = useCall('files/viewLinked', { pass, id, series }, waiting)
  return <Shown query={query} onSeries={setSeries} />
}

const waiting: Parameters<typeof useCall<'files/view'>>[2] = {
  quiet: true,
  keepPrevious: true,
  staleTime: limits.linkMs / 2,
  // News that it is ready may be lost with the line.
  refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? client.pollMs : false),
}

type ShownProps = { query: UseQueryResult<View, Error>; onSeries: (isWanted: boolean) => void }

function Shown({ query, onSeries }: ShownProps) {
  const { t } = useTranslation(['files', 'viewing'])
  if (query.isPending)
    return (
      <div className={styles.wait}>
        <Spin />
      </div>
    )
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const view = query.data
  return (
    <div className={styles.view}>
      <div className={styles.stage}>
        {view.state === 'preparing' ? (
          <div className={styles.wait}>
            <Spin />
            <p>{t('viewing:states.preparing')}</p>
          </div>
        ) : (
          <Stage view={view} />
        )}
      </div>
      {(view.facts !== null || view.tags.length > 0) && (
        <Facts view={view}>
          {view.series && !view.series.isShown && (
            <Button block loading={query.isFetching} onClick={() => onSeries(true)}>
              {t('view.wholeSeries', { count: view.series.files })}
            </Button>
          )}
          {view.series?.isShown && (
            <Button block onClick={() => onSeries(false)}>
              {t('view.oneSlice')}
            </Button>
          )}
        </Facts>
      )}
    </div>
  )
}

function Stage({ view }: { view: View }) {
  const { t } = useTranslation(['files', 'viewing'])
  const { kind, url, reason, name, facts } = view
  if (url === null || kind === 'unsupported' || kind === 'broken')
    return (
      <EmptyState
        icon={kind === 'broken' ? <WarningOutlined aria-hidden /> : <FileUnknownOutlined aria-hidden />}
        title={t(kind === 'broken' ? 'view.broken' : 'view.unsupported')}
        text={reason ? t(`viewing:reasons.${reason.name}`, reason.params) : ''}
      />
    )
  if (kind === 'volume' && facts)
    return (
      <Suspense fallback={<Spin />}>
        <VolumeView key={`${view.id} ${view.series?.isShown}`} url={url} facts={facts} />
      </Suspense>
    )
  if (kind === 'picture') return <PictureView url={url} name={name} />
  if (kind === 'workbook') return <WorkbookView key={view.id} url={url} />
  if (kind === 'video') return <VideoView key={view.id} url={url} />
  if (kind === 'pdf')
    return (
      <Suspense fallback={<Spin />}>
        <PdfView key={view.id} url={url} />
      </Suspense>
    )
  return <TextView url={url} kind={kind} sizeBytes={view.sizeBytes} />
}
