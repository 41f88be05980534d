/** What was corrected, from what to what; where the mask came from; and whether directions are those that they are said to be. */
import { type FlowStep, type FlowTurn, flowSteps } from '@neuroloom/contract/flow/run'
import { isSameTurn } from '@neuroloom/contract/flow/turn'
import type { ReportBlock } from '@neuroloom/contract/reports'
import { factsBlock, type Table, textBlock } from './blocks.ts'
import type { FlowFacts } from './facts.ts'
import type { FlowWords } from './words.ts'

export function correctionBlocks(facts: FlowFacts, words: FlowWords): ReportBlock[] {
  const { still, mask } = facts.results
  return [
    stepTable(facts, words),
    factsBlock(
      [
        [
          'still',
          words.t('corrections.still', {
            share: words.said('share', still.share),
            voxels: words.number(still.voxels, 0),
          }),
        ],
        ['directions', directionText(facts, words), 'directions'],
        ['mask', maskText(facts, words), 'segmentation'],
        [
          'maskSize',
          words.t('corrections.maskSize', {
            volume: words.said('volume', mask.volume),
            voxels: words.number(mask.voxels, 0),
            pieces: words.number(mask.pieces, 0),
          }),
        ],
      ],
      words,
    ),
    textBlock(words.t('corrections.order')),
  ]
}

function stepTable({ results }: FlowFacts, words: FlowWords): Table {
  const rows = flowSteps.map((name): string[] => {
    const step = results.steps.find((one) => one.name === name)
    return [
      words.t(`step.${name}`),
      words.t(doneKey(name, step, results.asked.corrections.unwrap)),
      ...rangeOf(name, step, words),
    ]
  })
  const { turn } = results.asked.corrections
  const turned = [
    words.t('step.turn'),
    turn === null ? words.t('step.asRecorded') : words.t('step.turned', { turn: turnText(turn, words) }),
    words.t('step.noNumber'),
    words.t('step.noNumber'),
  ]
  return {
    kind: 'table',
    anchor: 'steps',
    caption: words.t('corrections.caption'),
    head: ['step', 'done', 'before', 'after'].map((name) => words.t(`head.${name}`)),
    rows: [...rows, turned],
  }
}

function doneKey(name: FlowStep['name'], step: FlowStep | undefined, isUnwrapped: boolean): string {
  if (name === 'filter' && isUnwrapped) return step?.isDone ? 'step.filterDone' : 'step.filterNotNeeded'
  return step?.isDone ? 'step.done' : 'step.notAsked'
}

/** Of a filter that was not needed there is nothing to compare. */
function rangeOf(name: FlowStep['name'], step: FlowStep | undefined, words: FlowWords): [string, string] {
  if (!step?.isDone) return [words.t('step.noNumber'), words.t('step.noNumber')]
  const write = (value: number | null): string => {
    if (name === 'offset') return stillText(value, words)
    return value === null
      ? words.t('unknown')
      : words.t('corrections.torn', { share: `${words.number(value * 100, 2)} %` })
  }
  return [write(step.before), write(step.after)]
}

/** What still tissue seems to move by. */
export const stillText = (speed: number | null, words: FlowWords): string =>
  speed === null ? words.t('unknown') : `${words.number(speed * 100, 2)} ${words.t('unit.speed')}`

/** "x = 1st, y = −2nd, z = 3rd component". */
export const turnText = ({ order, signs }: FlowTurn, words: FlowWords): string =>
  words.listed(
    order.map((component, axis) =>
      words.t('step.component', {
        axis: ['x', 'y', 'z'][axis] ?? '',
        sign: signs[axis] === -1 ? '−' : '+',
        component: component + 1,
      }),
    ),
  )

function directionText({ results }: FlowFacts, words: FlowWords): string {
  const { directions } = results
  if (directions === null) return words.t('directions.thin')
  const { isSure, ratio, best, taken } = directions
  const params = {
    ratio: words.number(ratio, 2),
    best: words.short(best.score),
    taken: words.short(taken.score),
    turn: turnText(best, words),
  }
  if (!isSure) return words.t('directions.unsure', params)
  return words.t(isSameTurn(best, taken) ? 'directions.same' : 'directions.other', params)
}

export function maskText({ results, asked }: FlowFacts, words: FlowWords): string {
  const { mask } = results
  if (asked.mask.kind === 'file') return words.t('mask.file')
  const level = words.said('share', mask.level)
  const found = words.t(asked.mask.level === null ? 'mask.found' : 'mask.chosen', { level })
  const { grow } = asked.mask
  const kept =
    grow.length === 0
      ? words.t('mask.largest')
      : words.t('mask.grown', { count: words.number(grow.length, 0) })
  return words.joined([found, kept])
}
