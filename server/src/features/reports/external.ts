/** What a report says of tests on other data, beside the internal one. */
import { orderedFigures } from '@neuroloom/contract/evidence/figure-order'
import { mainMetric } from '@neuroloom/contract/metric'
import type { ReportBlock } from '@neuroloom/contract/reports'
import type { Beside } from './beside.ts'
import type { Facts } from './facts.ts'
import { countedItems, itemKey } from './item-words.ts'
import { overallName } from './results.ts'
import type { Words } from './words.ts'

type Kind = 'cross' | 'internal' | 'external' | 'other'

/** External means: another data set that shares nothing with what was learned from. */
function kindOf({ isInternal, isCross, overlap }: Beside): Kind {
  if (isCross) return 'cross'
  if (isInternal) return 'internal'
  return overlap !== null && overlap.images === 0 && overlap.patients === 0 ? 'external' : 'other'
}

/** Where each test was made; null where there was none. */
export function internalText({ beside }: Facts, words: Words): string | null {
  const sentences = beside
    .filter(({ isInternal }) => isInternal)
    .map(({ isCross, items, test }) =>
      isCross
        ? words.say(itemKey('internalCross', test.task), {
            ...{ items: countedItems(items, test.task, words), splits: splitsOf(test) },
          })
        : words.say('internal', { items: countedItems(items, test.task, words) }),
    )
  return sentences.length > 0 ? words.joined(sentences) : null
}

/** Parts of a cross-validation. */
export const splitsOf = ({ validation }: Pick<Facts['test'], 'validation'>): number =>
  validation.method === 'kfold' ? validation.splits : 1

export function externalText({ beside }: Facts, words: Words): string | null {
  const others = beside.filter(({ isInternal }) => !isInternal)
  return others.length > 0 ? others.map((one) => sentence(one, words)).join(' ') : null
}

function sentence(one: Beside, words: Words): string {
  const { test, items, overlap } = one
  const params = { name: test.datasetName, items: countedItems(items, test.task, words) }
  if (overlap === null) return words.say(itemKey('external.unknown', test.task), params)
  const shared = {
    images: countedItems(overlap.images, test.task, words),
    patients: words.number(overlap.patients),
  }
  const key = kindOf(one) === 'external' ? 'external.external' : 'external.shared'
  return words.say(itemKey(key, test.task), { ...params, ...shared })
}

/** A column for each test, with intervals and sizes; nothing where there is one test alone. */
export function sideBySide({ test, beside }: Facts, words: Words): ReportBlock[] {
  if (beside.length < 2) return []
  const main: string = mainMetric[test.task]
  const found = [...new Set(beside.flatMap((one) => Object.keys(one.test.metrics)))]
  const names = orderedFigures(found).filter(
    (name) => name !== 'learningRate' && name !== 'loss' && !name.endsWith('Sd'),
  )
  const ordered = [...names.filter((name) => name === main), ...names.filter((name) => name !== main)]
  return [
    {
      kind: 'table',
      anchor: 'beside',
      caption: words.say('external.title'),
      head: [words.t('table.measure'), ...beside.map((one) => columnName(one, words))],
      rows: ordered.map((name) => [
        overallName(name, test, words),
        ...beside.map((one) => cell(one, name, words)),
      ]),
    },
  ]
}

function columnName(one: Beside, words: Words): string {
  const { test, items, evidence } = one
  const groups = evidence?.groups ?? items
  const key = groups < items ? `${kindOf(one)}Patients` : kindOf(one)
  return words.say(`external.column.${key}`, {
    name: test.datasetName,
    items: countedItems(items, test.task, words),
    groups: words.say('counted.cases', { count: groups }),
  })
}

function cell({ test, evidence }: Beside, name: string, words: Words): string {
  const value = words.metric(name, test.metrics[name])
  const range = evidence?.intervals[name]
  return range ? `${value} (${words.metric(name, range[0])} – ${words.metric(name, range[1])})` : value
}
