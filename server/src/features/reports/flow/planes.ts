/** Flow through the planes of a run: what passed, how each was measured, and whether they agree. */

import { meanOf, topOf } from '@neuroloom/contract/flow/curve'
import type { FlowMeasuredSection } from '@neuroloom/contract/flow/run'
import type { ReportBlock } from '@neuroloom/contract/reports'
import { notesBlock, type Table, textBlock } from './blocks.ts'
import { rateDrawings } from './charts.ts'
import { beatReason, type FlowFacts } from './facts.ts'
import { judgement, valueText } from './lights.ts'
import type { FlowWords } from './words.ts'

export function planeBlocks(facts: FlowFacts, words: FlowWords): ReportBlock[] {
  const { sections, isMeasuring } = facts
  if (isMeasuring) return [textBlock(words.t('planes.measuring'))]
  if (sections.length === 0) return [textBlock(words.t('planes.none'))]
  const drawings = rateDrawings(facts, words)
  return [
    flowTable(facts, words),
    ...notesBlock(unknowns(facts, words)),
    ...balanceBlocks(facts, words),
    ...(drawings.length > 0 ? [{ kind: 'drawings' as const, drawings }] : []),
    howTable(sections, words),
    textBlock(words.t('planes.rules'), 'region'),
  ]
}

/** Members may give two planes one name. */
export const planeName = ({ name }: FlowMeasuredSection, index: number): string => `${index + 1}. ${name}`

/** One moment has no volumes: columns of what is never known would hide what is. */
function flowTable({ sections, study }: FlowFacts, words: FlowWords): Table {
  const isMoment = study.head.frames === 1
  const volumes = ['net', 'forward', 'backward'] as const
  return {
    kind: 'table',
    anchor: 'through',
    caption: words.t(isMoment ? 'planes.captionMoment' : 'planes.caption'),
    head: [
      words.t('head.plane'),
      ...(isMoment
        ? [words.headed('head.rateMoment', 'rate')]
        : [
            ...volumes.map((name) => words.headed(`head.${name}`, 'volume')),
            words.headed('head.regurgitant', 'share'),
            words.headed('head.rate', 'rate'),
          ]),
      words.headed('head.peak', 'speed'),
      words.headed('head.meanSpeed', 'speed'),
      words.headed('head.area', 'area'),
    ],
    rows: sections.map((section, index) => {
      const { numbers } = section
      return [
        planeName(section, index),
        ...(isMoment
          ? []
          : [
              ...volumes.map((name) => words.figure('volume', numbers?.[name])),
              words.figure('share', numbers?.regurgitantFraction),
            ]),
        words.figure('rate', numbers && topOf(numbers.rate)?.value),
        words.figure('speed', numbers && topOf(numbers.peak)?.value),
        words.figure('speed', numbers && meanOf(numbers.mean)),
        words.figure('area', numbers && meanOf(numbers.area)),
      ]
    }),
  }
}

/** Why numbers of the table are not known. */
function unknowns({ sections, study }: FlowFacts, words: FlowWords): string[] {
  const measured = sections.flatMap(({ numbers }) => numbers ?? [])
  const reason = beatReason(study.head)
  const lacks = measured.some(({ net }) => net === null)
  const still = measured.some(({ net, regurgitantFraction }) => net !== null && regurgitantFraction === null)
  return [
    ...(lacks ? [words.t(`planes.noVolume.${reason ?? 'other'}`)] : []),
    ...(still ? [words.t('planes.noFraction')] : []),
    ...sections.flatMap((section, index) =>
      section.numbers
        ? []
        : [
            words.t('planes.refused', {
              plane: planeName(section, index),
              why: words.t(`planes.refusal.${section.refusal ?? 'other'}`),
            }),
          ],
    ),
  ]
}

function balanceBlocks({ massBalance, sections }: FlowFacts, words: FlowWords): ReportBlock[] {
  if (massBalance === null) return [textBlock(words.t('planes.noBalance'))]
  if (massBalance.value === null) return [textBlock(words.t('planes.balanceUnknown'), 'consistency')]
  const named = (index: number | null | undefined): string => {
    const section = sections[index ?? -1]
    return section ? planeName(section, index ?? 0) : words.t('unknown')
  }
  const params = {
    value: valueText(massBalance, words),
    judgement: judgement(massBalance, words),
    first: named(massBalance.numbers.first),
    other: named(massBalance.numbers.other),
  }
  return [textBlock(words.t('planes.balance', params), 'consistency')]
}

function howTable(sections: readonly FlowMeasuredSection[], words: FlowWords): Table {
  const heads = ['plane', 'centre', 'normal', 'region', 'across', 'bias', 'judgement', 'pulsatility']
  return {
    kind: 'table',
    anchor: 'planesHow',
    caption: words.t('planes.how'),
    head: heads.map((name) => words.t(`head.${name}`)),
    rows: sections.map((section, index) => {
      const { centre, normal, region, radius, rule, numbers } = section
      const length = Math.hypot(...normal)
      const across = numbers?.voxelsAcross
      return [
        planeName(section, index),
        centre.map((place) => words.figure('length', place)).join('; '),
        normal.map((part) => words.number(part / length, 2)).join('; '),
        words.listed([
          region === 'circle'
            ? words.t('planes.round', { radius: words.said('length', radius) })
            : words.t('planes.short.vessel'),
          words.t(`planes.rule.${rule}`),
        ]),
        words.figure('voxels', across?.value),
        words.said('share', across?.numbers.flowBias),
        across ? judgement(across, words) : words.t('unknown'),
        words.short(numbers?.pulsatility),
      ]
    }),
  }
}
