import { toolbox as limits } from '@neuroloom/contract/limits'
import { decodeText, encodingOfText } from '@neuroloom/contract/names/text-encodings'
import { parseTable } from '../../../lib/parse-table.ts'
import { type Table, TableProblem, tableOf } from './table.ts'

/** A table of text or the first sheet of a workbook; read in this browser alone. */
export async function readTable(bytes: Uint8Array): Promise<Table> {
  if (bytes.length > limits.tableBytes) throw new TableProblem('too_large')
  const isWorkbook = bytes[0] === 0x50 && bytes[1] === 0x4b
  const cells = isWorkbook
    ? (await import('./workbook.ts')).cellsOf(bytes)
    : parseTable(decodeText(bytes, encodingOfText(bytes)))
  return orProblem(cells)
}

export const readText = (text: string): Table => orProblem(parseTable(text))

function orProblem(cells: string[][]): Table {
  if (cells.length - 1 > limits.tableRows) throw new TableProblem('too_large')
  const table = tableOf(cells)
  if (table === null) throw new TableProblem('empty')
  return table
}
