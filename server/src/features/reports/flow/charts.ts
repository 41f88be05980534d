/** Curves over the frames as charts; each also says in words where it is highest. */

import { type Curve, isKnown, topOf } from '@neuroloom/contract/flow/curve'
import type { ReportBlock } from '@neuroloom/contract/reports'
import { chartSize, drawChart } from '../charts.ts'
import type { FlowFacts } from './facts.ts'
import type { FlowWords, Quantity } from './words.ts'

type Drawing = Extract<ReportBlock, { kind: 'drawings' }>['drawings'][number]
type Named = { name: string; curve: Curve }
type Drawn = { title: string; quantity: Quantity; factor: number; curves: Named[] }

/** Of one frame there is no curve. */
export function curveDrawings({ results, study }: FlowFacts, words: FlowWords): Drawing[] {
  const { speed, energy, loss, vorticity } = results
  const named = (name: string, curve: Curve): Named => ({ name: words.t(`number.${name}`), curve })
  const charts: Drawn[] = [
    {
      title: words.t('chart.speed'),
      ...{ quantity: 'speed', factor: 100 },
      curves: [named('peak', speed.max), named('p99', speed.p99), named('mean', speed.mean)],
    },
    { title: words.t('chart.energy'), quantity: 'energy', factor: 1e3, curves: [named('energy', energy)] },
    { title: words.t('chart.loss'), quantity: 'power', factor: 1e3, curves: [named('loss', loss)] },
    ...(vorticity
      ? [
          {
            title: words.t('chart.vorticity'),
            ...{ quantity: 'turning' as const, factor: 1 },
            curves: [named('vorticityP99', vorticity.p99), named('vorticityMean', vorticity.mean)],
          },
        ]
      : []),
  ]
  return charts.flatMap((chart) => drawn(chart, study.head.times, words))
}

/** More in one chart are not told apart. */
const MOST_PLANES = 5

/** Flow through planes, several in one chart. */
export function rateDrawings({ sections, study }: FlowFacts, words: FlowWords): Drawing[] {
  const curves = sections.flatMap(({ name, numbers }, index): Named[] =>
    numbers ? [{ name: `${index + 1}. ${name}`, curve: numbers.rate }] : [],
  )
  const parts = Array.from({ length: Math.ceil(curves.length / MOST_PLANES) }, (_, part) =>
    curves.slice(part * MOST_PLANES, (part + 1) * MOST_PLANES),
  )
  return parts.flatMap((some, part) => {
    const title = words.t(parts.length > 1 ? 'chart.ratePart' : 'chart.rate', {
      part: part + 1,
      of: parts.length,
    })
    return drawn({ title, quantity: 'rate', factor: 1e6, curves: some }, study.head.times, words)
  })
}

function drawn(
  { title, quantity, factor, curves }: Drawn,
  times: readonly number[],
  words: FlowWords,
): Drawing[] {
  const known = curves.filter(({ curve }) => isKnown(curve))
  if (times.length < 2 || known.length === 0) return []
  const svg = drawChart({
    x: words.t('chart.time'),
    y: `${words.t(`chart.axis.${quantity}`)} (${words.t(`unit.${quantity}`)})`,
    hasMarks: known.length > 1,
    hasZero: true,
    lines: known.map(({ name, curve }) => ({
      name,
      points: curve.flatMap((value, frame) => {
        const time = times[frame]
        return value === null || time === undefined ? [] : [[time * 1000, value * factor] as const]
      }),
    })),
  })
  const tops = known.map(({ name, curve }) => {
    const top = topOf(curve)
    return words.t('chart.top', {
      name,
      value: words.said(quantity, top?.value),
      time: words.said('time', top && times[top.frame]),
    })
  })
  return [{ caption: title, text: words.joined([`${title}.`, ...tops]), svg, ...chartSize }]
}
