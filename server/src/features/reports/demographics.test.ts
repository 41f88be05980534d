import { languages } from '@neuroloom/contract/language'
import { describe, expect, it } from 'vitest'
import { demographicBlocks, hiddenIn } from './demographics.ts'
import type { People, Person, PersonColumn } from './people.ts'
import { wordsOf } from './words.ts'

const columns: PersonColumn[] = [
  { name: 'Age', kind: 'age', items: 1 },
  { name: 'gender', kind: 'sex', items: 1 },
  { name: 'stage', kind: 'other', items: 1 },
]
const person = (age: string | null, sex: string | null, stage: string | null): Person =>
  new Map(
    Object.entries({ age, sex, 'other stage': stage }).flatMap(([key, value]) =>
      value === null ? [] : [[key, [value]]],
    ),
  )
const many = (count: number, of: (index: number) => Person): Person[] =>
  Array.from({ length: count }, (_, index) => of(index))
const people: People = {
  columns,
  parts: [
    // Ages 40 to 59, twelve women and eight men.
    {
      part: 'train',
      persons: many(20, (at) => person(`0${40 + at}Y`, at < 12 ? 'F' : '男', at < 10 ? '1' : '2')),
    },
    // Two say no age, three are women, one has a stage that nobody else has.
    {
      part: 'test',
      persons: many(12, (at) =>
        person(at < 10 ? String(50 + at) : null, at < 3 ? 'female' : 'm', at === 0 ? 'rare' : '1'),
      ),
    },
    { part: 'validation', persons: many(3, () => person('99', 'f', '2')) },
  ],
}
const tableOf = (of: People, language: (typeof languages)[number] = 'en') => {
  const [table] = demographicBlocks(of, wordsOf(language))
  if (table?.kind !== 'table') throw new Error('There is no table')
  return table
}

describe('persons of each part', () => {
  it('are summed up as worked out by hand, and small groups are not told', () => {
    const few = 'fewer than 5'
    expect(tableOf(people).rows).toEqual([
      ['Persons', '20', '12', few],
      ['Age in years, median (quartiles)', '50 (45 to 54)', '55 (52 to 57)', few],
      ['Age in years, not stated', '0 (0%)', few, few],
      ['Sex: female', '12 (60%)', few, few],
      ['Sex: male', '8 (40%)', 'not shown', few],
      ['stage: 1', '10 (50%)', 'not shown', few],
      ['stage: 2', '10 (50%)', '0 (0%)', few],
      ['stage: others', '0 (0%)', few, few],
    ])
  })

  it('never tell a value that a single person has', () => {
    expect(JSON.stringify(tableOf(people))).not.toMatch(/rare|99/)
  })

  it('count nothing where no table says anything', () => {
    expect(demographicBlocks(null, wordsOf('en'))).toEqual([])
  })

  it('take the middle of several values of one person, and their most frequent word', () => {
    const twice: Person = new Map([
      ['age', ['60', '62']],
      ['sex', ['m', 'f', 'f']],
    ])
    const { rows } = tableOf({ columns, parts: [{ part: 'all', persons: many(5, () => twice) }] })
    expect(rows).toContainEqual(['Age in years, median (quartiles)', '61 (61 to 61)'])
    expect(rows).toContainEqual(['Sex: female', '5 (100%)'])
  })

  it.each(languages)('have all of their words in %s', (language) => {
    expect(JSON.stringify(demographicBlocks(people, wordsOf(language)))).not.toMatch(/\{\{|people\./)
  })
})

it.each([
  [[20, 0, 0], []],
  [
    [20, 3, 0],
    [0, 1],
  ],
  [
    [20, 7, 3],
    [1, 2],
  ],
  // Two of one each would be told by a subtraction.
  [
    [20, 1, 1, 9],
    [1, 2, 3],
  ],
  [
    [20, 4, 4],
    [1, 2],
  ],
])('hides of %j the rows %j', (counts, rows) => {
  expect([...hiddenIn(counts)].sort()).toEqual(rows)
})
