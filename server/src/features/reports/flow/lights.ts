/** Lights of quality as numbers, goals and a judgement in words: a colour alone says nothing to some. */
import { type FlowLight, flowRefusals } from '@neuroloom/contract/flow/run'
import type { ReportBlock } from '@neuroloom/contract/reports'
import type { FlowFacts } from './facts.ts'
import type { FlowWords } from './words.ts'

export function qualityBlocks({ results, massBalance }: FlowFacts, words: FlowWords): ReportBlock[] {
  const lights = [...results.lights, ...(massBalance ? [massBalance] : [])]
  if (lights.length === 0) return []
  return [
    {
      kind: 'table',
      anchor: 'lights',
      caption: words.t('quality.caption'),
      head: ['light', 'value', 'goal', 'judgement'].map((name) => words.t(`head.${name}`)),
      rows: lights.map((light) => [
        words.t(`light.${light.name}`),
        valueText(light, words),
        goalText(light, words),
        judgement(light, words),
      ]),
    },
  ]
}

const digits = { voxels: 1, mm: 2, ms: 0, VENC: 2, '%': 1, 'cm/s': 2, '': 2 } as const

const withUnit = (value: number, { unit }: FlowLight, words: FlowWords): string => {
  const figure = words.number(value, Number.isInteger(value) ? 0 : digits[unit])
  return unit === '' ? figure : `${figure} ${words.t(`lightUnit.${unit}`)}`
}

export const valueText = (light: FlowLight, words: FlowWords): string =>
  light.value === null ? words.t('unknown') : withUnit(light.value, light, words)

export const goalText = (light: FlowLight, words: FlowWords): string =>
  words.t(light.isMoreBetter ? 'quality.least' : 'quality.most', {
    good: withUnit(light.good, light, words),
    fair: withUnit(light.fair, light, words),
  })

export function judgement({ colour, why }: FlowLight, words: FlowWords): string {
  if (colour !== 'grey') return words.t(`colour.${colour}`)
  return why === null ? words.t('colour.grey') : words.t('colour.greyWhy', { why: refusalText(why, words) })
}

function refusalText(why: string, words: FlowWords): string {
  const isNamed = flowRefusals.some((name) => name === why)
  return words.t(`refusal.${isNamed ? why : 'other'}`)
}
