import { mainMetric } from '@neuroloom/contract/metric'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatMetric } from '../../../lib/metric.ts'
import { useCall } from '../../../lib/query.ts'
import styles from '../run.module.css'

/** Of a cross-validation: each round as a dot on one scale, with the 95 % range of all together and what that leaves out. */
export function RoundStrip({ run }: { run: LearnedRun }) {
  if (run.kind !== 'train' || run.validation.method !== 'kfold' || run.state !== 'done') return null
  return <Strip run={run} />
}

const WIDTH = 300
const EDGE = 12
const MIDDLE = 14

function Strip({ run }: { run: LearnedRun }) {
  const { t } = useTranslation(['figures', 'runs'])
  const { data } = useCall('runs/evidence', { id: run.id }, { quiet: true })
  const evidence = data?.evidence
  const name = mainMetric[run.task]
  const values = evidence?.cross?.parts.flatMap(({ values: own }) => own[name] ?? []) ?? []
  if (!evidence || values.length < 2) return null
  const range = evidence.intervals[name] ?? null
  const ends = [...values, ...(range ?? [])]
  const [least, most] = [Math.min(...ends), Math.max(...ends)]
  const place = (value: number): number =>
    most > least ? EDGE + ((value - least) / (most - least)) * (WIDTH - 2 * EDGE) : WIDTH / 2
  const said = t('cross.rounds', {
    metric: t(`runs:metric.${name}.name`),
    values: values.map((value) => formatMetric(name, value)).join(' · '),
  })
  return (
    <figure className={styles.rounds}>
      <svg viewBox={`0 0 ${WIDTH} ${2 * MIDDLE}`} role="img" aria-label={said}>
        <line x1={EDGE} x2={WIDTH - EDGE} y1={MIDDLE} y2={MIDDLE} className={styles.roundScale} />
        {range ? (
          <line
            x1={place(range[0])}
            x2={place(range[1])}
            y1={MIDDLE}
            y2={MIDDLE}
            className={styles.roundRange}
          />
        ) : null}
        {values.map((value, round) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rounds have their number alone
          <circle key={round} cx={place(value)} cy={MIDDLE} r={5} className={styles.round} />
        ))}
      </svg>
      <figcaption>
        <span>{said}</span>
        {range ? (
          <span>
            {t('cross.leavesOut', {
              low: formatMetric(name, range[0]),
              high: formatMetric(name, range[1]),
              deviation: formatMetric(name, run.metrics[`${name}Sd`]),
            })}
          </span>
        ) : null}
      </figcaption>
    </figure>
  )
}
