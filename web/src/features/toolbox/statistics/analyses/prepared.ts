/** What all analyses begin with: the rows that count, as numbers or as yes and no, and what is to be said of them. */
import { formatNumber } from '../../../../lib/format.ts'
import type { Said } from '../answer.ts'
import type { Role, Settings } from '../settings.ts'
import { numberOf, pick, type Table } from '../table.ts'

export type Prepared = {
  /** Cells of the columns in the order of the roles. */
  rows: string[][]
  names: string[]
  warnings: Said[]
}

/** Or what is missing still. */
export function prepare(
  table: Table,
  settings: Settings,
  roles: readonly Role[],
): Prepared | { problem: Said } {
  const names = roles.flatMap((role) =>
    role === 'several' ? settings.several : (settings.columns[role] ?? []),
  )
  const isWhole = roles.every((role) =>
    role === 'several' ? settings.several.length >= 2 : settings.columns[role],
  )
  if (!isWhole || names.some((name) => !table.names.includes(name)))
    return { problem: { key: 'chooseColumns' } }
  if (new Set(names).size < names.length) return { problem: { key: 'sameColumn' } }
  const { rows, left, repeated } = pick(table, names, settings.patient)
  if (rows.length === 0) return { problem: { key: 'noRows' } }
  const warnings: Said[] = []
  if (left > 0) warnings.push({ key: 'left', params: { count: left, shown: formatNumber(left) } })
  if (repeated > 0)
    warnings.push({ key: 'repeated', params: { count: repeated, shown: formatNumber(repeated) } })
  if (settings.patient === undefined) warnings.push({ key: 'patientUnknown' })
  return { rows, names, warnings }
}

/** The cells of one column as numbers, or the first that is none. */
export function numbersIn({ rows, names }: Prepared, place: number): number[] | { problem: Said } {
  const found: number[] = []
  for (const row of rows) {
    const value = numberOf(row[place] ?? '')
    if (value === null)
      return { problem: { key: 'noNumber', params: { text: row[place] ?? '', column: names[place] ?? '' } } }
    found.push(value)
  }
  return found
}

export const isProblem = (value: object): value is { problem: Said } => 'problem' in value
