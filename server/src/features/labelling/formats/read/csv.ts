/** Tables of boxes, with an angle and a slice where they say so, and of labels of whole images. */
import { labelExchange } from '@neuroloom/contract/limits'
import { CsvError, readCsv } from '../../../../infra/csv-reader.ts'
import { isTextName } from '../../../datasets/service.ts'
import type { Found } from '../shapes.ts'
import type { From } from './from.ts'
import { type Gathered, gather } from './gather.ts'

const words = {
  file: 'file filename filepath image imageid imagename imagepath path name img',
  label: 'class label classname labelname category type finding target',
  left: 'x xmin x1 x0 left xtl bboxx',
  top: 'y ymin y1 y0 top ytl bboxy',
  right: 'xmax x2 right xbr',
  bottom: 'ymax y2 bottom ybr',
  width: 'width w bboxwidth bboxw',
  height: 'height h bboxheight bboxh',
  angle: 'angle rotation degrees',
  slice: 'slice frame z page',
} as const
type Column = keyof typeof words
type Columns = Partial<Record<Column, number>>

export async function* readTables(from: From): AsyncIterable<Found> {
  const all = new Map<string, Gathered>()
  for (const [index, path] of from.paths.filter((one) => isTextName(one, ['csv', 'tsv'])).entries()) {
    // So many that are about something else: so will be the others.
    if (all.size === 0 && index >= labelExchange.lists) break
    const text = await from.read(path, labelExchange.listBytes)
    if (text === null) {
      yield { kind: 'problem', path, reason: 'file_unreadable', params: { line: 0 } }
      continue
    }
    try {
      yield* readTable(from, { path, text, all })
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      yield { kind: 'problem', path, reason: 'file_unreadable', params: { line: error.line } }
    }
  }
  for (const gathered of all.values()) yield* gathered.found()
}

type Table = { path: string; text: string; all: Map<string, Gathered> }

function* readTable(from: From, { path, text, all }: Table): Iterable<Found> {
  let columns: Columns | null = null
  for (const { line, cells } of readCsv(text, { maxCells: 200 })) {
    if (columns === null) {
      columns = columnsOf(cells)
      if (columns.file === undefined || columns.label === undefined) return
      continue
    }
    const cell = (column: Column): string => cells[columns?.[column] ?? -1] ?? ''
    const target = from.find(cell('file'))
    if (!target) {
      yield { kind: 'problem', path, reason: 'image_missing', params: { name: cell('file'), line } }
      continue
    }
    const gathered = all.get(target.name) ?? gather(path, target)
    all.set(target.name, gathered)
    const name = cell('label').normalize('NFC')
    const box = boxOf(columns, cell)
    // Named without a class or a box: there is nothing on it.
    if (box === 'none' && name !== '' && columns.left === undefined) gathered.tag(name)
    else if (box === 'none') continue
    else if (box === null || name === '') gathered.refuse('unreadable', { line })
    else gathered.thing(box, { class: name, at: { line }, slice: Number(cell('slice')) || 0 })
  }
}

function columnsOf(head: readonly string[]): Columns {
  const keys = head.map((name) =>
    name
      .replace(/^\ufeff/, '')
      .toLowerCase()
      .replace(/[^\p{L}\d]+/gu, ''),
  )
  const columns: Columns = {}
  for (const column of Object.keys(words) as Column[]) {
    const at = words[column]
      .split(' ')
      .map((word) => keys.indexOf(word))
      .find((one) => one >= 0)
    if (at !== undefined) columns[column] = at
  }
  return columns
}

type Box = { kind: 'box'; x: number; y: number; width: number; height: number; angle: number }

/** `none`: no box is said; null: what is said is none. */
function boxOf(columns: Columns, cell: (column: Column) => string): Box | 'none' | null {
  const isBySides = columns.width !== undefined && columns.height !== undefined
  const asked: Column[] = [
    'left',
    'top',
    ...(isBySides ? (['width', 'height'] as const) : (['right', 'bottom'] as const)),
  ]
  if (asked.some((column) => columns[column] === undefined)) return 'none'
  const said = asked.map(cell)
  if (said.every((text) => /^(|nan|na|null|none)$/i.test(text))) return 'none'
  const [x = Number.NaN, y = Number.NaN, one = Number.NaN, two = Number.NaN] = said.map((text) =>
    text === '' ? Number.NaN : Number(text.replace(',', '.')),
  )
  if (![x, y, one, two].every(Number.isFinite)) return null
  const [width, height] = isBySides ? [one, two] : [one - x, two - y]
  const angle = Number(cell('angle').replace(',', '.')) || 0
  return { kind: 'box', x, y, width, height, angle: angle % 360 }
}
