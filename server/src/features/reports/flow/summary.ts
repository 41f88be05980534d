/** What was measured and the main numbers, each with where it was measured and what was corrected before. */

import { topOf } from '@neuroloom/contract/flow/curve'
import type { ReportBlock } from '@neuroloom/contract/reports'
import { factsBlock, textBlock } from './blocks.ts'
import { type FlowFacts, isKnownFlow } from './facts.ts'
import { finerText } from './finer.ts'
import { judgement, valueText } from './lights.ts'
import { planeName } from './planes.ts'
import { spacingText } from './scan.ts'
import type { FlowWords } from './words.ts'

/** The section of planes tells of all others. */
const MOST_PLANES = 4

export function summaryBlocks(facts: FlowFacts, words: FlowWords): ReportBlock[] {
  const { study, project, run, statements } = facts
  const params = {
    study: study.name,
    frames: words.number(study.head.frames, 0),
    spacing: spacingText(study.head, words),
  }
  return [
    textBlock(words.t('research')),
    textBlock(
      words.joined([
        words.t(isKnownFlow(facts) ? 'summary.known' : 'summary.scan', params),
        ...finerText('summary.sharpened', facts, words),
        correctedText(facts, words),
      ]),
    ),
    {
      kind: 'table',
      anchor: 'main',
      caption: words.t('summary.caption'),
      head: ['number', 'value', 'where'].map((name) => words.t(`head.${name}`)),
      rows: [...planeRows(facts, words), ...maskRows(facts, words)],
    },
    factsBlock(
      [
        ['project', project.name],
        ['description', project.description === '' ? null : project.description],
        ['aims', statements.aims ?? null],
        ['computed', words.date(run.endedAt)],
      ],
      words,
    ),
  ]
}

/** "Corrected before: …", in the order in which it was done. */
export function correctedText({ results }: FlowFacts, words: FlowWords): string {
  const { steps, asked } = results
  const done = steps
    .filter(({ isDone }) => isDone)
    .map(({ name, numbers }) =>
      words.t(
        `summary.step.${name}`,
        name === 'offset' ? { order: numbers.order ?? asked.corrections.offset ?? 0 } : {},
      ),
    )
  const all = [...done, ...(asked.corrections.turn ? [words.t('summary.step.turn')] : [])]
  return all.length === 0
    ? words.t('summary.uncorrected')
    : words.t('summary.corrected', { steps: words.listed(all) })
}

function planeRows({ sections, study, massBalance, isMeasuring }: FlowFacts, words: FlowWords): string[][] {
  if (isMeasuring) return []
  const { period } = study.head
  const rows = sections.slice(0, MOST_PLANES).map((section, index) => {
    const { numbers, region, rule } = section
    const net = numbers?.net ?? null
    const minute =
      net === null || period === null
        ? ''
        : words.t('summary.minute', { litres: words.number((net * 60_000) / period, 2) })
    const [name, value] =
      study.head.frames === 1
        ? ['rate', words.said('rate', numbers?.rate[0])]
        : ['net', words.said('volume', net) + minute]
    return [
      words.t(`summary.${name}`, { plane: planeName(section, index) }),
      value,
      words.listed([words.t(`planes.short.${region}`), words.t(`planes.rule.${rule}`)]),
    ]
  })
  const balance = massBalance && [
    words.t('light.massBalance'),
    `${valueText(massBalance, words)} (${judgement(massBalance, words)})`,
    words.t('summary.allPlanes'),
  ]
  return [...rows, ...(balance ? [balance] : [])]
}

function maskRows({ results, study }: FlowFacts, words: FlowWords): string[][] {
  const { speed, energy, loss, vorticity } = results
  const rows = [
    ['p99', 'speed', speed.p99],
    ['energy', 'energy', energy],
    ['loss', 'power', loss],
    ...(vorticity ? [['vorticityP99', 'turning', vorticity.p99] as const] : []),
  ] as const
  return rows.map(([name, quantity, curve]) => {
    const top = topOf(curve)
    const value = words.said(quantity, top?.value)
    return [
      words.t('summary.highest', { number: words.t(`number.${name}`) }),
      top === null || study.head.frames === 1
        ? value
        : words.t('summary.at', { value, time: words.said('time', study.head.times[top.frame]) }),
      words.t('summary.mask'),
    ]
  })
}
