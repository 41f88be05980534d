import type { ClassCurve, Decision } from '@neuroloom/contract/evidence'
import type { Task } from '@neuroloom/contract/task'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatPercent } from '../../../lib/format.ts'
import { formatMetric, formatThreshold } from '../../../lib/metric.ts'
import { SquareChart } from '../../../ui/charts/square-chart.tsx'
import styles from './evidence.module.css'
import { measuredAt, startOf } from './threshold.ts'
import { ThresholdChoice } from './threshold-choice.tsx'

/** One class against the rest: how much is found and how much is a false alarm, at a threshold that one may move. */
type Props = {
  curves: ClassCurve[]
  decisions: Decision[]
  task: Task
  /** Beside the result: one chart at a time, without the lead. */
  isShort?: boolean
}

export function ThresholdView({ curves, decisions, task, isShort = false }: Props) {
  const { t } = useTranslation('evidence')
  const classNameOf = useClassName(task)
  const [chosen, setChosen] = useState(curves.at(-1)?.class)
  const [moved, setMoved] = useState<number | null>(null)
  const [shown, setShown] = useState<'roc' | 'pr'>('roc')
  const threshold = moved ?? startOf(decisions, chosen)
  const curve = curves.find((one) => one.class === chosen) ?? curves[0]
  if (!curve) return null
  const { sensitivity, specificity, precision } = measuredAt(curve, decisions, threshold)
  const name = classNameOf(curve.class)
  return (
    <>
      {isShort ? null : <p className={styles.lead}>{t('threshold.lead', { context: task })}</p>}
      <ThresholdChoice
        classes={curves.map((one) => one.class)}
        classNameOf={classNameOf}
        chosen={curve.class}
        onChoose={(next) => {
          setChosen(next)
          setMoved(null)
        }}
        threshold={threshold}
        onMove={setMoved}
        label={t('threshold.named', { name, share: formatThreshold(threshold) })}
      />
      <ul className={styles.said} aria-live="polite">
        <li>{t('threshold.found', { name, share: formatPercent(sensitivity, 1) })}</li>
        <li>{t('threshold.spared', { name, share: formatPercent(specificity, 1) })}</li>
        <li>
          {precision === null
            ? t('threshold.neverNamed', { name })
            : t('threshold.right', { name, share: formatPercent(precision, 1) })}
        </li>
      </ul>
      {isShort ? (
        <Segmented<'roc' | 'pr'>
          aria-label={t('threshold.chart')}
          value={shown}
          onChange={setShown}
          options={[
            { value: 'roc', label: t('threshold.rocShort') },
            { value: 'pr', label: t('threshold.prShort') },
          ]}
        />
      ) : null}
      <div className={styles.charts}>
        {isShort && shown === 'pr' ? null : (
          <SquareChart
            title={t('threshold.roc', { value: formatMetric('rocAuc', curve.rocAuc) })}
            x={t('threshold.falseAlarms')}
            y={t('threshold.sensitivity')}
            points={[
              [0, 0],
              ...curve.points.map((one): [number, number] => [1 - one.specificity, one.sensitivity]),
            ]}
            marked={[1 - specificity, sensitivity]}
            guide="diagonal"
          />
        )}
        {isShort && shown === 'roc' ? null : (
          <SquareChart
            title={t('threshold.pr', { value: formatMetric('rocAuc', curve.averagePrecision) })}
            x={t('threshold.sensitivity')}
            y={t('threshold.precision')}
            points={curve.points.map((one) => [one.sensitivity, one.precision])}
            marked={precision === null ? null : [sensitivity, precision]}
            guide={curve.positives / (curve.positives + curve.negatives)}
          />
        )}
      </div>
    </>
  )
}
