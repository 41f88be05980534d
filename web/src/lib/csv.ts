/** Tables as text for spreadsheets and programs, after RFC 4180. */

export function csvText(lines: readonly (readonly string[])[]): string {
  return `${lines.map((line) => line.map(quoted).join(',')).join('\r\n')}\r\n`
}

/** A name that begins like a formula is no formula to a spreadsheet (OWASP, CSV injection). */
function quoted(cell: string): string {
  const safe = /^[=+@\t]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
