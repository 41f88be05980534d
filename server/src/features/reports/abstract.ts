/** What the first page of a report shows at a glance: the score with its range, one plot, and the best and worst images. */
import { hasEnoughCases } from '@neuroloom/contract/evidence/enough-cases'
import { mainMetric, metricKind } from '@neuroloom/contract/metric'
import type { ReportBlock } from '@neuroloom/contract/reports'
import { isRestoration } from '@neuroloom/contract/task'
import { quantile } from '../../infra/quantile.ts'
import { drawHistogram, drawScoreCard } from './abstract-charts.ts'
import { chartSize } from './charts.ts'
import type { Facts } from './facts.ts'
import { countedItems, itemKey } from './item-words.ts'
import { overallName, rocDrawing } from './results.ts'
import type { Words } from './words.ts'

type Drawing = Extract<ReportBlock, { kind: 'drawings' }>['drawings'][number]
type Picture = Extract<ReportBlock, { kind: 'pictures' }>['pictures'][number]

export type AbstractFacts = Pick<Facts, 'items' | 'scores' | 'evidence'> & {
  test: Pick<Facts['test'], 'task' | 'metrics' | 'perClass' | 'classes'>
}

/** Images of each kind. */
const SHOWN = 3

export function abstractBlocks(
  facts: AbstractFacts,
  words: Words,
  { best, worst }: { best: readonly Picture[]; worst: readonly Picture[] },
): ReportBlock[] {
  const { task } = facts.test
  const plot = (facts.evidence && rocDrawing(facts.evidence, words)) ?? scoresDrawing(facts, words)
  // Of fewer than six images none is among the best and the worst at once.
  const count = Math.min(SHOWN, Math.ceil(facts.items / 2))
  const lowest = worst.slice(0, count)
  const highest = best.filter(({ url }) => lowest.every((one) => one.url !== url)).slice(0, count)
  const pictures = (key: string, some: readonly Picture[]): ReportBlock[] =>
    some.length === 0
      ? []
      : [{ kind: 'pictures', text: words.t(itemKey(`abstract.${key}`, task)), pictures: [...some] }]
  return [
    { kind: 'drawings', drawings: [scoreDrawing(facts, words), ...(plot ? [plot] : [])] },
    ...pictures('best', highest),
    ...pictures('worst', lowest),
  ]
}

function scoreDrawing({ test, items, evidence }: AbstractFacts, words: Words): Drawing {
  const main: string = mainMetric[test.task]
  // Decibels have no scale from 0 to 1; the likeness of structures, measured beside them, has.
  const name = metricKind(main) === 'decibels' ? 'ssim' : main
  const score = test.metrics[name] ?? null
  const range = evidence?.intervals[name] ?? null
  const write = (value: number): string => words.metric(name, value)
  const title = overallName(name, test, words)
  const value = words.metric(name, score)
  const lines = [
    range
      ? words.t('abstract.range', { low: write(range[0]), high: write(range[1]) })
      : noRange(evidence, words),
    casesText({ test, items, evidence }, words),
  ]
  return {
    caption: words.t('abstract.score'),
    text: `${title}: ${value}. ${lines.join('. ')}.`,
    svg: drawScoreCard({
      ...{ title, value, lines, score, range },
      key: range ? words.t('abstract.key') : '',
      writeMark: (mark) => (metricKind(name) === 'percent' ? words.percent(mark) : words.number(mark, 2)),
    }),
    ...chartSize,
  }
}

const noRange = (evidence: Facts['evidence'], words: Words): string =>
  words.t(evidence && !hasEnoughCases(evidence) ? 'abstract.tooFew' : 'abstract.noRange')

/** How many were tested; of how many patients or series, where several stand for one. */
function casesText(
  { test, items, evidence }: Pick<AbstractFacts, 'test' | 'items' | 'evidence'>,
  words: Words,
): string {
  const counted = countedItems(items, test.task, words)
  const groups = evidence?.groups ?? items
  return groups < items
    ? words.t('abstract.nCases', { items: counted, cases: words.say('counted.cases', { count: groups }) })
    : words.t('abstract.n', { items: counted })
}

function scoresDrawing({ test: { task }, scores }: AbstractFacts, words: Words): Drawing | null {
  if (scores.length === 0) return null
  const isDecibels = isRestoration(task)
  const unit = words.t('unit.decibels', { number: '' }).trim()
  const write = (share: number): string =>
    words.metric(isDecibels ? 'psnr' : 'score', quantile(sorted, share))
  const sorted = [...scores].sort((one, other) => one - other)
  return {
    caption: words.t(itemKey('chart.scores.title', task)),
    text: words.t('chart.scores.text', {
      items: countedItems(scores.length, task, words),
      ...{ low: write(0), middle: write(0.5), high: write(1) },
    }),
    svg: drawHistogram({
      x: isDecibels ? `${words.name('metric', 'psnr')} (${unit})` : words.t('chart.scores.x'),
      y: words.t(itemKey('table.items', task)),
      ...{ values: scores, isUnit: !isDecibels },
    }),
    ...chartSize,
  }
}
