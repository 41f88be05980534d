/** What tables beside the images say of the persons: age, sex, and further columns that the owner chose. */
import type { PeopleFacts } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import type { Row } from '../../../infra/csv-reader.ts'
import { findersFor } from './find-image.ts'
import type { Folder, Item } from './shapes.ts'
import { columnsAround, keyOf } from './table-columns.ts'
import { labelTablesOf, sheetsOf } from './table-sheets.ts'
import { shapeOf } from './table-survey.ts'

/** What is said of one item, by the name of the column. */
export type About = Record<string, string>
type Told = { about: (About | null)[]; people: PeopleFacts | null }

const names = {
  age: 'age ageyears ageinyears patientage ageapprox ageatscan ageatdiagnosis ageatvisit 年龄 岁 возраст возрастлет'.split(
    ' ',
  ),
  sex: 'sex gender patientsex patientgender 性别 пол'.split(' '),
}

/** What stands for nothing. */
const unknown = new Set(
  'na nan n/a null none unknown unk ? - – — . 未知 不详 нет неизвестно нетданных'.split(' '),
)

/** `chosen`: columns that the owner wants told besides. */
export async function withPeople(
  folder: Folder,
  { items, chosen }: { items: readonly Item[]; chosen: readonly string[] },
): Promise<Told> {
  const images = items.map(({ image }) => image)
  const findersOf = findersFor(images)
  const places = new Map(images.map((image, place) => [image, place]))
  const placesOf = patientFinder(items)
  const said = new Map<string, Map<number, string>>()
  const unmatched: string[] = []
  for await (const sheet of sheetsOf(folder, labelTablesOf(folder.paths, images), [])) {
    const shape = shapeOf(sheet, findersOf(sheet.path))
    const isOfImages = shape?.rows.some(
      ({ cells }) => shape.imagesOf(cells[shape.columns.image] ?? '').length > 0,
    )
    if (shape && isOfImages) {
      const placesIn = (cell: string) => shape.imagesOf(cell).flatMap((image) => places.get(image) ?? [])
      const { image, part, patient } = shape.columns
      note(said, { head: shape.head, rows: shape.rows, own: [image, part, patient], by: image, placesIn })
      continue
    }
    const [head, ...rows] = sheet.rows
    if (!head) continue
    const by = columnsAround(head.cells, -1).patient
    if (by !== null && rows.some(({ cells }) => placesOf(cells[by] ?? '').length > 0))
      note(said, { head: head.cells, rows, own: [by], by, placesIn: placesOf })
    else if (head.cells.some((name) => kindOf(name) !== 'other')) unmatched.push(sheet.path)
  }
  const found = told(said, { items, chosen })
  if (unmatched.length === 0) return found
  const people = found.people ?? { columns: [], options: [] }
  const tables = [...new Set(unmatched)].slice(0, limits.personTables)
  return { ...found, people: { ...people, unmatched: tables } }
}

/**
 * Finds the places of a patient's items: `P-01` is written for p01, and where nobody is called so `P001` for p1, `007` for
 * 7, and `1` for p1 where all are called by the same letters. What could be two patients is neither.
 */
function patientFinder(items: readonly Item[]): (name: string) => readonly number[] {
  const places = new Map<string, number[]>()
  for (const [place, { patient }] of items.entries()) {
    if (patient === null) continue
    const key = keyOf(patient)
    places.set(key, [...(places.get(key) ?? []), place])
  }
  const alike = new Map<string, Set<string>>()
  const add = (name: string, key: string) =>
    alike.set(withoutZeros(name), (alike.get(withoutZeros(name)) ?? new Set()).add(key))
  for (const key of places.keys()) add(key, key)
  const numbered = [...places.keys()].map((key) => /^(\D+)(\d+)$/.exec(key))
  if (new Set(numbered.map((found) => found?.[1])).size === 1)
    for (const found of numbered) if (found) add(found[2] ?? '', found[0])
  return (name) => {
    const key = keyOf(name)
    const [only = '', ...others] = places.has(key) ? [key] : (alike.get(withoutZeros(key)) ?? [])
    return others.length > 0 ? [] : (places.get(only) ?? [])
  }
}

/** Each number as it is counted with. */
const withoutZeros = (key: string): string => key.replace(/(?<!\d)0+(?=\d)/g, '')

type Table = {
  head: readonly string[]
  rows: readonly Row[]
  /** Columns that say which image, whose and for what. */
  own: readonly (number | null)[]
  by: number
  placesIn: (cell: string) => readonly number[]
}

/** The first table that says something of an item counts. */
function note(said: Map<string, Map<number, string>>, { head, rows, own, by, placesIn }: Table): void {
  const columns = head.flatMap((name, index) =>
    name === '' || own.includes(index) || index >= limits.tableColumns
      ? []
      : [{ name: name.normalize('NFC').slice(0, 100), index }],
  )
  for (const { cells } of rows) {
    const found = placesIn(cells[by] ?? '')
    if (found.length === 0) continue
    for (const { name, index } of columns) {
      const cell = (cells[index] ?? '').normalize('NFC').trim().slice(0, MOST_LETTERS)
      if (cell === '' || unknown.has(keyOf(cell)) || unknown.has(cell.toLowerCase())) continue
      const known = said.get(name) ?? new Map<number, string>()
      said.set(name, known)
      for (const place of found) if (!known.has(place)) known.set(place, cell)
    }
  }
}

const MOST_LETTERS = 60

function told(
  said: Map<string, Map<number, string>>,
  { items, chosen }: { items: readonly Item[]; chosen: readonly string[] },
): Told {
  const kinds = [...said].map(([name, values]) => ({ name, values, kind: kindOf(name) }))
  const usual = (['age', 'sex'] as const).flatMap((kind) => kinds.find((one) => one.kind === kind) ?? [])
  const others = kinds.filter((one) => !usual.includes(one) && isGroup(items, one.values))
  const shown = [...usual, ...others.filter(({ name }) => chosen.includes(name))].slice(
    0,
    limits.personColumns,
  )
  if (kinds.length === 0 || usual.length + others.length === 0)
    return { about: items.map(() => null), people: null }
  return {
    about: items.map((_, place) => {
      const known = shown.flatMap(({ name, values }) => {
        const value = values.get(place)
        return value === undefined ? [] : [[name, value] as const]
      })
      return known.length > 0 ? Object.fromEntries(known) : null
    }),
    people: {
      columns: shown.map(({ name, kind, values }) => ({ name, kind, items: values.size })),
      options: others.slice(0, limits.personOptions).map(({ name }) => name),
    },
  }
}

function kindOf(name: string): 'age' | 'sex' | 'other' {
  const key = keyOf(name)
  if (names.age.includes(key)) return 'age'
  return names.sex.includes(key) ? 'sex' : 'other'
}

/** What differs from person to person, as names and numbers of cases do, is no group of persons. */
function isGroup(items: readonly Item[], values: ReadonlyMap<number, string>): boolean {
  const persons = new Map([...values].map(([place, value]) => [items[place]?.patient ?? `#${place}`, value]))
  const kinds = new Set(persons.values())
  const isOfNumbers = [...kinds].every((value) => numberIn(value) !== null)
  return kinds.size > 0 && persons.size > 1 && (kinds.size * 2 <= persons.size || isOfNumbers)
}

/** `61`, `61,5`, `061Y` as DICOM writes ages, `61 years`; months and days in years. Null for anything else. */
export function numberIn(cell: string): number | null {
  const found =
    /^(-?\d+(?:[.,]\d+)?)\s*(y|yr|yrs|years?|岁|лет|год|года|г|m|months?|月|мес|w|weeks?|d|days?)?\.?$/i.exec(
      cell.trim(),
    )
  if (!found) return null
  const value = Number((found[1] ?? '').replace(',', '.'))
  const unit = (found[2] ?? '').toLowerCase()
  if (/^(m|月|мес)/.test(unit)) return value / 12
  if (/^w/.test(unit)) return value / 52.18
  return /^d/.test(unit) ? value / 365.25 : value
}
