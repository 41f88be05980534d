/** Makes workbooks as Excel stores them, whole or with parts that lie. */
import { zipOf } from './zip.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

type Sheet = { name: string; state?: string; rows?: string; after?: string }
type WorkbookParts = {
  sheets: Sheet[]
  sharedStrings?: string
  styles?: string
  properties?: string
  more?: { name: string; bytes: Buffer }[]
}

export function workbookOf({
  sheets,
  sharedStrings = '',
  styles = '',
  properties = '',
  more = [],
}: WorkbookParts): Buffer {
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  const relations = (inner: string): string =>
    `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`
  const parts: Record<string, string> = {
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${properties}<sheets>${sheets
      .map(
        ({ name, state }, index) =>
          `<sheet name="${name}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      sheets
        .map((_, index) => relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`))
        .join('') +
        relation('rIdT', 'sharedStrings', '/xl/sharedStrings.xml') +
        relation('rIdS', 'styles', 'styles.xml'),
    ),
    'xl/sharedStrings.xml': `${XML}<sst xmlns="${MAIN}">${sharedStrings}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
  }
  for (const [index, { rows = '', after = '' }] of sheets.entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${after}</worksheet>`
  const entries = Object.entries(parts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }))
  // What is given here stands in place of what was made.
  const given = new Set(more.map(({ name }) => name))
  return zipOf([...entries.filter(({ name }) => !given.has(name)), ...more])
}

/** An OLE container, as old Office and locked workbooks have it; only what tells them apart. */
export const containerOf = (stream: string): Buffer =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(1016),
    Buffer.from(stream, 'utf16le'),
    Buffer.alloc(512),
  ])
