/** Tables as text: rows and cells of comma, semicolon or tab separated text (RFC 4180 quoting); the first line tells the separator. */
export function parseTable(text: string): string[][] {
  const clean = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(clean.slice(0, clean.search(/\r?\n|$/)))
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let k = 0; k < clean.length; k += 1) {
    const sign = clean[k]
    if (isQuoted) {
      if (sign === '"' && clean[k + 1] === '"') {
        cell += '"'
        k += 1
      } else if (sign === '"') isQuoted = false
      else cell += sign
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === separator) {
      row.push(cell)
      cell = ''
    } else if (sign === '\n') {
      rows.push([...row, cell.replace(/\r$/, '')])
      row = []
      cell = ''
    } else cell += sign
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows
}

function separatorOf(line: string): string {
  const count = (sign: string): number => line.split(sign).length
  return ['\t', ';', ','].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',')
}
