import { FileUnknownOutlined, WarningOutlined } from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { client, files as limits } from '@neuroloom/contract/limits'
import type { SeriesWish, View } from '@neuroloom/contract/viewing'
import { Button, Spin } from 'antd'
import { Suspense, useContext, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLive } from '../../../lib/live.ts'
import { useCall } from '../../../lib/query.ts'
import { useUser } from '../../../lib/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { fileAddress } from '../use-file-address.ts'
import { ViewLinkContext } from './beside/view-link.ts'
import { Facts } from './facts.tsx'
import { overFile } from './overlay/overlays-from.ts'
import { startInSeries } from './slice-start.ts'
import { TextView } from './text-view.tsx'
import { VideoView } from './video-view.tsx'
import { useStart, useViewPlace, type ViewPlace, ViewPlaceContext, wishOf } from './view-place.ts'
import styles from './viewer.module.css'
import { WorkbookView } from './workbook-view.tsx'

const VolumeView = lazyPart(async () => (await import('./volume-view.tsx')).VolumeView)
const PictureView = lazyPart(async () => (await import('./picture-view.tsx')).PictureView)
const PdfView = lazyPart(async () => (await import('./pdf-view.tsx')).PdfView)

type FileViewProps = { entry: Pick<Entry, 'id'> }

/** What is in a file, shown with what its kind needs; or why it cannot be shown. */
export function FileView({ entry: { id } }: FileViewProps) {
  const user = useUser()
  const start = useStart(id)
  const [series, setSeries] = useState<SeriesWish>(wishOf(start))
  const query = useCall('files/view', { id, series }, waiting)
  const isSeries = query.data?.series?.isShown ?? false
  useLive(user && { kind: 'user', id: user.id }, {
    onEvent: ({ type, data }) => {
      if (type === 'view' && data.id === id) void query.refetch()
    },
  })
  const place = useMemo(
    () => ({
      ...{ isSeries, start, over: overFile({ id, series: isSeries, pass: null }) },
      addressOf: (view: string) => `${window.location.origin}${fileAddress(id)}&view=${view}`,
    }),
    [id, isSeries, start],
  )
  return <Shown query={query} place={place} onSeries={setSeries} />
}

/** The same for visitors of a share link, who hear no news. */
export function LinkedFileView({ entry: { id }, link }: FileViewProps & { link: FileLink }) {
  const { pass, folderId } = link
  const start = useStart(id)
  const [series, setSeries] = useState<SeriesWish>(wishOf(start))
  const query = useCall('files/viewLinked', { pass, id, series }, waiting)
  const isSeries = query.data?.series?.isShown ?? false
  const place = useMemo(
    () => ({
      ...{ isSeries, start, isVisitor: true, over: overFile({ id, series: isSeries, pass }) },
      addressOf: (view: string) => linkedAddress({ id, folderId, view }),
    }),
    [id, pass, folderId, isSeries, start],
  )
  return <Shown query={query} place={place} onSeries={setSeries} />
}

/** What a visitor has come by: the pass, and the folder that is open there; null = the outermost. */
export type FileLink = { pass: string; folderId: string | null }

/** The link's own address, with its secret, and where in it. */
function linkedAddress({
  id,
  folderId,
  view,
}: {
  id: string
  folderId: string | null
  view: string
}): string {
  const { origin, pathname, hash } = window.location
  const where = new URLSearchParams({ file: id, ...(folderId ? { in: folderId } : {}), view })
  return `${origin}${pathname}?${where}${hash}`
}

const waiting: Parameters<typeof useCall<'files/view'>>[2] = {
  quiet: true,
  keepPrevious: true,
  staleTime: limits.linkMs / 2,
  // News that it is ready may be lost with the line.
  refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? client.pollMs : false),
}

type ShownProps = {
  query: { data: View | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  place: Omit<ViewPlace, 'side'>
  /** The whole series of a slice is wanted, or the slice alone. */
  onSeries?: (isWanted: boolean) => void
}

/** An image with its tools, and what is known of it. */
export function Shown({ query, place, onSeries }: ShownProps) {
  const { t } = useTranslation(['files', 'viewing'])
  const [side, setSide] = useState<HTMLElement | null>(null)
  const { isImageOnly = false } = place
  const isBeside = useContext(ViewLinkContext) !== null && !isImageOnly
  const view = query.data
  const whole = useMemo(
    () => ({ ...place, side, start: view ? startInSeries(place.start, view) : place.start }),
    [place, side, view],
  )
  if (query.error && !view) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!view)
    return (
      <div className={styles.wait}>
        <Spin />
      </div>
    )
  return (
    <div
      className={styles.view}
      data-view
      data-beside={isBeside || undefined}
      data-image-only={isImageOnly || undefined}
    >
      <div className={styles.stage}>
        {isBeside && <h3>{place.title ?? view.name}</h3>}
        {view.state === 'preparing' ? (
          <div className={styles.wait}>
            <Spin />
            <p>
              {view.series?.isShown
                ? t('view.seriesPreparing', {
                    count: view.series.files,
                    shown: formatNumber(view.series.files),
                  })
                : t('viewing:states.preparing')}
            </p>
            {view.series?.isShown && <Button onClick={() => onSeries?.(false)}>{t('view.oneSlice')}</Button>}
          </div>
        ) : (
          <ViewPlaceContext value={whole}>
            <Stage view={view} />
          </ViewPlaceContext>
        )}
      </div>
      {(isBeside || isImageOnly) && <div className={styles.side} ref={setSide} />}
      {!isBeside && !isImageOnly && (view.facts !== null || view.tags.length > 0) && (
        <Facts view={view}>
          <div className={styles.side} ref={setSide} />
          {view.series && !view.series.isShown && (
            <Button block loading={query.isFetching} onClick={() => onSeries?.(true)}>
              {t('view.wholeSeries', { count: view.series.files })}
            </Button>
          )}
          {view.series?.isShown && (
            <Button block onClick={() => onSeries?.(false)}>
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
  const { isVisitor = false } = useViewPlace()
  const { kind, url, reason, name, facts } = view
  if (url === null || kind === 'unsupported' || kind === 'broken')
    return (
      <EmptyState
        icon={kind === 'broken' ? <WarningOutlined aria-hidden /> : <FileUnknownOutlined aria-hidden />}
        title={t(kind === 'broken' ? 'view.broken' : 'view.unsupported')}
        text={
          isVisitor && kind === 'broken'
            ? t('view.brokenForVisitor')
            : reason && t(`viewing:reasons.${reason.name}`, reason.params)
        }
      />
    )
  if (kind === 'volume' && facts)
    return (
      <Suspense fallback={<Spin />}>
        <VolumeView key={`${view.id} ${view.series?.isShown}`} url={url} view={{ ...view, facts }} />
      </Suspense>
    )
  if (kind === 'picture')
    return (
      <Suspense fallback={<Spin />}>
        <PictureView key={view.id} url={url} name={name} view={view} />
      </Suspense>
    )
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
