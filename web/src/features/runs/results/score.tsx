import type { Evidence } from '@neuroloom/contract/evidence'
import { classFindings } from '@neuroloom/contract/evidence/class-findings'
import { isOpen } from '@neuroloom/contract/run-states'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { shareOf } from '@neuroloom/contract/statistics/proportion'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { formatMetric } from '../../../lib/metric.ts'
import styles from '../run.module.css'
import { BadCases, caseTexts, useCases } from './bad-cases.tsx'
import { CrossPart } from './cross-part.tsx'
import { itemKind } from './item-kind.ts'
import { MetricName } from './metric-name.tsx'
import { headlineOf, orderedMetrics } from './metrics.ts'
import { type Cases, outlineVerdict, pooledNote } from './outline-verdict.ts'
import { RoundStrip } from './round-strip.tsx'
import { ScaleBar } from './scale-bar.tsx'

type Props = {
  run: LearnedRun
  evidence?: Evidence | null
  /** Leads to the images that went badly; null where the page shows none. */
  onShowBad?: (() => void) | null
}

/** The result as one figure, what it means in plain words, and the other figures beside it. */
export function Score({ run, evidence = null, onShowBad = null }: Props) {
  const { t } = useTranslation(['runs', 'results'])
  const cases = useCases(run)
  const headline = headlineOf(run)
  if (!headline) return <p className={styles.lead}>{t('results:score.none')}</p>
  const { name, value, deviation } = headline
  const range = evidence ? (evidence.intervals[name] ?? null) : fewRange(run)
  // With evidence one table of the page has them all.
  const others = evidence ? [] : orderedMetrics(run.metrics).filter((other) => other !== name)
  return (
    <div className={styles.score}>
      <div className={styles.headline}>
        <span className={styles.headlineName}>
          <MetricName name={name} of={run} />
        </span>
        <span className={styles.headlineValue}>
          {formatMetric(name, value)}
          {deviation === null ? null : <small> ± {formatMetric(name, deviation)}</small>}
        </span>
        {evidence || range ? <ScaleBar name={name} value={value} range={range} /> : null}
      </div>
      <div className={styles.meaning}>
        {isOpen(run) ? null : <WorstClasses run={run} />}
        <CrossPart run={run} />
        <p className={styles.lead}>
          {t(`results:score.${meaningOf(run, value, cases)}`, {
            ...sharesOf(run, value),
            ...gainText(run),
            ...(cases ? caseTexts(cases) : {}),
            context: run.task,
          })}
        </p>
        <PooledNote run={run} mean={value} />
        <BadCases run={run} cases={cases} onShow={onShowBad} />
        <FewPictures run={run} />
        <p className={styles.source}>
          {t(`results:score.source.${sourceOf(run)}`, { ...countsOf(run), context: run.task })}
        </p>
        <RoundStrip run={run} />
        {sourceOf(run) === 'folds' && !isOpen(run) ? (
          <p className={styles.source}>{t('results:score.handedOut')}</p>
        ) : null}
        <dl className={styles.figures}>
          {others.map((other) => (
            <div key={other}>
              <dt>
                <MetricName name={other} of={run} />
              </dt>
              <dd>{formatMetric(other, run.metrics[other])}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}

/** Fewer than these leave the true share open by more than a quarter. */
const FEW = 50

/** How far a training's share of few images may be from the true one; a test has its ranges from its evidence. */
function fewRange(run: LearnedRun): [low: number, high: number] | null {
  const named = namedOf(run)
  if (run.kind === 'test' || isOpen(run) || named === null || named.total >= FEW) return null
  const range = shareOf(named.count, named.total)?.wilson
  return range ? [range.low ?? 0, range.high ?? 1] : null
}

/** The range of few images in words. */
function FewPictures({ run }: { run: LearnedRun }) {
  const { t } = useTranslation('results')
  const range = fewRange(run)
  if (range === null) return null
  return (
    <p className={styles.source}>
      {t('score.few', {
        low: formatPercent(range[0], 0),
        high: formatPercent(range[1], 0),
        context: run.validation.method === 'kfold' ? 'folds' : '',
      })}
    </p>
  )
}

/** The pictures behind the figure of a classification, and those of them that were named correctly; null of other tasks. */
function namedOf({ task, confusion }: LearnedRun): { count: number; total: number } | null {
  if (task !== 'classification' || confusion === null) return null
  const total = confusion.flat().reduce((sum, cell) => sum + cell, 0)
  const count = confusion.reduce((sum, row, index) => sum + (row[index] ?? 0), 0)
  return total === 0 ? null : { count, total }
}

/** What the mean over the classes hides: classes that were never found, or else the one that was found least. */
function WorstClasses({ run: { task, perClass } }: { run: Pick<LearnedRun, 'task' | 'perClass'> }) {
  const { t } = useTranslation('figures')
  const classNameOf = useClassName(task)
  return classFindings(task, perClass).map((finding) => (
    <p key={finding.class} className={styles.worstClass} data-kind={finding.kind}>
      {t(`class.${finding.kind}`, {
        name: classNameOf(finding.class),
        ...('of' in finding
          ? { found: formatNumber(finding.found), of: formatNumber(finding.of) }
          : { value: formatMetric('dice', finding.dice) }),
      })}
    </p>
  ))
}

/** Of outlines, that the points of all images together tell something else than the mean over the images. */
function PooledNote({ run, mean }: { run: LearnedRun; mean: number }) {
  const { t } = useTranslation('results')
  const pooled = pooledOf(run)
  const note = itemKind[run.task] === 'outlines' && !isOpen(run) ? pooledNote({ mean, pooled }) : null
  if (note === null) return null
  return (
    <p className={styles.lead}>
      {t(`score.${note}`, { value: formatMetric('dice', pooled), context: run.task })}
    </p>
  )
}

const pooledOf = ({ metrics }: LearnedRun): number | null => metrics.pooledDice ?? null

/** What the figure means: counted pictures, a band in words, or how far it is above what needs no network. */
function meaningOf(run: LearnedRun, value: number, cases: Cases | null): string {
  const { task, kind, counts } = run
  if (isOpen(run)) return 'soFar'
  switch (itemKind[task]) {
    case 'class':
      return namedOf(run) || (kind === 'test' && counts?.test) ? 'exact' : 'classification'
    case 'labels':
      return bandOf(value, labelBands)
    case 'outlines':
      return outlineVerdict({ mean: value, pooled: pooledOf(run), cases })
    case 'boxes':
      return bandOf(value, foundBands)
    case 'restored':
      return restoredOf(gainOf(run))
  }
}

type Bands = readonly (readonly [least: number, text: string])[]

const labelBands: Bands = [
  [0.8, 'labelsGood'],
  [0.6, 'labelsFair'],
  [0, 'labelsPoor'],
]
const foundBands: Bands = [
  [0.9, 'foundExcellent'],
  [0.75, 'foundGood'],
  [0.5, 'foundFair'],
  [0, 'foundPoor'],
]

const bandOf = (value: number, bands: Bands): string => bands.find(([least]) => value >= least)?.[1] ?? 'none'

/** Less than this in decibels is not seen. */
const SEEN = 0.1

/** Above bicubic enlargement, or above the noisy picture; null where the engine could not tell. */
function gainOf({ metrics: { psnr, bicubicPsnr, inputPsnr } }: LearnedRun): number | null {
  const before = bicubicPsnr ?? inputPsnr ?? null
  return before === null || psnr === null || psnr === undefined ? null : psnr - before
}

function restoredOf(gain: number | null): string {
  if (gain === null) return 'restoredAlone'
  if (Math.abs(gain) < SEEN) return 'restoredSame'
  return gain > 0 ? 'restoredBetter' : 'restoredWorse'
}

function gainText(run: LearnedRun): { gain?: string } {
  const gain = gainOf(run)
  return gain === null ? {} : { gain: formatMetric('psnr', Math.abs(gain)) }
}

/** Counted pictures; a hundred where an older run did not count them. */
function sharesOf(run: LearnedRun, value: number): { total: number; count: number } {
  const total = (run.kind === 'test' ? run.counts?.test : null) ?? 100
  return namedOf(run) ?? { total, count: Math.round(value * total) }
}

function sourceOf({ kind, validation, state }: LearnedRun): string {
  if (kind === 'test') return 'test'
  if (validation.method !== 'kfold') return 'validation'
  return state === 'stopped' ? 'foldsStopped' : 'folds'
}

function countsOf({ counts, validation }: LearnedRun): Record<string, string | number> {
  const items = counts?.test ?? counts?.validation ?? 0
  return {
    count: items,
    items: formatNumber(items),
    folds: validation.method === 'kfold' ? validation.splits : 1,
  }
}
