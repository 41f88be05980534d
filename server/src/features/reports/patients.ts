/** What a report says of whose images were learned from and tested on, and of what else could tell the class. */
import type { DataFacts } from '@neuroloom/contract/datasets'
import type { PatientOrigin } from '@neuroloom/contract/reading/patient-rule'
import type { Words } from './words.ts'

/** `isGiven`: the split is the one that the data set brings along. */
type Split = { facts: DataFacts | null; isGiven: boolean }

/** How patients were told apart and kept on one side; of older data sets only whether they were. */
export function patientSentences({ facts, isGiven }: Split, words: Words): string {
  const origin = facts?.origin
  if (!facts || !origin) return words.t(facts?.patients == null ? 'split.byImage' : 'split.byPatient')
  if (origin.patients === 0) return words.t(nobodyBy(origin))
  const isApart = !isGiven || origin.crossing === origin.aside
  const all = origin.items + origin.single
  return [
    words.t(`split.told.${origin.rule.by}`, { pattern: origin.pattern }),
    words.t('split.cases', {
      patients: words.number(origin.patients),
      single: words.number(origin.single),
      all: words.number(all),
    }),
    ...(origin.pairs > 0 ? [words.t('split.pairs', { count: words.number(origin.pairs) })] : []),
    ...(isApart ? [words.t('split.byPatient')] : []),
    ...(isGiven && origin.aside > 0 ? [words.t('split.aside', { count: words.number(origin.aside) })] : []),
  ].join(words.language === 'zh' ? '' : ' ')
}

function nobodyBy({ isChosen, tooFew }: PatientOrigin): string {
  if (tooFew > 0) return 'split.tooFew'
  return isChosen ? 'split.aloneByChoice' : 'split.nobody'
}

type Limit = [string, Record<string, string | number>]

/** What the reader must keep in mind of them. */
export function patientLimits({ facts, isGiven }: Split, words: Words): Limit[] {
  if (facts === null) return []
  const { origin, giveaway = [] } = facts
  const limits: Limit[] = []
  if (origin && origin.tooFew > 0) limits.push(['tooFewPatients', { count: origin.tooFew }])
  else if (facts.patients === null) limits.push(['noPatients', {}])
  const crossing = isGiven ? (origin?.crossing ?? 0) - (origin?.aside ?? 0) : 0
  if (crossing > 0) limits.push(['crossing', { count: crossing }])
  for (const { by, accuracy, chance } of giveaway) {
    limits.push([`giveaway.${by}`, { accuracy: words.percent(accuracy), chance: words.percent(chance) }])
  }
  return limits
}
