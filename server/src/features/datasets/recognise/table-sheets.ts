/** The tables of a folder, one after the other: texts and workbooks, as rows. */
import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { CsvError, type Row, readCsv } from '../../../infra/csv-reader.ts'
import { baseOf, folderOf, isHidden, isTextName, stemOf } from './folder-names.ts'
import type { Folder, WorkbookSheet } from './shapes.ts'

/** Of a workbook each sheet is a table of its own. */
export type Sheet = { path: string; rows: Row[] }

/** One table in memory at a time; `problems` takes those that cannot be read. */
export async function* sheetsOf(
  folder: Folder,
  paths: readonly string[],
  problems: Problem[],
): AsyncGenerator<Sheet> {
  for (const path of paths) {
    if (isTextName(path, workbookEndings)) {
      yield* workbookSheets(folder, path, problems)
      continue
    }
    const text = await folder.read(path, limits.tableBytes)
    if (text === null) {
      problems.push({ path, reason: 'annotation_unreadable', params: { line: 0 } })
      continue
    }
    const rows = rowsOf(path, text, problems)
    if (rows) yield { path, rows }
  }
}

const workbookEndings = ['xlsx', 'xlsm']

/** Those that may say what images show: also workbooks and lists, and not what is to be filled in for a contest. */
export function labelTablesOf(paths: readonly string[], images: readonly string[]): string[] {
  const shown = paths.filter((path) => !isHidden(path))
  const top = commonFolder(shown)
  const stems = new Set(images.map(stemOf))
  const isList = (path: string): boolean =>
    isTextName(path, ['txt']) && !stems.has(baseOf(path).slice(0, -'.txt'.length))
  const isTable = (path: string): boolean =>
    isTextName(path, ['csv', 'tsv', ...workbookEndings]) && !/submission/i.test(baseOf(path))
  const isAtTop = (path: string): boolean => [top, ''].includes(folderOf(path))
  const tables = shown.filter((path) => isAtTop(path) && isTable(path))
  // A table for each folder, or all of them in one of their own. More of them measure something of single cases.
  const deeper = tables.length > 0 ? [] : shown.filter((path) => !isAtTop(path) && isTable(path))
  const lists = shown.filter((path) => isAtTop(path) && isList(path) && !/submission/i.test(baseOf(path)))
  return [...tables, ...(deeper.length > limits.tables ? [] : deeper), ...lists].slice(0, limits.tables)
}

/** Whether some of these tables lie in a folder that does not hold all images. */
export const lieWithin = (tables: readonly string[], images: readonly string[]): boolean =>
  tables.some((path) => {
    const at = folderOf(path)
    return at !== '' && images.some((image) => !image.startsWith(`${at}/`))
  })

function commonFolder(paths: readonly string[]): string {
  let common: string[] | null = null
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1)
    const known: string[] = common ?? parts
    const end = known.findIndex((part, depth) => part !== parts[depth])
    common = end < 0 ? known : known.slice(0, end)
  }
  return (common ?? []).join('/')
}

/** Null where the table breaks the rules. A README is no list that is broken. */
function rowsOf(path: string, text: string, problems: Problem[]): Row[] | null {
  const isList = isTextName(path, ['txt'])
  try {
    const rows: Row[] = []
    for (const row of readCsv(text, { maxCells: limits.tableColumns, withBlanks: isList })) {
      if (rows.length > limits.tableRows) {
        problems.push({ path, reason: 'table_too_long', params: { rows: limits.tableRows } })
        return null
      }
      rows.push(row)
    }
    return rows
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (!isList) problems.push({ path, reason: 'annotation_unreadable', params: { line: error.line } })
    return null
  }
}

async function* workbookSheets(folder: Folder, path: string, problems: Problem[]): AsyncGenerator<Sheet> {
  const read = (await folder.workbook?.(path)) ?? { refused: 'workbook_unreadable' as const }
  if ('refused' in read) {
    problems.push({ path, reason: read.refused, params: {} })
    return
  }
  for (const { rows, merged, isCut } of read.sheets) {
    if (isCut) {
      problems.push({ path, reason: 'workbook_too_large', params: {} })
      continue
    }
    fillMerged(rows, merged)
    const told = rows
      .map((cells, index): Row => ({ line: index + 1, cells: cells.map(toldBy) }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''))
    // Sheets leave out empty cells at the end of a row.
    const width = told.reduce((most, { cells }) => Math.max(most, cells.length), 0)
    for (const row of told) while (row.cells.length < width) row.cells.push('')
    yield { path, rows: told }
  }
}

/** A formula whose program could not calculate says nothing. */
const toldBy = (cell: string): string => (cell.startsWith('=') ? '' : cell.trim())

/** One word that stands for several rows is meant for each of them. */
function fillMerged(rows: string[][], merged: WorkbookSheet['merged']): void {
  for (const [top, left, height, width] of merged) {
    // A heading above several columns belongs to no row.
    if (width > 1) continue
    const word = rows[top]?.[left] ?? ''
    for (let row = top + 1; row < Math.min(rows.length, top + height); row += 1) {
      const cells = rows[row] ?? []
      while (cells.length <= left) cells.push('')
      cells[left] = word
    }
  }
}
