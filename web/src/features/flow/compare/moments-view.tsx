import type { FlowResults } from '@neuroloom/contract/flow/run'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import { ResearchNote } from '../research-note.tsx'
import { peakFrame, slowestFrame } from '../run/numbers.ts'
import { sourceOf, startOf } from '../run/source-of.ts'
import styles from './compare.module.css'

const MomentsBeside = lazyPart(async () => (await import('../beside/moments-beside.tsx')).MomentsBeside)

/** Two moments of a done run side by side: at first when blood is fastest, and when it is slowest. */
export function MomentsView({ id }: { id: string }) {
  const { t } = useTranslation('flow-beside')
  const { data: detail, isError, error, refetch } = useCall('flow/run', { id }, { quiet: true })
  if (isError && !detail) return <ErrorState error={error} retry={() => void refetch()} />
  if (!detail) return <Loading shape="page" />
  const { results } = detail
  if (results === null) return <EmptyState title={t('notDone')} />
  if (detail.study.head.frames < 2) return <EmptyState title={t('oneMoment')} />
  return (
    <div className={styles.stack}>
      <Panel title={detail.study.name}>
        <Suspense fallback={<Loading shape="rows" count={4} />}>
          <MomentsBeside
            source={sourceOf(detail, detail.study.name)}
            frames={framesOf(results)}
            start={startOf(detail)}
            sections={detail.sections}
            onAgain={refetch}
          />
        </Suspense>
      </Panel>
      <ResearchNote />
    </div>
  )
}

/** Where all are equally fast, the first and the second. */
function framesOf(results: FlowResults): readonly [number, number] {
  const [fast, slow] = [peakFrame(results), slowestFrame(results)]
  return fast === slow ? [0, 1] : [fast, slow]
}
