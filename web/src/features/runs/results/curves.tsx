import { mainMetric } from '@neuroloom/contract/metric'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { Button, Segmented } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatRate } from '../../../lib/format.ts'
import { formatMetric, formatTicks } from '../../../lib/metric.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { CurvePoint } from '../apply-event.ts'
import type { Line } from './curve-chart.tsx'
import { acrossFolds, type Chart, chartsOf, foldsOf } from './curve-series.ts'
import { CurveTable } from './curve-table.tsx'
import styles from './curves.module.css'

const CurveChart = lazyPart(async () => (await import('./curve-chart.tsx')).CurveChart)

/** How the training goes, epoch by epoch: drawn, and the same figures as a table. */
export function Curves({ run, curves }: { run: LearnedRun; curves: readonly CurvePoint[] }) {
  const { t } = useTranslation(['runs', 'results'])
  const [chosen, setChosen] = useState<number | null>(null)
  const [asTable, setAsTable] = useState(false)
  const folds = foldsOf(curves)
  const fold = chosen ?? folds.at(-1) ?? 0
  const charts = chartsOf(curves, fold, mainMetric[run.task])
  if (charts.length === 0) return <p className={styles.waiting}>{t('results:curves.waiting')}</p>
  return (
    <>
      <div className={styles.tools}>
        {folds.length > 1 ? (
          <Segmented
            aria-label={t('results:curves.chooseFold')}
            className={styles.choice ?? ''}
            options={folds.map((value) => ({
              value,
              label: t('results:curves.fold', { number: value + 1 }),
            }))}
            value={fold}
            onChange={setChosen}
          />
        ) : null}
        <Button type="link" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? t('results:curves.asCharts') : t('results:curves.asTable')}
        </Button>
      </div>
      {asTable ? (
        <CurveTable charts={charts} metric={mainMetric[run.task]} />
      ) : (
        <div className={styles.charts}>
          {charts.map((chart) => (
            <ChartFigure key={`${chart.key}-${fold}`} chart={chart} metric={mainMetric[run.task]} />
          ))}
        </div>
      )}
      {run.state === 'done' ? null : <AcrossFolds curves={curves} metric={mainMetric[run.task]} />}
    </>
  )
}

/** Validation stands out; training is the quieter, dashed companion. */
const looks = {
  train: { color: '--nl-accent', dashed: true },
  validation: { color: '--nl-primary', dashed: false },
} as const

function ChartFigure({ chart, metric }: { chart: Chart; metric: string }) {
  const { t } = useTranslation(['runs', 'results'])
  const [hovered, setHovered] = useState<number | null>(null)
  const name = chart.series[0]?.name ?? metric
  const format = (value: number) => (name === 'learningRate' ? formatRate(value) : formatMetric(name, value))
  const index = hovered ?? chart.epochs.length - 1
  const lines: Line[] = chart.series.map(({ split, values }) => ({
    label: t(`results:curves.${split}`),
    values,
    ...(chart.key === 'learningRate' ? looks.validation : looks[split]),
  }))
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <strong>
          {chart.key === 'metric' ? t(`metric.${metric}.name`) : t(`results:curves.${chart.key}`)}
        </strong>
        <span className={styles.epoch}>
          {t('results:curves.epoch', { number: chart.epochs[index] ?? 0 })}
        </span>
      </figcaption>
      <Suspense fallback={<div className={styles.canvas} />}>
        <CurveChart
          epochs={chart.epochs}
          lines={lines}
          formatTicks={(ticks) => formatTicks(name, ticks)}
          onHover={setHovered}
        />
      </Suspense>
      <ul className={styles.legend}>
        {lines.map(({ label, values, dashed, color }) => (
          <li key={label}>
            <span
              className={dashed ? styles.dashed : styles.solid}
              style={{ borderColor: `var(${color})` }}
              aria-hidden="true"
            />
            {chart.key === 'learningRate' ? null : `${label}: `}
            <b>{lastKnown(values, index, format)}</b>
          </li>
        ))}
      </ul>
    </figure>
  )
}

function lastKnown(values: (number | null)[], index: number, format: (value: number) => string): string {
  const known = values.slice(0, index + 1).findLast((value) => value !== null)
  return known === undefined || known === null ? '–' : format(known)
}

function AcrossFolds({ curves, metric }: { curves: readonly CurvePoint[]; metric: string }) {
  const { t } = useTranslation(['runs', 'results'])
  const result = acrossFolds(curves, metric)
  if (!result) return null
  return (
    <p className={styles.folds}>
      {t('results:curves.acrossFolds', {
        count: result.folds,
        metric: t(`metric.${metric}.name`),
        mean: formatMetric(metric, result.mean),
        deviation: formatMetric(metric, result.deviation),
      })}
    </p>
  )
}
