import { client } from '@neuroloom/contract/limits'
import { isOpen } from '@neuroloom/contract/run-states'
import type { Run } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SampleButton } from '../features/projects/sample-button.tsx'
import { headlineOf } from '../features/runs/results/metrics.ts'
import { RunStateTag } from '../features/runs/run-state-tag.tsx'
import { formatDate } from '../lib/format.ts'
import { formatMetric } from '../lib/metric.ts'
import { useCall } from '../lib/query.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Cover } from '../ui/pictures/cover.tsx'
import styles from './manage-home.module.css'

const shown = 6

/** The newest runs of all projects, followed while one is under way. */
export function LatestRuns() {
  const { t } = useTranslation('workspace')
  const { data, error, refetch } = useCall(
    'runs/list',
    { projectId: null },
    {
      quiet: true,
      refetchInterval: ({ state }) => (state.data?.runs.some(isOpen) ? client.pollMs : false),
    },
  )
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  if (data.runs.length === 0)
    return (
      <EmptyState title={t('recent.noRunsTitle')} text={t('recent.noRunsText')} action={<FirstSteps />} />
    )
  return (
    <ul className={styles.list}>
      {data.runs.slice(0, shown).map((run) => (
        <li key={run.id}>
          <RunRow run={run} cover={data.covers[run.id]} />
        </li>
      ))}
    </ul>
  )
}

/** A project of one's own, or one of sample images. */
function FirstSteps() {
  const { t } = useTranslation('workspace')
  const { data } = useCall('projects/list', {}, { quiet: true })
  const isFull = data !== undefined && data.limit !== null && data.own >= data.limit
  return (
    <div className={styles.actions}>
      <ButtonLink to="/projectHome?new">{t('recent.noRunsAction')}</ButtonLink>
      <SampleButton disabled={isFull} />
    </div>
  )
}

function RunRow({ run, cover }: { run: Run; cover: string | undefined }) {
  const { t } = useTranslation('runs')
  const headline = headlineOf(run)
  return (
    <Link to={`/run?id=${run.id}`} className={styles.row}>
      <Cover url={cover} />
      <span className={styles.what}>
        <span className={styles.name}>
          {t(`list.${run.kind}`, { number: run.number })} · {run.datasetName}
        </span>
        <time className={styles.note} dateTime={run.createdAt}>
          {formatDate(run.createdAt, 'relative')}
        </time>
      </span>
      <RunStateTag run={run} />
      <span className={styles.figure}>
        {headline && (
          <>
            {formatMetric(headline.name, headline.value)}
            <small>{t(`metric.${headline.name}.name`)}</small>
          </>
        )}
      </span>
    </Link>
  )
}
