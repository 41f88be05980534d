/** The methods in sentences that a paper can copy: only what was done, in the order in which it was done. */
import type { ReportBlock } from '@neuroloom/contract/reports'
import { notesBlock, textBlock } from './blocks.ts'
import { maskText, stillText, turnText } from './corrections.ts'
import { type FlowFacts, isKnownFlow } from './facts.ts'
import { finerText } from './finer.ts'
import { type Reference, references } from './references.ts'
import { spacingText, vencText } from './scan.ts'
import type { FlowWords } from './words.ts'

/** A sentence with the papers that it names. */
type Sentence = { text: string; names?: readonly Reference[] }

export function methodBlocks(facts: FlowFacts, words: FlowWords): ReportBlock[] {
  const parts = [dataPart(facts, words), correctionPart(facts, words), quantityPart(facts, words)]
  const named = new Set(parts.flatMap((part) => part.flatMap(({ names = [] }) => names)))
  const papers = [...named].map((name) => references[name]).sort()
  const anchors = ['methodData', 'background', 'definitions'] as const
  return [
    ...parts.map((part, index) => textBlock(words.joined(part.map(({ text }) => text)), anchors[index])),
    textBlock(words.t('method.papers')),
    ...notesBlock(papers),
  ]
}

function dataPart(facts: FlowFacts, words: FlowWords): Sentence[] {
  const { head } = facts.study
  const params = {
    frames: words.number(head.frames, 0),
    spacing: spacingText(head, words),
    venc: vencText(head, words),
  }
  return [
    { text: words.t(isKnownFlow(facts) ? 'method.known' : 'method.data', params) },
    ...finerText('method.sharpened', facts, words).map((text) => ({ text, names: ['ferdian'] as const })),
    { text: words.t('method.lights'), names: ['dyverfeldt', 'bissell'] },
  ]
}

function correctionPart(facts: FlowFacts, words: FlowWords): Sentence[] {
  const { results } = facts
  const { corrections, mask } = results.asked
  const { turn } = corrections
  return [
    { text: words.t('method.order'), names: ['keller'] },
    offsetSentence(facts, words),
    ...unwrapSentences(facts, words),
    { text: turn ? words.t('method.turn', { turn: turnText(turn, words) }) : words.t('method.recorded') },
    ...(mask.kind === 'threshold'
      ? [{ text: words.t('method.angiogram'), names: mask.level === null ? (['otsu'] as const) : [] }]
      : []),
    { text: maskText(facts, words) },
  ]
}

function offsetSentence({ results }: FlowFacts, words: FlowWords): Sentence {
  const step = results.steps.find(({ name }) => name === 'offset')
  if (!step?.isDone) return { text: words.t('method.noOffset') }
  const params = {
    order: step.numbers.order ?? results.asked.corrections.offset ?? 0,
    share: words.said('share', results.still.share),
    before: stillText(step.before, words),
    after: stillText(step.after, words),
  }
  return { text: words.t('method.offset', params), names: ['gatehouse'] }
}

function unwrapSentences({ results, study }: FlowFacts, words: FlowWords): Sentence[] {
  const step = (name: 'unwrap' | 'filter') => results.steps.find((one) => one.name === name && one.isDone)
  if (!step('unwrap')) return [{ text: words.t('method.noUnwrap') }]
  const filter = step('filter')
  const key = study.head.period === null ? 'method.unwrapOpen' : 'method.unwrap'
  return [
    { text: words.t(key), names: ['loecher'] },
    ...(filter
      ? [{ text: words.t('method.filter', { count: words.short(filter.numbers.components) }) }]
      : [{ text: words.t('method.noFilter') }]),
  ]
}

function quantityPart({ results, sections }: FlowFacts, words: FlowWords): Sentence[] {
  const { vorticity, lines, asked } = results
  const fit = vorticity && {
    text: words.t(`method.vorticity.${vorticity.fitOrder}`, { window: words.number(vorticity.window, 0) }),
    names: [vorticity.fitOrder === 3 ? 'savitzky' : 'foucaut'] as const,
  }
  const drawn = lines && {
    text: words.t('method.lines', { seed: String(asked.seed), frame: words.number(lines.frame + 1, 0) }),
  }
  return [
    ...(sections.length > 0 ? [{ text: words.t('method.planes') }] : []),
    { text: words.t('method.energy') },
    ...(fit ? [fit] : []),
    { text: words.t('method.vortices'), names: ['hunt', 'jeong'] },
    ...(drawn ? [drawn] : []),
  ]
}
