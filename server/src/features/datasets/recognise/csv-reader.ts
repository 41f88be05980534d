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

/** The one that the first line has the most of; what stands in quotes is no separator. */
function separatorOf(text: string, withBlanks: boolean): string {
  const [head = ''] = text.slice(0, HEAD).split(/\r?\n|\r/, 1)
  const bare = head.replace(/"[^"]*"/g, '')
  const count = (separator: string): number => bare.split(separator).length
  const known = [',', ';', '\t', ...(withBlanks ? [' '] : [])]
  return known.reduce((best, next) => (count(next) > count(best) ? next : best))
}
