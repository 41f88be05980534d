/** A table as it was pasted, typed or read: names of columns and cells, all of it text. */
export type Table = { names: string[]; rows: string[][] }

/** `too_large`, `unreadable` or `empty`: texts below `problem.`. */
export class TableProblem extends Error {}

/** The first row names the columns; empty rows go, and so do names that stand twice. */
export function tableOf(cells: readonly string[][]): Table | null {
  const rows = cells.filter((row) => row.some((cell) => cell.trim() !== ''))
  const [head, ...body] = rows
  if (!head || body.length === 0) return null
  const names: string[] = []
  for (const [k, cell] of head.entries()) names.push(freeName(cell.trim() || String(k + 1), names))
  return { names, rows: body.map((row) => names.map((_, k) => row[k]?.trim() ?? '')) }
}

function freeName(name: string, taken: readonly string[]): string {
  let free = name
  for (let k = 2; taken.includes(free); k += 1) free = `${name} (${k})`
  return free
}

const missing = /^(|\.|-|–|—|\?|na|n\/a|nan|null|none|#n\/a)$/i

/** What stands for nothing in the tables of clinics and of statistics programs. */
const isMissing = (cell: string): boolean => missing.test(cell)

/** `3,5` and `3.5`, `1 234`, `87 %`; null = no number. */
export function numberOf(cell: string): number | null {
  const bare = cell.replace(/[\s\u00a0\u202f']|%$/g, '')
  const plain = bare.includes('.') ? bare.replaceAll(',', '') : bare.replace(',', '.')
  const value = plain === '' ? Number.NaN : Number(plain)
  return Number.isFinite(value) ? value : null
}

export type Picked = {
  /** Cells of these columns, in their order, of rows that lack none. */
  rows: string[][]
  /** Rows left out because a cell is empty. */
  left: number
  /** Patients with more than one row. */
  repeated: number
}

export function pick(
  { names, rows }: Table,
  columns: readonly string[],
  patient: string | undefined,
): Picked {
  const places = columns.map((name) => names.indexOf(name))
  const whole = rows.filter((row) => places.every((place) => !isMissing(row[place] ?? '')))
  const seen = new Map<string, number>()
  const who = patient === undefined ? -1 : names.indexOf(patient)
  for (const row of whole) {
    const name = row[who] ?? ''
    if (name !== '') seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  return {
    rows: whole.map((row) => places.map((place) => row[place] ?? '')),
    left: rows.length - whole.length,
    repeated: [...seen.values()].filter((count) => count > 1).length,
  }
}

/** Different values of a column, numbers in their order; what is missing is none. */
export function valuesOf({ names, rows }: Table, column: string): string[] {
  const place = names.indexOf(column)
  const found = [...new Set(rows.map((row) => row[place] ?? ''))].filter((cell) => !isMissing(cell))
  return inOrder(found)
}

export function inOrder(values: readonly string[]): string[] {
  const numbers = values.map(numberOf)
  if (numbers.every((value) => value !== null))
    return [...values].sort((one, other) => (numberOf(one) ?? 0) - (numberOf(other) ?? 0))
  return [...values].sort((one, other) => one.localeCompare(other))
}

const yes =
  /^(1|\+|yes|y|true|pos|positive|ill|sick|disease|diseased|abnormal|malignant|cancer|case|是|有|阳性|阳|患病|病|恶性|异常|да|есть|пол|положительный|положительно|болен|больной|больна|злокачественный|патология)$/i

/** Of the values of a column the one that most likely says "ill" or "positive". */
export const likelyYes = (values: readonly string[]): string | undefined =>
  values.find((value) => yes.test(value)) ?? values.at(-1)
