import type { DataFacts } from '@neuroloom/contract/datasets'
import { languages } from '@neuroloom/contract/language'
import type { PatientOrigin } from '@neuroloom/contract/reading/patient-rule'
import { describe, expect, it } from 'vitest'
import { patientLimits, patientSentences } from './patients.ts'
import { wordsOf } from './words.ts'

const side = { min: 64, median: 64, max: 64 }
const origin: PatientOrigin = {
  ...{ items: 144, patients: 97, single: 46, pattern: 'person…', isChosen: false, pairs: 0, tooFew: 0 },
  ...{ crossing: 0, aside: 0, options: [], samples: [] },
  rule: { by: 'name', example: 'person1_1.png', from: 0, to: 7 },
}
const facts = (told: Partial<PatientOrigin> | null, over: Partial<DataFacts> = {}): DataFacts => ({
  ...{ items: 190, width: side, height: side, channels: 1, classCounts: [95, 95], depth: null },
  ...{ spacing: null, factor: null, boxSide: null, given: null },
  patients: told?.patients === 0 || told === null ? null : 97,
  ...(told === null ? {} : { origin: { ...origin, ...told } }),
  ...over,
})
const nobody = { items: 0, patients: 0, single: 190, pattern: '', rule: { by: 'none' as const } }
const english = wordsOf('en')
const own = (of: DataFacts | null) => ({ facts: of, isGiven: false })
const given = (of: DataFacts) => ({ facts: of, isGiven: true })
const limits = (of: DataFacts) => patientLimits(own(of), english).map(([key]) => key)

describe('what a report says of patients', () => {
  it('names the rule, the counts and that nobody stands on both sides', () => {
    expect(patientSentences(own(facts({})), english)).toBe(
      'Patients were told apart by the part “person…” of the file names. Patients: 97. Images that ' +
        'stand alone, each as a case of its own: 46 of 190. All images of a patient or series stand on the same side.',
    )
    expect(limits(facts({}))).toEqual([])
  })

  it.each<[string, Partial<PatientOrigin>, RegExp]>([
    [
      'a table',
      { rule: { by: 'table', column: 'ward' }, pattern: 'ward' },
      /by the column “ward” of a table/,
    ],
    ['files', { rule: { by: 'file' }, pattern: '' }, /by what the files themselves say/],
    ['pairs', { pairs: 14 }, /Left and right .* one person \(14 pairs\)/],
    ['nobody', nobody, /No patient was known: images count as independent/],
    ['a decision', { ...nobody, isChosen: true }, /decided that each image counts as a case of its own/],
    ['too few', { ...nobody, tooFew: 1 }, /too few patients to be split/],
  ])('names %s', (_, told, wanted) => {
    expect(patientSentences(own(facts(told)), english)).toMatch(wanted)
  })

  it('never claims that parts which the data set gives keep patients apart when they do not', () => {
    const mixed = facts({ crossing: 12 }, { given: { train: 100, validation: 0, test: 90 } })
    expect(patientSentences(given(mixed), english)).not.toMatch(/same side/)
    expect(patientLimits(given(mixed), english)).toEqual([['crossing', { count: 12 }]])
    const left = facts({ crossing: 12, aside: 12 })
    expect(patientSentences(given(left), english)).toMatch(/same side. Test images of .* excluded \(12\)/)
    expect(patientLimits(given(left), english)).toEqual([])
    // A split of one's own takes whole patients.
    expect(patientSentences(own(mixed), english)).toMatch(/same side/)
    expect(patientLimits(own(mixed), english)).toEqual([])
  })

  it('warns of nobody and of too few, and of what alone tells the class', () => {
    expect(limits(facts(nobody))).toEqual(['noPatients'])
    expect(limits(facts({ ...nobody, tooFew: 2 }))).toEqual(['tooFewPatients'])
    const giveaway: DataFacts['giveaway'] = [{ by: 'size', accuracy: 0.914, chance: 0.5 }]
    expect(patientLimits(own(facts({}, { giveaway })), english)).toEqual([
      ['giveaway.size', { accuracy: '91%', chance: '50%' }],
    ])
  })

  it('says as much as is known of older data sets', () => {
    expect(patientSentences(own(facts(null)), english)).toBe('Equal images are always on the same side.')
    expect(patientSentences(own(facts(null, { patients: 9 })), english)).toMatch(/patient or series/)
    expect(patientSentences(own(null), english)).toBe('Equal images are always on the same side.')
    expect(patientLimits(own(null), english)).toEqual([])
  })

  it.each(languages)('has all of its words in %s', (language) => {
    const words = wordsOf(language)
    for (const told of [{}, nobody, { ...nobody, tooFew: 1 }, { ...nobody, isChosen: true }, { pairs: 2 }]) {
      expect(patientSentences(own(facts(told)), words)).not.toMatch(/split\.|\{\{/)
    }
    const giveaway = (['size', 'brightness', 'format'] as const).map((by) => ({
      by,
      accuracy: 1,
      chance: 0.5,
    }))
    const all = [
      ...patientLimits(given(facts({ crossing: 3 }, { giveaway })), words),
      ...patientLimits(own(facts(nobody)), words),
      ...patientLimits(own(facts({ ...nobody, tooFew: 1 })), words),
    ]
    expect(all).toHaveLength(6)
    for (const [key, params] of all) expect(words.t(`limit.${key}`, params)).not.toMatch(/limit\.|\{\{/)
  })
})
