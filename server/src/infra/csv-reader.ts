/** Reads tables as spreadsheets save them (RFC 4180): comma, semicolon or tab, quoted cells. Row by row, with limits. */

export type Row = { line: number; cells: string[] }

/** A table that breaks the rules, with the line where it does. */
export class CsvError extends Error {
  readonly line: number

  constructor(line: number) {
    super(`unreadable at line ${line}`)
    this.line = line
  }
}

type CsvOptions = {
  maxCells: number
  /** Lists of images are often parted by blanks. */
  withBlanks?: boolean
}

/** Rows but empty ones; more cells than `maxCells` in a row or a quote that never ends are errors. */
export function* readCsv(text: string, { maxCells, withBlanks = false }: CsvOptions): Generator<Row> {
  const [said = '', named] = /^\ufeff?sep=(.)\r?\n/.exec(text.slice(0, 8)) ?? []
  const separator = named ?? separatorOf(text, withBlanks)
  let [at, line] = [said.length, said === '' ? 1 : 2]
  while (at < text.length) {
    const row: Row = { line, cells: [] }
    for (;;) {
      if (row.cells.length >= maxCells) throw new CsvError(row.line)
      const cell = readCell(text, at, { separator, line })
      row.cells.push(cell.value)
      line += cell.breaks
      at = cell.end
      if (text[at] !== separator) break
      at += 1
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    line += 1
    if (row.cells.some((cell) => cell !== '')) yield row
  }
}

type Cell = { value: string; end: number; breaks: number }

function readCell(text: string, start: number, place: { separator: string; line: number }): Cell {
  if (text[start] === '"') return readQuoted(text, start, place)
  let end = start
  while (end < text.length && !isEnd(text[end], place.separator)) end += 1
  return { value: text.slice(start, end).trim(), end, breaks: 0 }
}

function readQuoted(
  text: string,
  start: number,
  { separator, line }: { separator: string; line: number },
): Cell {
  let [value, breaks, at] = ['', 0, start + 1]
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) throw new CsvError(line)
    const piece = text.slice(at, quote)
    value += piece
    breaks += piece.split('\n').length - 1
    at = quote + 1
    if (text[at] !== '"') break
    value += '"'
    at += 1
  }
  if (at < text.length && !isEnd(text[at], separator)) throw new CsvError(line + breaks)
  return { value: value.trim(), end: at, breaks }
}

const isEnd = (letter: string | undefined, separator: string): boolean =>
  letter === separator || letter === '\n' || letter === '\r'

/** So much of a table is looked at to find out its separator. */
const HEAD = 20_000

/** Lines that are looked at. */
const LINES = 20

/**
 * The one that parts most of the first lines into the same number of cells, for there may be titles above; of equal ones that
 * of which the first line has the most. What stands in quotes is no separator.
 */
function separatorOf(text: string, withBlanks: boolean): string {
  const bare = text.slice(0, HEAD).replace(/"[^"]*"/g, '')
  const lines = bare
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, LINES)
  const known = [',', ';', '\t', ...(withBlanks ? [' '] : [])].map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1)
    return { separator, alike: mostAlike(counts.filter((count) => count > 0)), first: counts[0] ?? 0 }
  })
  const isBetter = (one: (typeof known)[number], other: (typeof known)[number]): boolean =>
    one.alike > other.alike || (one.alike === other.alike && one.first > other.first)
  return known.reduce((best, next) => (isBetter(next, best) ? next : best)).separator
}

/** How often the most frequent of these comes. */
function mostAlike(counts: readonly number[]): number {
  const times = new Map<number, number>()
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1)
  return Math.max(0, ...times.values())
}
