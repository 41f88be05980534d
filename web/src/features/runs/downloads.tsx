import { lazy, Suspense } from 'react'
import type { DownloadsProps } from './download-list.tsx'

/** Nothing to see of it before a run has ended, so the page need not wait for it. */
const DownloadList = lazy(() =>
  import('./download-list.tsx').then((module) => ({ default: module.DownloadList })),
)

/** What leaves the product: the trained network, predictions, masks. */
export function Downloads(props: DownloadsProps) {
  return (
    <Suspense fallback={null}>
      <DownloadList {...props} />
    </Suspense>
  )
}
