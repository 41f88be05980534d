/**
 * Age, sex and further facts of persons, summed up by part. A group of fewer than five persons is told as such, and
 * where a subtraction would tell it, further groups are not shown: nobody is to be recognised.
 */
import type { ReportBlock } from '@neuroloom/contract/reports'
import { quantile } from '../../infra/quantile.ts'
import { numberIn } from '../datasets/service.ts'
import { keyOf, type People, type PeoplePart, type Person, type PersonColumn } from './people.ts'
import type { Words } from './words.ts'

const FEWEST = 5
/** Further words of a column are put together. */
const MOST_WORDS = 8
/** A column with no more different numbers holds stages or codes. */
const MOST_CODES = 5
/** Of a column of numbers so many of its cells are. */
const NUMBERS = 0.9

export function demographicBlocks(people: People | null, words: Words): ReportBlock[] {
  if (people === null || people.parts.length === 0) return []
  const { columns, parts } = people
  const rows = columns.flatMap((column) => rowsOf(column, parts, words))
  const counts = parts.map(({ persons }) => countText(persons.length, words))
  return [
    {
      kind: 'table',
      anchor: 'characteristics',
      caption: words.say('people.caption'),
      head: [words.say('people.head'), ...parts.map(({ part }) => words.say(`people.part.${part}`))],
      rows: [[words.say('people.persons'), ...counts], ...rows],
    },
    { kind: 'text', text: words.say('people.text', { fewest: FEWEST }) },
  ]
}

function rowsOf(column: PersonColumn, parts: readonly PeoplePart[], words: Words): string[][] {
  const key = keyOf(column)
  const cells = parts.flatMap(({ persons }) => persons.flatMap((person) => person.get(key) ?? []))
  const name = column.kind === 'other' ? column.name : words.say(`people.${column.kind}`)
  return isOfNumbers(column, cells)
    ? numberRows({ key, name }, parts, words)
    : wordRows({ key, name, column }, parts, words)
}

function isOfNumbers({ kind }: PersonColumn, cells: readonly string[]): boolean {
  const numbers = cells.flatMap((cell) => numberIn(cell) ?? [])
  if (kind === 'sex' || numbers.length === 0 || numbers.length < NUMBERS * cells.length) return false
  return kind === 'age' || new Set(numbers).size > MOST_CODES
}

type Named = { key: string; name: string }

function numberRows({ key, name }: Named, parts: readonly PeoplePart[], words: Words): string[][] {
  const known = parts.map(({ persons }) =>
    persons.flatMap((person) => {
      const numbers = (person.get(key) ?? []).flatMap((cell) => numberIn(cell) ?? [])
      return numbers.length > 0 ? [quantile(inOrder(numbers), 0.5)] : []
    }),
  )
  const shown = (numbers: number[]): string => {
    if (numbers.length < FEWEST) return words.say('people.few', { fewest: FEWEST })
    const sorted = inOrder(numbers)
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => words.number(quantile(sorted, share)))
    return words.say('people.quartiles', { low: low ?? '', middle: middle ?? '', high: high ?? '' })
  }
  const missing = parts.map(({ persons }, index) => persons.length - (known[index]?.length ?? 0))
  const silent = missing.map((count, index) => shareText(count, parts[index]?.persons.length ?? 0, words))
  return [
    [words.say('people.median', { name }), ...known.map(shown)],
    ...(missing.some((count) => count > 0) ? [[words.say('people.missing', { name }), ...silent]] : []),
  ]
}

function wordRows(
  { key, name, column }: Named & { column: PersonColumn },
  parts: readonly PeoplePart[],
  words: Words,
): string[][] {
  const wordIn = (person: Person): string | null => {
    const said = (person.get(key) ?? []).map((cell) => (column.kind === 'sex' ? sexOf(cell) : cell))
    return mostFrequent(said)
  }
  const told = parts.map(({ persons }) => persons.map(wordIn))
  const totals = countsOf(told.flat().flatMap((word) => word ?? []))
  const usual = [...totals]
    .filter(([, count]) => count >= FEWEST)
    .sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(([word]) => word)
  const columns = told.map((some) => columnOf(some, usual))
  const labels = [
    ...usual.map((word) => (column.kind === 'sex' ? (sexWord(word, words) ?? word) : word)),
    words.say('people.others'),
    words.say('people.notStated'),
  ]
  return labels.flatMap((label, row) => {
    if (columns.every((counts) => counts[row] === 0)) return []
    const cells = columns.map((counts, at) => {
      const count = counts[row] ?? 0
      return hiddenIn(counts).has(row) && count >= FEWEST
        ? words.say('people.hidden')
        : shareText(count, parts[at]?.persons.length ?? 0, words)
    })
    return [[words.say('people.value', { name, value: label }), ...cells]]
  })
}

/** Of one part: of each usual word, of all others, and of those who say nothing. */
function columnOf(some: readonly (string | null)[], usual: readonly string[]): number[] {
  const counts = usual.map((word) => some.filter((one) => one === word).length)
  const missing = some.filter((one) => one === null).length
  return [...counts, some.length - missing - counts.reduce((sum, count) => sum + count, 0), missing]
}

/** Rows whose count must not be told: small ones, and the next smallest until a subtraction tells of five persons or more. */
export function hiddenIn(counts: readonly number[]): Set<number> {
  const ordered = [...counts.keys()]
    .filter((row) => (counts[row] ?? 0) > 0)
    .sort((one, other) => (counts[one] ?? 0) - (counts[other] ?? 0))
  const hidden = new Set(ordered.filter((row) => (counts[row] ?? 0) < FEWEST))
  if (hidden.size === 0) return hidden
  const sum = () => [...hidden].reduce((total, row) => total + (counts[row] ?? 0), 0)
  for (const row of ordered) if (hidden.size < 2 || sum() < FEWEST) hidden.add(row)
  return hidden
}

const countText = (count: number, words: Words): string =>
  count > 0 && count < FEWEST ? words.say('people.few', { fewest: FEWEST }) : words.number(count)

/** Of all persons of the part, so that shares do not tell how many say nothing. */
function shareText(count: number, of: number, words: Words): string {
  if (of < FEWEST || (count > 0 && count < FEWEST)) return words.say('people.few', { fewest: FEWEST })
  return words.say('people.share', { count: words.number(count), share: words.percent(count / of) })
}

const inOrder = (numbers: readonly number[]): number[] => [...numbers].sort((one, other) => one - other)

function mostFrequent(said: readonly string[]): string | null {
  const [found] = [...countsOf(said)].sort(([, one], [, other]) => other - one)
  return found?.[0] ?? null
}

function countsOf(said: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of said) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

const sexes = {
  female: ['f', 'female', 'w', 'woman', '女', '女性', 'ж', 'жен', 'женский', 'женщина'],
  male: ['m', 'male', 'man', '男', '男性', 'м', 'муж', 'мужской', 'мужчина'],
}

function sexOf(cell: string): string {
  const key = cell.toLowerCase().replace(/\.$/, '')
  if (sexes.female.includes(key)) return 'female'
  return sexes.male.includes(key) ? 'male' : cell
}

const sexWord = (word: string, words: Words): string | null =>
  word === 'female' || word === 'male' ? words.say(`people.${word}`) : null
