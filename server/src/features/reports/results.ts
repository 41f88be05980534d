import { decisionFigures } from '@neuroloom/contract/decision'
import type { Decision, Evidence } from '@neuroloom/contract/evidence'
import { decisionColumns } from '@neuroloom/contract/evidence/decision-columns'
import { figureMean, plainFigure } from '@neuroloom/contract/evidence/figure-means'
import { orderedFigures } from '@neuroloom/contract/evidence/figure-order'
import { mainMetric } from '@neuroloom/contract/metric'
import { shortName } from '@neuroloom/contract/names/short-name'
import type { ReportBlock } from '@neuroloom/contract/reports'
import type { CurvePoint } from '@neuroloom/contract/runs'
import { isRestoration, type Task } from '@neuroloom/contract/task'
import { itemMetric } from '../runs/service.ts'
import { type Chart, chartSize, drawChart } from './charts.ts'
import { classNames } from './class-names.ts'
import type { Facts } from './facts.ts'
import { itemKey } from './item-words.ts'
import type { Words } from './words.ts'

type Drawing = Extract<ReportBlock, { kind: 'drawings' }>['drawings'][number]
type Table = Extract<ReportBlock, { kind: 'table' }>
/** Facts that the tables and curves of the results are made of. */
export type ResultFacts = Pick<Facts, 'isCross' | 'evidence' | 'groups'> & {
  test: Pick<Facts['test'], 'task' | 'metrics' | 'perClass' | 'classes' | 'confusion'>
}

/** Spreads over folds stand beside their means; learning rates are no result. */
const isResult = (name: string): boolean => name !== 'learningRate' && !name.endsWith('Sd')

/** Metrics with their ranges, class by class, who was taken for whom, and the curves behind them. */
export function resultBlocks(facts: ResultFacts, words: Words): ReportBlock[] {
  const { test, evidence } = facts
  const tables = [
    metrics(facts, words),
    parts(facts, words),
    perClass(facts, words),
    decisions(facts, words),
    confusion(facts, words),
    byGroup(facts, words),
    ...(evidence ? [surfaces(evidence, test.task, words), gains(evidence, words)] : []),
  ].filter(({ rows }) => rows.length > 0)
  const drawings = evidence ? evidenceDrawings(evidence, words) : []
  return drawings.length > 0 ? [...tables, { kind: 'drawings', drawings }] : tables
}

const rangeOf = (
  range: readonly [number, number] | null | undefined,
  write: (value: number) => string,
): string => (range ? `${write(range[0])} – ${write(range[1])}` : '–')

function metrics({ test, isCross, evidence }: ResultFacts, words: Words): Table {
  const main: string = mainMetric[test.task]
  // Of a cross-validation no single threshold stands for those of its parts.
  const names = orderedFigures(Object.keys(test.metrics)).filter(
    (name) => isResult(name) && !(isCross && name === 'threshold'),
  )
  const ordered = [...names.filter((name) => name === main), ...names.filter((name) => name !== main)]
  return {
    kind: 'table',
    caption: words.t(isCross ? 'results.metricsCross' : 'results.metrics'),
    head: [words.t('table.measure'), words.t('table.value'), words.t('table.range')],
    rows: ordered.map((name) => [
      overallName(name, test, words),
      words.metric(name, test.metrics[name]),
      rangeOf(evidence?.intervals[name], (value) => words.metric(name, value)),
    ]),
  }
}

/** The name of an overall figure, with what it is a mean of. */
export function overallName(name: string, test: Parameters<typeof figureMean>[1], words: Words): string {
  const mean = figureMean(name, test)
  if (!mean) return words.name('metric', name)
  return words.figure(`mean.${mean.kind}`, { ...mean, name: words.name('metric', plainFigure(name)) })
}

/** What each part gave by itself: how far one split alone might have led astray. */
function parts({ test, isCross, evidence }: ResultFacts, words: Words): Table {
  const main: string = mainMetric[test.task]
  const found = isCross ? (evidence?.cross?.parts ?? []) : []
  return {
    kind: 'table',
    anchor: 'parts',
    caption: words.t('results.parts'),
    head: [
      words.t('table.part'),
      words.t(itemKey('table.items', test.task)),
      words.t('table.epoch'),
      words.name('metric', main),
    ],
    rows: found.map(({ items, epoch, values }, index) => [
      words.number(index + 1),
      words.number(items),
      words.number(epoch),
      words.metric(main, values[main]),
    ]),
  }
}

/** Without the figures that the table of decisions holds under the names that doctors give them. */
function perClass({ test, evidence }: ResultFacts, words: Words): Table {
  const nameOf = classNames(test.task, words)
  const decided = decisionColumns(test.perClass, evidence?.decisions ?? [])
  const measured = new Set(test.perClass.flatMap(({ values }) => Object.keys(values)))
  const names = orderedFigures([...measured].filter((name) => !decided.has(name)))
  const ranges = new Map(evidence?.perClass.map((one) => [one.class, one.intervals]))
  const cell = (name: string, className: string, value: number | null | undefined): string => {
    const range = ranges.get(className)?.[name]
    const text = words.metric(name, value)
    return range ? `${text} (${rangeOf(range, (side) => words.metric(name, side))})` : text
  }
  return {
    kind: 'table',
    caption: words.t('results.perClass'),
    head: [words.t('table.class'), ...names.map((name) => words.name('metric', name))],
    rows:
      names.length === 0
        ? []
        : test.perClass.map((one) => [
            nameOf(one.class),
            ...names.map((name) => cell(name, one.class, one.values[name])),
          ]),
  }
}

/** What doctors ask of each class, as it was decided before the test. */
function decisions({ test, evidence }: ResultFacts, words: Words): Table {
  const nameOf = classNames(test.task, words)
  const found = evidence?.decisions ?? []
  const hasThresholds = found.some(({ threshold }) => threshold !== null)
  const columns = decisionFigures.filter((name) =>
    found.some(({ figures }) => figures.some((one) => one.name === name)),
  )
  const share = (value: number | null): string => words.metric('recall', value)
  const threshold = ({ threshold: value, basis }: Decision): string => {
    const text = words.metric('threshold', value)
    return basis === 'few' ? words.t('table.thresholdFew', { share: text }) : text
  }
  return {
    kind: 'table',
    anchor: 'diagnostic',
    caption: words.t(decisionCaption(found)),
    head: [
      words.t('table.class'),
      ...(hasThresholds ? [words.t('table.threshold')] : []),
      ...columns.map((name) => words.t(`table.${name}`)),
    ],
    rows: found.map((one) => [
      nameOf(one.class),
      ...(hasThresholds ? [threshold(one)] : []),
      ...columns.map((name) => {
        const figure = one.figures.find((own) => own.name === name)
        const text = share(figure?.value ?? null)
        return figure?.interval ? `${text} (${rangeOf(figure.interval, share)})` : text
      }),
    ]),
  }
}

function decisionCaption(found: readonly Decision[]): string {
  if (found.some(({ basis }) => basis === 'folds')) return 'results.decisionsFolds'
  return found.some(({ threshold }) => threshold !== null)
    ? 'results.decisions'
    : 'results.decisionsLikeliest'
}

function confusion({ test }: ResultFacts, words: Words): Table {
  const classes = test.classes.map(classNames(test.task, words))
  return {
    kind: 'table',
    caption: words.t('results.confusion'),
    head: [words.t('table.truth'), ...classes],
    rows: (test.confusion ?? []).map((row, index) => [
      classes[index] ?? '',
      ...row.map((count) => words.number(count)),
    ]),
  }
}

/** Lines of patients in a report: those with the lowest mean. */
const GROUPS = 10

function byGroup({ test, groups }: ResultFacts, words: Words): Table {
  const metric = itemMetric[test.task]
  const shown = groups.slice(0, GROUPS)
  return {
    kind: 'table',
    caption:
      shown.length < groups.length
        ? words.t('results.groupsWorst', { shown: shown.length, all: words.number(groups.length) })
        : words.t('results.groups'),
    head: [
      words.t('table.group'),
      words.t(itemKey('table.items', test.task)),
      words.t('table.meanOf', { metric: words.name('metric', metric) }),
      words.t(itemKey('table.worstItem', test.task)),
    ],
    rows: shown.map(({ name, items, mean, worst }) => [
      shortName(name),
      words.number(items),
      words.metric(metric, mean),
      shortName(worst.name),
    ]),
  }
}

function surfaces({ surfaces: found }: Evidence, task: Task, words: Words): Table {
  const nameOf = classNames(task, words)
  const write = (value: number | null): string => (value === null ? '–' : words.number(value, 2))
  return {
    kind: 'table',
    caption: words.t(itemKey('results.surfaces', task)),
    head: [
      words.t('table.class'),
      words.t('table.mean'),
      words.t('table.median'),
      words.t('table.range'),
      words.t(itemKey('table.measured', task)),
    ],
    rows: found.map((one) => [
      nameOf(one.class),
      write(one.mean),
      write(one.median),
      rangeOf(one.interval, (value) => words.number(value, 2)),
      words.number(one.measured),
    ]),
  }
}

function gains({ gains: found }: Evidence, words: Words): Table {
  return {
    kind: 'table',
    caption: words.t('results.gains'),
    head: [
      words.t('table.measure'),
      words.t('table.network'),
      words.t('table.baseline'),
      words.t('table.gain'),
      words.t('table.range'),
      words.t('table.worse'),
    ],
    rows: found.map(({ metric, mean, baseline, interval, worse }) => [
      words.name('metric', metric),
      words.metric(metric, mean),
      words.metric(metric, baseline),
      words.metric(metric, mean - baseline),
      interval === null
        ? '–'
        : words.figure('difference.range', {
            low: words.metric(metric, interval[0]),
            high: words.metric(metric, interval[1]),
          }),
      words.number(worse),
    ]),
  }
}

/** Of each class; it stands on the first page. Null of tasks without. */
export function rocDrawing({ curves }: Evidence, words: Words): Drawing | null {
  const drawn = curves.filter(({ points }) => points.length > 0)
  if (drawn.length === 0) return null
  return drawing(words, 'roc', {
    lines: drawn.map((one) => ({
      name: areaText(one.class, one.rocAuc, words),
      points: [
        [0, 0],
        ...one.points.map(({ specificity, sensitivity }) => [1 - specificity, sensitivity] as const),
        [1, 1],
      ],
    })),
    hasDiagonal: true,
  })
}

const areaText = (name: string, value: number | null, words: Words): string =>
  `${name} ${value === null ? '–' : words.number(value, 3)}`

/** The ROC curve stands on the first page already. */
function evidenceDrawings({ curves, calibration, detections }: Evidence, words: Words): Drawing[] {
  const drawn = curves.filter(({ points }) => points.length > 0)
  const area = (name: string, value: number | null): string => areaText(name, value, words)
  const drawings: Drawing[] = []
  if (drawn.length > 0) {
    drawings.push(
      drawing(words, 'precision', {
        lines: drawn.map((one) => ({
          name: area(one.class, one.averagePrecision),
          points: one.points.map(({ sensitivity, precision }) => [sensitivity, precision] as const),
        })),
      }),
    )
  }
  const found = detections.filter(({ points }) => points.length > 0)
  if (found.length > 0) {
    drawings.push(
      drawing(words, 'precision', {
        lines: found.map((one) => ({
          name: area(one.class, one.averagePrecision),
          points: one.points.map(({ recall, precision }) => [recall, precision] as const),
        })),
      }),
    )
  }
  const bins = calibration?.bins.flatMap(({ confidence, accuracy }) =>
    confidence === null || accuracy === null ? [] : [[confidence, accuracy] as const],
  )
  if (bins && bins.length > 0) {
    const name = words.t('chart.calibration.line', { error: words.number(calibration?.error ?? 0, 3) })
    drawings.push(drawing(words, 'calibration', { lines: [{ name, points: bins }], hasDiagonal: true }))
  }
  return drawings
}

function drawing(
  words: Words,
  name: 'roc' | 'precision' | 'calibration',
  chart: Pick<Chart, 'lines' | 'hasDiagonal'>,
): Drawing {
  const svg = drawChart({
    ...chart,
    x: words.t(`chart.${name}.x`),
    y: words.t(`chart.${name}.y`),
    isUnit: true,
  })
  const text = chart.lines.map((line) => line.name).join(', ')
  return { caption: words.t(`chart.${name}.title`), text, svg, ...chartSize }
}

/** Loss of both parts, and the measure that the run is judged by. */
export function trainingDrawings({ curves, test }: Facts, words: Words): ReportBlock[] {
  if (curves.length === 0) return []
  const main = mainMetric[test.task]
  const charts: { name: string; splits: CurvePoint['split'][] }[] = [
    { name: 'loss', splits: ['train', 'validation'] },
    { name: main, splits: ['validation'] },
  ]
  const folds = [...new Set(curves.map(({ fold }) => fold))]
  const drawings = charts.flatMap(({ name, splits }): Drawing[] => {
    const hasBoth = folds.length > 1 && splits.length > 1
    const lines = splits.flatMap((split) =>
      linesOf(curves, { name, split, folds, words }).map((line) => ({
        ...line,
        isDashed: hasBoth && split === 'validation',
      })),
    )
    if (lines.length === 0) return []
    const title = words.name('metric', name)
    const strokes = { solid: words.t('part.train'), dashed: words.t('part.validation') }
    const chart = { x: words.t('chart.epoch'), y: title, lines, ...(hasBoth ? { strokes } : {}) }
    return [
      {
        caption: words.t('chart.training', { metric: title }),
        text: title,
        svg: drawChart(chart),
        ...chartSize,
      },
    ]
  })
  return drawings.length > 0 ? [{ kind: 'drawings', drawings }] : []
}

type Wanted = { name: string; split: CurvePoint['split']; folds: readonly number[]; words: Words }

/** Of more there is room for their numbers alone. */
const FEW_FOLDS = 6

/** One line for each fold. */
function linesOf(curves: readonly CurvePoint[], { name, split, folds, words }: Wanted): Chart['lines'] {
  const measured = curves.filter((point) => point.split === split && point.values[name] != null)
  return folds.flatMap((fold) => {
    const points = measured.flatMap((point) =>
      point.fold === fold ? [[point.epoch, point.values[name] ?? 0] as const] : [],
    )
    const part = folds.length > FEW_FOLDS ? String(fold + 1) : words.t('chart.fold', { fold: fold + 1 })
    const title = folds.length > 1 ? part : words.t(`part.${split}`)
    return points.length > 0 ? [{ name: title, points }] : []
  })
}

/** Whether an item's score is a number of decibels. */
export const scoreText = (facts: Facts, words: Words, score: number | null): string =>
  words.metric(isRestoration(facts.test.task) ? 'psnr' : 'score', score)
