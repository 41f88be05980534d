import type { FlowTraining } from '@neuroloom/contract/flow/sharpen-calls'
import { isOpen } from '@neuroloom/contract/run-states'
import type { CurvePoint, Run } from '@neuroloom/contract/runs'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { refreshPaths, useCall } from '../../../lib/query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Panel } from '../../../ui/page.tsx'
import { projectAddress } from '../address.ts'
import { ResearchNote } from '../research-note.tsx'
import { KeptFlows } from './kept-flows.tsx'
import { ScoresTable } from './scores-table.tsx'
import styles from './sharpen.module.css'
import { TrainingCurves } from './training-curves.tsx'
import { Verdict } from './verdict.tsx'

type Props = {
  run: Pick<Run, 'id' | 'projectId' | 'state' | 'artifacts'>
  /** As far as the training has come. */
  curves: readonly CurvePoint[]
  /** A button a file; pages hand it in, because features do not know each other. */
  downloads: ReactNode
}

/** A training of velocity super-resolution: how it learns, and once it has ended whether it is any use. */
export function TrainingView({ run, curves, downloads }: Props) {
  const { t } = useTranslation('flow-sharpen')
  const query = useTraining(run)
  if (query.isError && !query.data)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Loading shape="rows" count={4} />
  const { results } = query.data
  return (
    <>
      {results !== null && <Results projectId={run.projectId} results={results} />}
      {results === null && !isOpen(run) && (
        <Panel title={t('results.title')}>
          <p className={styles.soft}>{t('results.none')}</p>
        </Panel>
      )}
      <Panel title={t('curves.title')}>
        <TrainingCurves curves={curves} />
      </Panel>
      <Asked training={query.data} />
      {run.artifacts.length > 0 && <Panel title={t('downloads')}>{downloads}</Panel>}
      <ResearchNote />
    </>
  )
}

/** Asked once more when the run moves on. */
function useTraining({ id, state }: Props['run']) {
  const queries = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state of the run has its own answer
  useEffect(() => refreshPaths(queries, ['flow/training']), [queries, state])
  return useCall('flow/training', { id }, { quiet: true })
}

type ResultsProps = { projectId: string; results: NonNullable<FlowTraining['results']> }

function Results({ projectId, results }: ResultsProps) {
  const { t } = useTranslation('flow-sharpen')
  const { gain, wins, flows, scores } = results
  return (
    <>
      <Panel title={t('results.title')}>
        <div className={styles.stack}>
          <Verdict gain={gain} wins={wins} count={flows.length} />
          <p className={styles.soft}>{t(`results.goal.${gain.against}`)}</p>
          <ScoresTable scores={scores} />
          {wins && (
            <p className={styles.soft}>
              {t('results.use')} <Link to={`${projectAddress(projectId)}#step-2`}>{t('results.toRuns')}</Link>
            </p>
          )}
        </div>
      </Panel>
      <Panel title={t('kept.title')}>
        <KeptFlows flows={flows} />
      </Panel>
    </>
  )
}

function Asked({ training: { asked, results } }: { training: FlowTraining }) {
  const { t } = useTranslation('flow-sharpen')
  const facts = {
    flows: formatNumber(asked.flows),
    epochs: formatNumber(asked.epochs),
    seed: formatNumber(asked.seed),
    ...(results === null
      ? {}
      : { factor: t('asked.times', { factor: results.factor }), parts: t('asked.partsOf', results.parts) }),
  }
  return (
    <Panel title={t('asked.title')}>
      <dl className={styles.facts}>
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt>{t(`asked.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
