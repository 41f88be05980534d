/** Lines of tables that spreadsheets open. Knows no features. */

/** The mark by which spreadsheets know UTF-8; stands before the first line. */
export const CSV_MARK = '\uFEFF'

export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`

/** Spreadsheets take text that begins like a formula for one, and run it: such cells begin with an apostrophe. */
function csvCell(cell: string | number | null): string {
  if (typeof cell !== 'string') return String(cell ?? '')
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
