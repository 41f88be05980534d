import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { DownloadsProps } from './download-list.tsx'

/** Nothing to see of it before a run has ended, so the page need not wait for it. */
const DownloadList = lazyPart(async () => (await import('./download-list.tsx')).DownloadList)

/** What leaves the product: the trained network, predictions, masks. */
export function Downloads(props: DownloadsProps) {
  return (
    <Suspense fallback={null}>
      <DownloadList {...props} />
    </Suspense>
  )
}
