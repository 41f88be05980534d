import { DeleteOutlined } from '@ant-design/icons'
import { inOrderOfTrainings, isCrossPart } from '@neuroloom/contract/evidence/cross-part'
import { client } from '@neuroloom/contract/limits'
import { shareOf } from '@neuroloom/contract/run-progress'
import { isOpen } from '@neuroloom/contract/run-states'
import type { Run } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import type { TFunction } from 'i18next'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate, formatDuration } from '../../lib/format.ts'
import { formatMetric } from '../../lib/metric.ts'
import { useCall } from '../../lib/query.ts'
import { Spark } from '../../ui/charts/spark.tsx'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Cover } from '../../ui/pictures/cover.tsx'
import { useNetworkOf } from './network-of.ts'
import { headlineOf } from './results/metrics.ts'
import { durationOf } from './run-duration.ts'
import { filterChoices, matches, noFilter, possibleFilter } from './run-filter.ts'
import styles from './run-list.module.css'
import { RunStateTag } from './run-state-tag.tsx'
import { useRemoveRun } from './use-remove-run.ts'

/** Not there when the list is one project's, or has nothing to choose from. */
const RunFilters = lazyPart(async () => (await import('./run-filters.tsx')).RunFilters)

type Props = {
  /** null = runs of all own projects. */
  projectId: string | null
  networkName: (network: string) => string
  projectName?: (projectId: string) => string | null
  /** Only tests of this training, or what it was applied to. */
  parentId?: string
  kind?: Run['kind']
  /** The list that is a page of its own: with filters, and with durations where the window is wide. */
  isOverview?: boolean
  /** Only a project's owner deletes its runs. */
  mayRemove?: boolean
  /** Told below a run. */
  note?: (run: Run) => ReactNode
  empty: ReactNode
}

/** Trainings and tests, newest first, each leading to its own page. */
export function RunList({
  projectId,
  networkName,
  projectName,
  parentId,
  kind,
  isOverview = false,
  mayRemove = true,
  note,
  empty,
}: Props) {
  const { t } = useTranslation('runs')
  const networkOf = useNetworkOf(networkName)
  const [removing, setRemoving] = useState<Run | null>(null)
  const [chosen, setChosen] = useState(noFilter)
  const query = useCall(
    'runs/list',
    { projectId },
    {
      quiet: true,
      refetchInterval: ({ state }) => (state.data?.runs.some(isOpen) ? client.pollMs : false),
    },
  )
  const remove = useRemoveRun()
  if (query.isError && !query.data)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Loading />
  const every = inOrderOfTrainings(query.data.runs).filter(
    (run) =>
      (parentId === undefined || run.parentId === parentId) && (kind === undefined || run.kind === kind),
  )
  if (every.length === 0) return empty
  const choices = filterChoices(every)
  const filter = possibleFilter(chosen, choices)
  const hasFilters = isOverview && (choices.groups.length > 1 || choices.projectIds.length > 1)
  const runs = every.filter((run) => matches(filter, run))
  const isPictured = runs.some(({ id }) => query.data.covers[id] !== undefined)
  // Tests beside each other, or runs of 4D flow.
  const finished = runs.filter(({ kind, state }) => (kind === 'test' || kind === 'flow') && state === 'done')
  return (
    <>
      {projectId !== null && finished.length > 1 ? (
        <Link to={`/compare?project=${projectId}`} className={styles.compare}>
          {t('list.compare')}
        </Link>
      ) : null}
      {hasFilters ? (
        <div className={styles.filters}>
          <Suspense fallback={null}>
            <RunFilters
              choices={choices}
              projectName={(id) => projectName?.(id) ?? null}
              filter={filter}
              onFilter={setChosen}
            />
          </Suspense>
        </div>
      ) : null}
      {runs.length === 0 ? <p className={styles.none}>{t('list.filter.none')}</p> : null}
      <ul className={styles.runs} data-overview={isOverview}>
        {runs.map((run) => (
          <Row
            key={run.id}
            run={run}
            cover={query.data.covers[run.id]}
            course={isOverview ? query.data.courses[run.id] : undefined}
            isPictured={isPictured}
            hasDuration={isOverview}
            about={[projectName?.(run.projectId), networkOf(run), run.datasetName]}
            note={note?.(run)}
            training={query.data.runs.find((one) => isCrossPart(run, one)) ?? null}
            onRemove={mayRemove ? () => setRemoving(run) : null}
          />
        ))}
      </ul>
      <ConfirmRemove
        open={removing !== null}
        title={t('list.removeTitle', { name: removing ? nameOf(removing, t) : '' })}
        text={t('list.removeText')}
        onConfirm={() => removing && remove.mutateAsync({ id: removing.id })}
        onClose={() => setRemoving(null)}
      />
    </>
  )
}

type RowProps = {
  run: Run
  cover: string | undefined
  /** How the score went, where the window is wide. */
  course: readonly number[] | undefined
  /** Whether some of the list have one: the names of the others begin where theirs do. */
  isPictured: boolean
  /** Whether ended runs give their duration, where the window is wide. */
  hasDuration: boolean
  about: (string | null | undefined)[]
  note: ReactNode
  /** Of a test of one round of a cross-validation: that training. */
  training: Run | null
  onRemove: (() => void) | null
}

function Row({ run, cover, course, isPictured, hasDuration, about, note, training, onRemove }: RowProps) {
  const { t } = useTranslation(['runs', 'figures'])
  const name = nameOf(run, t)
  const headline = headlineOf(run)
  const duration = hasDuration && !isOpen(run) ? durationOf(run) : null
  const founded = training ? headlineOf(training) : null
  return (
    <li className={styles.row}>
      <div className={styles.subject}>
        {isPictured && (
          <span className={styles.place}>
            <Cover url={cover} />
          </span>
        )}
        <div className={styles.what}>
          <Link to={`/run?id=${run.id}`} className={styles.name}>
            {name}
          </Link>
          <span className={styles.about}>{about.filter(Boolean).join(' · ')}</span>
          {founded ? (
            <span className={styles.about}>
              {t('figures:cross.part', {
                value: formatMetric(founded.name, founded.value),
                deviation: formatMetric(founded.name, founded.deviation),
              })}
            </span>
          ) : null}
          {note}
        </div>
      </div>
      <span className={styles.state}>
        <RunStateTag run={run} />
        {run.state === 'running' ? (
          <progress
            className={styles.bar}
            value={shareOf(run.progress)}
            aria-label={t('run.progressLabel')}
          />
        ) : null}
      </span>
      <span className={styles.score}>
        {headline ? (
          <>
            {founded ? (
              <span>{formatMetric(headline.name, headline.value)}</span>
            ) : (
              <b>
                {formatMetric(headline.name, headline.value)}
                {headline.deviation === null ? null : ` ± ${formatMetric(headline.name, headline.deviation)}`}
              </b>
            )}
            <small>{t(`metric.${headline.name}.name`)}</small>
          </>
        ) : null}
      </span>
      {course && course.length > 1 ? (
        <span className={styles.course}>
          <Spark values={course} />
        </span>
      ) : null}
      {duration === null ? null : (
        <span className={styles.duration}>
          {formatDuration(duration)}
          <small>{t('run.took')}</small>
        </span>
      )}
      <time className={styles.time} dateTime={run.createdAt} title={formatDate(run.createdAt)}>
        {formatDate(run.createdAt, 'relative')}
      </time>
      {onRemove ? (
        <Button
          type="text"
          className={styles.remove ?? ''}
          icon={<DeleteOutlined />}
          aria-label={t('list.remove', { name })}
          disabled={isOpen(run)}
          onClick={onRemove}
        />
      ) : null}
    </li>
  )
}

/** "Training 3" or "Test 1": each kind of run has numbers of its own in a project. */
export const nameOf = ({ kind, number }: Pick<Run, 'kind' | 'number'>, t: TFunction<'runs'>): string =>
  t(`list.${kind}`, { number })
