import { csvText } from '../../../lib/csv.ts'
import type { Row } from './answer.ts'

/** For programs: the same English names in every language, numbers as they were computed. */
export function csvOf(rows: readonly Row[]): string {
  const head = ['figure', 'of', 'value', 'low95', 'high95', 'method', 'paper']
  const lines = rows.map(({ name, of = '', value, interval, method, paper }) => [
    ...[name, of, String(value)],
    ...(interval ? [String(interval.low), String(interval.high)] : ['', '']),
    ...[method, paper],
  ])
  return csvText([head, ...lines])
}
