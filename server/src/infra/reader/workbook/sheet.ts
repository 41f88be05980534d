/** The cells of one sheet of a workbook, as far as they are shown. */
import { workbooks as limits } from '@neuroloom/contract/limits'
import { Refusal } from '../model.ts'
import { type CellFormat, textOfNumber } from './formats.ts'
import type { Parts, Room, Visitor } from './parts.ts'

export type SheetCells = {
  /** A number leads to a text that stands once in the file. */
  rows: (string | number)[][]
  merged: [number, number, number, number][]
  isCut: boolean
}
type Setting = {
  formats: readonly CellFormat[]
  countsFrom1904: boolean
  /** What all sheets have together. */
  room: Room & { cells: number }
  /** Of this one. */
  rows: number
}
type Cell = { row: number; column: number; type: string; style: number; value: string; formula: string }

export async function readSheet(parts: Parts, path: string, setting: Setting): Promise<SheetCells> {
  const sheet: SheetCells = { rows: [], merged: [], isCut: false }
  try {
    await parts.walk(path, visitorOf(sheet, setting), setting.room)
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'workbook_too_large') throw error
    sheet.isCut = true
  }
  return sheet
}

function visitorOf(sheet: SheetCells, setting: Setting): Visitor {
  let row = -1
  let column = -1
  let cell: Cell | null = null
  let within: 'value' | 'formula' | null = null
  let isReadAloud = false
  return {
    open(tag, { r = '', t = 'n', s, ref }) {
      if (tag === 'row') {
        row = Number(r || row + 2) - 1
        column = -1
      } else if (tag === 'c') {
        column = r === '' ? column + 1 : (placeOf(r)?.column ?? -1)
        cell = { row, column, type: t, style: Number(s ?? 0), value: '', formula: '' }
      } else if (tag === 'rPh') isReadAloud = true
      else if (tag === 'mergeCell') merge(sheet, ref ?? '')
      within = null
      if (tag === 'v' || (tag === 't' && !isReadAloud)) within = 'value'
      if (tag === 'f') within = 'formula'
    },
    text(piece) {
      if (cell && within) cell[within] = (cell[within] + piece).slice(0, limits.cellLength)
    },
    close(tag) {
      within = null
      if (tag === 'rPh') isReadAloud = false
      if (tag !== 'c' || !cell) return 'goOn'
      const isRoom = put(sheet, cell, setting)
      cell = null
      return isRoom ? 'goOn' : 'enough'
    },
  }
}

/** False when nothing more is shown of this sheet. */
function put(sheet: SheetCells, cell: Cell, setting: Setting): boolean {
  const { row, column } = cell
  const text = contentOf(cell, setting)
  const isPlace = Number.isInteger(row) && row >= 0 && column >= 0
  // Many programs give whole columns of empty cells a colour.
  if (text === '' || !isPlace) return true
  if (column >= limits.columns) sheet.isCut = true
  if (row >= setting.rows || setting.room.cells === 0) {
    sheet.isCut = true
    return false
  }
  if (column >= limits.columns) return true
  setting.room.cells -= 1
  while (sheet.rows.length <= row) sheet.rows.push([])
  const cells = sheet.rows[row] ?? []
  while (cells.length < column) cells.push('')
  cells[column] = text
  return true
}

function contentOf({ type, style, value, formula }: Cell, { formats, countsFrom1904 }: Setting) {
  // Programs that cannot calculate write formulas without what comes of them.
  if (value === '') return formula === '' ? '' : `=${formula}`
  if (type === 's') return Number(value)
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return value
  return textOfNumber(value, { format: formats[style] ?? 'number', countsFrom1904 })
}

/** Such as `AB12`. */
function placeOf(name: string): { row: number; column: number } | null {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(name) ?? []
  if (!letters || !digits) return null
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(digits) - 1, column }
}

/** As far as it is shown; those after a sheet's end that is not read stay apart, their text in the first cell. */
function merge({ merged, rows }: SheetCells, ref: string): void {
  const [first, last] = ref.split(':').map(placeOf)
  if (!first || !last || merged.length >= limits.rows * 10) return
  const height = Math.min(last.row, rows.length - 1) - first.row + 1
  const width = Math.min(last.column, limits.columns - 1) - first.column + 1
  if (height > 0 && width > 0 && height * width > 1) merged.push([first.row, first.column, height, width])
}
