/** What these numbers stand on, and what the reader must keep in mind: told by the facts themselves. */
import type { FlowLight } from '@neuroloom/contract/flow/run'
import { isSameTurn } from '@neuroloom/contract/flow/turn'
import type { ReportBlock } from '@neuroloom/contract/reports'
import { notesBlock } from './blocks.ts'
import { beatReason, type FlowFacts, isKnownFlow } from './facts.ts'
import { goalText, valueText } from './lights.ts'
import { planeName } from './planes.ts'
import { references } from './references.ts'
import type { FlowWords } from './words.ts'

/** Below so many voxels across flow came out more than 5 % too high (Pravdivtseva 2022). */
const FEW_VOXELS = 7

export function limitBlocks(facts: FlowFacts, words: FlowWords): ReportBlock[] {
  const { results, massBalance, statements, study } = facts
  const reason = beatReason(study.head)
  const red = [...results.lights, ...(massBalance ? [massBalance] : [])].filter(
    ({ colour }) => colour === 'red',
  )
  return notesBlock([
    words.t('limit.research'),
    ...(isKnownFlow(facts) ? [words.t('limit.known')] : []),
    ...(study.head.sharpened ? [words.t('limit.sharpened')] : []),
    ...(reason ? [words.t(`limit.${reason}`)] : []),
    ...fewVoxels(facts, words),
    ...red.map((light) => redText(light, words)),
    ...directionLimits(facts, words),
    ...correctionLimits(facts, words),
    words.t('limit.packages', { first: references.trauzeddel, second: references.oechtering }),
    words.t('limit.loss'),
    ...(statements.limitations === undefined ? [] : [statements.limitations]),
  ])
}

function fewVoxels({ sections }: FlowFacts, words: FlowWords): string[] {
  const few = sections.flatMap((section, index) => {
    const across = section.numbers?.voxelsAcross.value ?? null
    return across !== null && across < FEW_VOXELS ? [planeName(section, index)] : []
  })
  const params = { planes: words.listed(few), paper: references.pravdivtseva }
  return few.length === 0 ? [] : [words.t('limit.fewVoxels', params)]
}

const redText = (light: FlowLight, words: FlowWords): string =>
  words.t('limit.red', {
    light: words.t(`light.${light.name}`),
    value: valueText(light, words),
    goal: goalText(light, words),
    meaning: words.t(`meaning.${light.name}`),
  })

function directionLimits({ results: { directions } }: FlowFacts, words: FlowWords): string[] {
  if (directions === null || !directions.isSure) return [words.t('limit.directionsUnsure')]
  return isSameTurn(directions.best, directions.taken) ? [] : [words.t('limit.directionsOther')]
}

function correctionLimits({ results }: FlowFacts, words: FlowWords): string[] {
  const { offset, unwrap } = results.asked.corrections
  return [
    words.t(offset === null ? 'limit.noOffset' : 'limit.offset'),
    ...(unwrap ? [] : [words.t('limit.noUnwrap')]),
  ]
}
