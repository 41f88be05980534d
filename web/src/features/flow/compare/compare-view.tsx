import { Alert } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import type { BesideProps } from '../beside/studies-beside.tsx'
import { LearnedNote } from '../learned/learned.tsx'
import { ResearchNote } from '../research-note.tsx'
import { sourceOf, startOf } from '../run/source-of.ts'
import styles from './compare.module.css'
import type { Compared } from './compared.ts'
import { ComparedCurves } from './compared-curves.tsx'
import { NumberTable } from './number-table.tsx'

const StudiesBeside = lazyPart<BesideProps>(
  async () => (await import('../beside/studies-beside.tsx')).StudiesBeside,
)

/** Two done runs: their flow side by side, their numbers with differences, and their curves over each other. */
export function CompareView({ ids: [first, second] }: { ids: readonly [string, string] }) {
  const { t } = useTranslation(['flow-project', 'flow-beside', 'runs'])
  const queries = [
    useCall('flow/run', { id: first }, { quiet: true }),
    useCall('flow/run', { id: second }, { quiet: true }),
  ]
  const failed = queries.find(({ isError, data }) => isError && !data)
  if (failed) return <ErrorState error={failed.error} retry={() => void failed.refetch()} />
  const details = queries.flatMap(({ data }) => data ?? [])
  if (details.length < queries.length) return <Loading shape="page" />
  const [one, other] = details.flatMap((detail): Compared[] =>
    detail.results === null ? [] : [{ ...detail, results: detail.results }],
  )
  if (!one || !other) return <EmptyState title={t('compare.tooFew')} />
  const nameOf = ({ run, study }: Compared) =>
    `${t('runs:list.flow', { number: run.number })} · ${study.name}`
  const isOtherStudy = one.results.study.sha256 !== other.results.study.sha256
  return (
    <div className={styles.stack}>
      {isOtherStudy && <Alert type="info" showIcon title={t('compare.otherStudy')} />}
      {[one, other].map(
        ({ run, study: { head } }) =>
          head.sharpened && <LearnedNote key={run.id} sharpened={head.sharpened} />,
      )}
      <Panel title={t('flow-beside:viewer')}>
        <Suspense fallback={<Loading shape="rows" count={4} />}>
          <StudiesBeside
            sources={[sourceOf(one, nameOf(one)), sourceOf(other, nameOf(other))]}
            start={startOf(one)}
            sections={one.sections}
            onAgain={() => Promise.all(queries.map(({ refetch }) => refetch()))}
          />
        </Suspense>
      </Panel>
      <Panel title={t('compare.numbers')}>
        <p className={styles.links}>
          {[one, other].map((side) => (
            <Link key={side.run.id} to={`/run?id=${encodeURIComponent(side.run.id)}`}>
              {nameOf(side)}
            </Link>
          ))}
        </p>
        <NumberTable one={one} other={other} />
      </Panel>
      <ComparedCurves one={one} other={other} />
      <ResearchNote />
    </div>
  )
}
