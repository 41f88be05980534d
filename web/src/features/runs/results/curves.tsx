import { mainMetric } from '@neuroloom/contract/metric'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { Button, Segmented } from 'antd'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatRate } from '../../../lib/format.ts'
import { formatMetric, formatTicks } from '../../../lib/metric.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Panel } from '../../../ui/page.tsx'
import type { CurvePoint } from '../apply-event.ts'
import type { Line } from './curve-chart.tsx'
import { bestEpochOf, overfitSince } from './curve-reading.ts'
import { acrossFolds, type Chart, chartsOf, foldsOf } from './curve-series.ts'
import { CurveTable } from './curve-table.tsx'
import styles from './curves.module.css'

const CurveChart = lazyPart(async () => (await import('./curve-chart.tsx')).CurveChart)

type Props = { run: LearnedRun; curves: readonly CurvePoint[] }

/** How the training goes, epoch by epoch: drawn, and the same figures as a table. */
export function Curves({ run, curves }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const [chosen, setChosen] = useState<number | null>(null)
  const [asTable, setAsTable] = useState(false)
  const [hasMore, setHasMore] = useState(false)
  const metric = mainMetric[run.task]
  const folds = foldsOf(curves)
  const fold = chosen ?? folds.at(-1) ?? 0
  const charts = chartsOf(curves, fold, metric)
  const best = bestEpochOf(curves, { fold, metric, metrics: run.metrics })
  return (
    <Panel
      title={t('results:curves.title')}
      extra={
        charts.length > 0 ? (
          <Button
            type="link"
            className={styles.toggle ?? ''}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? t('results:curves.asCharts') : t('results:curves.asTable')}
          </Button>
        ) : null
      }
    >
      {charts.length === 0 ? <p className={styles.waiting}>{t('results:curves.waiting')}</p> : null}
      {folds.length > 1 ? (
        <Segmented
          aria-label={t('results:curves.chooseFold')}
          className={styles.choice ?? ''}
          options={folds.map((value) => ({ value, label: t('results:curves.fold', { number: value + 1 }) }))}
          value={fold}
          onChange={setChosen}
        />
      ) : null}
      <Overfits since={overfitSince(curves, fold)} />
      {asTable ? (
        <CurveTable charts={charts} metric={metric} />
      ) : (
        <Charts charts={charts} fold={fold} metric={metric} best={best} hasMore={hasMore} />
      )}
      {!asTable && charts.some(isFurther) ? (
        <Button
          type="link"
          className={styles.toggle ?? ''}
          aria-expanded={hasMore}
          onClick={() => setHasMore(!hasMore)}
        >
          {t(hasMore ? 'results:curves.fewer' : 'results:curves.more')}
        </Button>
      ) : null}
      {run.state === 'done' ? null : <AcrossFolds curves={curves} metric={metric} />}
    </Panel>
  )
}

/** Shown when asked for. */
const isFurther = ({ key }: Chart): boolean => key === 'learningRate'

function Overfits({ since }: { since: number | null }) {
  const { t } = useTranslation('results')
  return since === null ? null : <p className={styles.overfits}>{t('curves.overfits', { epoch: since })}</p>
}

type ChartsProps = {
  charts: readonly Chart[]
  fold: number
  metric: string
  best: number | null
  hasMore: boolean
}

function Charts({ charts, fold, metric, best, hasMore }: ChartsProps) {
  const link = useId()
  return (
    <div className={styles.charts}>
      {charts
        .filter((chart) => hasMore || !isFurther(chart))
        .map((chart) => (
          <ChartFigure key={`${chart.key}-${fold}`} chart={chart} metric={metric} best={best} link={link} />
        ))}
    </div>
  )
}

/** Validation stands out; training is the quieter, dashed companion. */
const looks = {
  train: { color: '--nl-accent', dashed: true },
  validation: { color: '--nl-primary', dashed: false },
} as const

type FigureProps = { chart: Chart; metric: string; best: number | null; link: string }

function ChartFigure({ chart, metric, best, link }: FigureProps) {
  const { t } = useTranslation(['runs', 'results'])
  const [hovered, setHovered] = useState<number | null>(null)
  const name = chart.series[0]?.name ?? metric
  const format = (value: number) => (name === 'learningRate' ? formatRate(value) : formatMetric(name, value))
  const index = hovered ?? chart.epochs.length - 1
  const epoch = chart.epochs[index] ?? 0
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
          {t('results:curves.epoch', { number: epoch })}
          {best === null || hovered !== null ? null : (
            <span className={styles.best}> · {t('results:curves.best', { number: best })}</span>
          )}
        </span>
      </figcaption>
      <Suspense fallback={<div className={styles.canvas} />}>
        <CurveChart
          epochs={chart.epochs}
          lines={lines}
          name={name}
          link={link}
          axisName={t('results:curves.epochColumn')}
          best={best}
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
