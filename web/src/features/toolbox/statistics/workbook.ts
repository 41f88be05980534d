/** The first sheet of an .xlsx workbook as cells of text (ECMA-376: SpreadsheetML), read in this browser alone. */
import { toolbox as limits } from '@neuroloom/contract/limits'
import { strFromU8, unzipSync } from 'fflate'
import { TableProblem } from './table.ts'

export function cellsOf(bytes: Uint8Array): string[][] {
  const parts = partsOf(bytes)
  const sheet = firstSheet(parts)
  const texts = [...(parts['xl/sharedStrings.xml']?.getElementsByTagName('si') ?? [])].map(textOf)
  const rows: string[][] = []
  for (const row of sheet.getElementsByTagName('row')) {
    const cells: string[] = []
    for (const [k, cell] of [...row.getElementsByTagName('c')].entries()) {
      const place = columnOf(cell.getAttribute('r')) ?? k
      if (place >= limits.tableColumns) continue
      while (cells.length < place) cells.push('')
      cells[place] = contentOf(cell, texts)
    }
    rows.push(cells)
  }
  return rows
}

type Parts = Record<string, Document>

/** Of a workbook whose parts say that they are larger than there is room for, none is unpacked. */
function partsOf(bytes: Uint8Array): Parts {
  let room: number = limits.unpackedBytes
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (
          !/^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/[^/]+\.xml)$/.test(
            name,
          )
        )
          return false
        room -= originalSize
        if (room < 0) throw new TableProblem('too_large')
        return true
      },
    })
    const parser = new DOMParser()
    return Object.fromEntries(
      Object.entries(files).map(([name, part]) => [
        name,
        parser.parseFromString(strFromU8(part), 'application/xml'),
      ]),
    )
  } catch (error) {
    throw error instanceof TableProblem ? error : new TableProblem('unreadable')
  }
}

function firstSheet(parts: Parts): Document {
  const id = parts['xl/workbook.xml']?.getElementsByTagName('sheet')[0]?.getAttribute('r:id')
  const relations = [...(parts['xl/_rels/workbook.xml.rels']?.getElementsByTagName('Relationship') ?? [])]
  const target = relations.find((one) => one.getAttribute('Id') === id)?.getAttribute('Target')
  const sheet = parts[`xl/${target?.replace(/^\/?xl\//, '')}`] ?? parts['xl/worksheets/sheet1.xml']
  if (!sheet) throw new TableProblem('unreadable')
  return sheet
}

/** Runs of one text stand apart; readings in another alphabet (`rPh`) are none of it. */
const textOf = (item: Element): string =>
  [...item.getElementsByTagName('t')]
    .filter(({ parentElement }) => parentElement?.tagName !== 'rPh')
    .map(({ textContent }) => textContent ?? '')
    .join('')

function contentOf(cell: Element, texts: readonly string[]): string {
  const value = cell.getElementsByTagName('v')[0]?.textContent ?? ''
  switch (cell.getAttribute('t')) {
    case 's':
      return texts[Number(value)] ?? ''
    case 'inlineStr':
      return textOf(cell)
    case 'e':
      return ''
    default:
      return value
  }
}

/** `BC12` → 54. */
function columnOf(reference: string | null): number | null {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0]
  if (!letters) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
