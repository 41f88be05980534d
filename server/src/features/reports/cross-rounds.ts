/** What a cross-validation means for a figure: of its own, how far its rounds differ; of a test of one round, which counts. */
import { mainMetric } from '@neuroloom/contract/metric'
import type { Facts } from './facts.ts'
import type { Words } from './words.ts'

export function crossSentences(facts: CrossFacts, words: Words): string[] {
  return facts.isCross ? roundSentences(facts, words) : betterFounded(facts, words)
}

type Result = Pick<Facts['test'], 'task' | 'metrics'>
export type CrossFacts = {
  isCross: boolean
  items: number
  test: Result
  evidence: Pick<NonNullable<Facts['evidence']>, 'cross' | 'intervals'> | null
  inputs: { part: string | null }
  beside: readonly { isCross: boolean; items: number; test: Result }[]
}

function roundSentences({ test, evidence }: CrossFacts, words: Words): string[] {
  const name: string = mainMetric[test.task]
  const range = evidence?.intervals[name]
  const values = evidence?.cross?.parts.flatMap((part) => part.values[name] ?? []) ?? []
  if (values.length < 2) return []
  const rounds = words.figure('cross.rounds', {
    metric: words.name('metric', name),
    values: values.map((value) => words.metric(name, value)).join(' · '),
  })
  if (!range) return [rounds]
  return [
    rounds,
    words.figure('cross.leavesOut', {
      low: words.metric(name, range[0]),
      high: words.metric(name, range[1]),
      deviation: words.metric(name, test.metrics[`${name}Sd`]),
    }),
  ]
}

function betterFounded({ test, items, inputs, beside }: CrossFacts, words: Words): string[] {
  const cross = inputs.part === 'held-out' ? beside.find((one) => one.isCross) : undefined
  if (!cross) return []
  const name: string = mainMetric[test.task]
  return [
    words.figure('cross.better', {
      items: words.number(items),
      all: words.number(cross.items),
      metric: words.name('metric', name),
      value: words.metric(name, cross.test.metrics[name]),
      deviation: words.metric(name, cross.test.metrics[`${name}Sd`]),
    }),
  ]
}
