import { isCrossPart } from '@neuroloom/contract/evidence/cross-part'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import { useCall } from '../../../lib/query.ts'
import styles from '../run.module.css'
import { headlineOf } from './metrics.ts'

/** Of a test of one round of a cross-validation: which of the two figures is better founded. */
export function CrossPart({ run }: { run: LearnedRun }) {
  const { parentId, validation } = run
  // A test carries the split of its training.
  if (run.kind !== 'test' || parentId === null || validation.method !== 'kfold') return null
  return <Founded run={run} trainingId={parentId} />
}

function Founded({ run, trainingId }: { run: LearnedRun; trainingId: string }) {
  const { t } = useTranslation(['figures', 'runs'])
  const { data } = useCall('runs/detail', { id: trainingId })
  const { data: found } = useCall('runs/evidence', { id: trainingId })
  const training = data?.run
  const headline = training ? headlineOf(training) : null
  const all = found?.evidence?.items
  if (!training || !headline || all === undefined || training.state !== 'done') return null
  if (!isCrossPart(run, training)) return null
  const { name, value, deviation } = headline
  return (
    <p className={styles.lead}>
      {t('cross.better', {
        items: formatNumber(run.counts?.test ?? 0),
        all: formatNumber(all),
        metric: t(`runs:metric.${name}.name`),
        value: formatMetric(name, value),
        deviation: formatMetric(name, deviation),
      })}
    </p>
  )
}
