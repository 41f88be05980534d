/** Numbers of the whole mask: velocities, energy, loss, vorticity, vortices, streamlines; each with what it stands on. */

import { type Curve, meanOf, topOf } from '@neuroloom/contract/flow/curve'
import { vortexBias } from '@neuroloom/contract/flow/window-weights'
import type { ReportBlock } from '@neuroloom/contract/reports'
import { type Table, textBlock } from './blocks.ts'
import { curveDrawings } from './charts.ts'
import type { FlowFacts } from './facts.ts'
import type { FlowWords, Quantity } from './words.ts'

export function resultBlocks(facts: FlowFacts, words: FlowWords): ReportBlock[] {
  const drawings = curveDrawings(facts, words)
  return [
    numberTable(facts, words),
    textBlock(words.t('results.region', { volume: words.said('volume', facts.results.mask.volume) })),
    textBlock(words.t('results.lossBias')),
    ...vorticityBlocks(facts, words),
    textBlock(words.t('results.vortices')),
    ...lineBlocks(facts, words),
    ...(drawings.length > 0 ? [{ kind: 'drawings' as const, drawings }] : []),
  ]
}

function numberTable({ results, study }: FlowFacts, words: FlowWords): Table {
  const { speed, energy, loss, vorticity, vortices } = results
  const rows: [string, Quantity, Curve][] = [
    ['peak', 'speed', speed.max],
    ['p99', 'speed', speed.p99],
    ['mean', 'speed', speed.mean],
    ['energy', 'energy', energy],
    ['loss', 'power', loss],
    ...(vorticity
      ? ([
          ['vorticityP99', 'turning', vorticity.p99],
          ['vorticityMean', 'turning', vorticity.mean],
        ] as [string, Quantity, Curve][])
      : []),
    ['q', 'share', vortices.q],
    ['lambda2', 'share', vortices.lambda2],
  ]
  return {
    kind: 'table',
    anchor: 'numbers',
    caption: words.t('results.caption'),
    head: ['number', 'highest', 'when', 'mean'].map((name) => words.t(`head.${name}`)),
    rows: rows.map(([name, quantity, curve]) => {
      const top = topOf(curve)
      return [
        words.t(`number.${name}`),
        words.said(quantity, top?.value),
        words.said('time', top && study.head.times[top.frame]),
        words.said(quantity, meanOf(curve)),
      ]
    }),
  }
}

/** Up to so many windows over core radii the bias of a plane's fit is told by its leading term within a tenth. */
const WIDEST = 0.85

function vorticityBlocks(
  { results: { vorticity }, study: { head } }: FlowFacts,
  words: FlowWords,
): ReportBlock[] {
  if (vorticity === null) return [textBlock(words.t('results.noVorticity'))]
  const { window, fitOrder, sigma } = vorticity
  const side = Math.max(...head.spacing) / 1000
  const radius = (window * side) / WIDEST
  const bias = vortexBias({ window, order: fitOrder, spacing: [side, side] }, radius)
  return [
    textBlock(
      words.joined([
        words.t(`results.vorticity.${fitOrder}`, {
          window: words.number(window, 0),
          mm: words.figure('length', window * side),
          radius: words.figure('length', radius),
          bias: words.number(Math.abs(bias) * 100, 1),
        }),
        sigma === null
          ? words.t('results.noSigma')
          : words.t('results.sigma', { sigma: words.said('turning', sigma) }),
      ]),
    ),
  ]
}

function lineBlocks({ results: { lines }, study: { head } }: FlowFacts, words: FlowWords): ReportBlock[] {
  if (lines === null) return [textBlock(words.t('results.noLines'))]
  return [
    textBlock(
      words.t('results.lines', {
        count: words.number(lines.count, 0),
        frame: words.number(lines.frame + 1, 0),
        time: words.said('time', head.times[lines.frame]),
        mean: words.said('length', lines.meanLength),
        longest: words.said('length', lines.longest),
      }),
    ),
  ]
}
