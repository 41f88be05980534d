/** How the network came about and was judged, in sentences that the run's own settings make true. */
import { mainMetric } from '@neuroloom/contract/metric'
import type { ReportBlock } from '@neuroloom/contract/reports'
import type { Hyper } from '@neuroloom/contract/suggest/hyper'
import { externalText, internalText } from './external.ts'
import type { Facts } from './facts.ts'
import { augmentation, preprocessing } from './preprocessing.ts'
import type { Words } from './words.ts'

/** `uncertainty`: how the intervals were found or why there are none, '' where nothing was recorded. */
export function methodBlocks(facts: Facts, words: Words, uncertainty: string): ReportBlock[] {
  const rows: [string, string | null][] = [
    ['preprocessing', preprocessing(facts, words)],
    ['augmentation', augmentation(facts, words)],
    ['subsets', subsets(facts, words)],
    ['deidentified', deidentified(facts, words)],
    ['initialisation', facts.training ? initialisation(facts.training, words) : null],
    ['selection', facts.training ? selection(facts.training, words) : null],
    ['ensembling', ensembling(facts, words)],
    ['software', software(facts)],
    ['metrics', metrics(facts, words)],
    ['uncertainty', uncertainty === '' ? null : uncertainty],
    ['robustness', robustness(facts, words)],
    ['explainability', facts.evidence?.heat ? words.say('explainability.heat') : null],
    ['internal', internalText(facts, words)],
    ['external', externalText(facts, words)],
  ]
  return [
    {
      kind: 'facts',
      facts: rows.flatMap(([anchor, value]) =>
        value === null ? [] : [{ label: words.say(`row.${anchor}`), value, anchor }],
      ),
    },
  ]
}

function subsets({ learned }: Facts, words: Words): string | null {
  if (learned === null) return null
  const { problemCount } = learned
  return problemCount > 0 ? words.say('subsets.setAside', { count: problemCount }) : words.say('subsets.all')
}

function deidentified({ learned, deidentified: count }: Facts, words: Words): string | null {
  const items = learned?.facts?.items ?? 0
  return count > 0 && items > 0
    ? words.say('deidentified', { count: words.number(Math.min(count, items)), items: words.number(items) })
    : null
}

type Training = NonNullable<Facts['training']>

function initialisation({ startFrom, takenOver, hyper: { seed } }: Training, words: Words): string {
  if (startFrom === null) return words.say('initialisation.random', { seed })
  const { number, model } = startFrom
  const from = model ? 'sold' : 'earlier'
  const facts = { number, seed, ...(model ? { model } : {}) }
  if (takenOver === null) return words.say(`initialisation.${from}`, facts)
  const { layers, ofLayers } = takenOver
  return words.say(`initialisation.${from}Taken`, { ...facts, layers, ofLayers })
}

function selection({ task, hyper, validation, state }: Training, words: Words): string {
  const by =
    task === 'classification'
      ? words.say('selection.lowestLoss')
      : words.say('selection.highest', { metric: words.name('metric', mainMetric[task]) })
  const sentence = words.say(settles(hyper) ? 'selection.settled' : 'selection.best', { by })
  if (validation.method !== 'kfold') return sentence
  return words.joined([sentence, words.say(`selection.${state === 'stopped' ? 'kfoldStopped' : 'kfold'}`)])
}

/** Rates that come down to nothing: `has_settled` of the engine's training. */
const settles = ({ scheduler }: Hyper): boolean => scheduler === 'onecycle' || scheduler === 'cosine'

function ensembling({ test, training }: Facts, words: Words): string {
  const { validation, state } = training ?? test
  return validation.method === 'kfold' && state !== 'stopped'
    ? words.say('ensembling.kfold', { splits: validation.splits })
    : words.say('ensembling.none')
}

function software({ test, training }: Facts): string | null {
  const versions = Object.entries((training ?? test).versions ?? {}).map(([name, one]) => `${name} ${one}`)
  return versions.length > 0 ? versions.join(', ') : null
}

function metrics({ test }: Facts, words: Words): string {
  const main: string = mainMetric[test.task]
  const all = [...Object.keys(test.metrics), ...test.perClass.flatMap(({ values }) => Object.keys(values))]
  const left = new Set([main, 'loss', 'support', 'threshold', 'boxes', 'found'])
  const others = [...new Set(all)].filter((name) => !left.has(name) && !name.endsWith('Sd'))
  const names = others.map((name) => words.name('metric', name)).join(', ')
  return words.joined([
    words.say('metrics.main', { metric: words.name('metric', main) }),
    ...(names === '' ? [] : [words.say('metrics.others', { metrics: names })]),
  ])
}

function robustness({ test, groups }: Facts, words: Words): string | null {
  const [byClass, byGroup] = [test.perClass.length > 1, groups.length > 1]
  if (byClass && byGroup) return words.say('robustness.both')
  if (byGroup) return words.say('robustness.groups')
  return byClass ? words.say('robustness.classes') : null
}
