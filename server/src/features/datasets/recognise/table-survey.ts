/** Looks over one table: in which column images are named, and which columns could say what they show. */
import { datasets as limits } from '@neuroloom/contract/limits'
import type { Row } from '../../../infra/csv-reader.ts'
import type { Finders } from './find-image.ts'
import { usualnessOf } from './name-classes.ts'
import {
  type Columns,
  columnsAround,
  columnsOf,
  isUncertain,
  isUnsaid,
  keyOf,
  mayNameImages,
  readMark,
  standingOf,
} from './table-columns.ts'
import type { Sheet } from './table-sheets.ts'

/** How far the name of a column speaks for it; less is better. */
export const tiers = { named: 0, marks: 1, unnamed: 2, circumstance: 3 } as const

export type Candidate = {
  path: string
  /** '' = all columns of marks. */
  column: string
  tier: number
  /** Among those of one tier; less is better. */
  place: number
  isCertain: boolean
  /** Taken only together with another table that says the same. */
  isWeak: boolean
  values: ReadonlySet<string>
  items: number
}

export type Shape = {
  head: readonly string[]
  columns: Columns
  /** Without the head. */
  rows: readonly Row[]
  imagesOf: (cell: string) => readonly string[]
  /** Whether more than one image could be meant. */
  fitsSeveral: (cell: string) => boolean
}

/** Rows that are looked at to find the column of images. */
const SAMPLED = 400
/** Columns that can name images, and such that can hold labels in words. */
const MOST_COLUMNS = 200

/** Null where a table speaks of no image. */
export function shapeOf({ rows: all }: Sheet, finders: Finders): Shape | null {
  const rows = all.slice(titlesAbove(all, finders))
  const [first, ...others] = rows
  if (!first) return null
  const isHeaded =
    !first.cells.some((cell) => finders.image(cell) !== null) || columnsOf(first.cells) !== null
  const body = isHeaded ? others : rows
  const head = isHeaded ? first.cells : first.cells.map((_, index) => `#${index + 1}`)
  const named = isHeaded ? (columnsOf(head)?.image ?? null) : null
  const single = (cell: string): readonly string[] => {
    const image = cell === '' ? null : finders.image(cell)
    return image === null ? [] : [image]
  }
  const ofFolder = (cell: string): readonly string[] => (cell === '' ? [] : finders.folder(cell))
  const image = columnOfImages(body, { head, named, imagesOf: single })
  if (image !== null) return shapeAround(image, { head, rows: body, finders })
  const open = (cell: string): readonly string[] => (finders.image.fitsSeveral(cell) ? [cell] : [])
  const ofSeveral = columnOfImages(body, { head, named, imagesOf: open })
  if (named !== null && ofSeveral === named) return shapeAround(named, { head, rows: body, finders })
  const folder = columnOfImages(body, { head, named: null, imagesOf: ofFolder })
  if (folder !== null) {
    const columns = columnsAround(head, folder)
    return { head, columns, rows: body, imagesOf: ofFolder, fitsSeveral: () => false }
  }
  // Nothing fits, and it can be said of which images that is true.
  const told = named ?? ofSeveral
  return told === null ? null : shapeAround(told, { head, rows: body, finders })
}

/** So far down a head is looked for. */
const MOST_TITLES = 10

/** Rows above the head: titles of one cell alone, and headings of several columns. */
function titlesAbove(rows: readonly Row[], { image }: Finders): number {
  const namesImage = ({ cells }: Row): boolean => cells.some((cell) => image(cell) !== null)
  const isWide = ({ cells }: Row): boolean => cells.filter((cell) => cell !== '').length > 1
  const isHead = (row: Row | undefined): boolean =>
    row !== undefined && columnsOf(row.cells) !== null && !namesImage(row)
  const start = rows.slice(0, MOST_TITLES).findIndex((row) => isWide(row) || namesImage(row))
  const first = rows[start]
  if (!first || namesImage(first)) return 0
  let head = isHead(first) || !isHead(rows[start + 1]) ? start : start + 1
  // What stands above several columns may be called like a column itself.
  while (isHead(rows[head]) && isHead(rows[head + 1])) head += 1
  return head
}

type Around = Pick<Shape, 'head' | 'rows'> & { finders: Finders }

/** Files of one name in several folders are told apart by a column of these folders, where the table has one. */
function shapeAround(image: number, { head, rows, finders }: Around): Shape {
  const columns = columnsAround(head, image)
  const nameIn = ({ cells }: Row): string => cells[image] ?? ''
  const find = finders.image.among(rows.map(nameIn))
  const open = rows.filter((row) => find.fitsSeveral(nameIn(row)))
  const other = (column: number) => column !== image && column !== columns.label
  const inFolder = (row: Row, column: number): string => `${row.cells[column]}/${nameIn(row)}`
  const telling = [...head.keys()]
    .filter(other)
    .slice(0, open.length === 0 ? 0 : MOST_COLUMNS)
    .filter((column) => open.every((row) => row.cells[column] && find(inFolder(row, column)) !== null))
  const [first] = telling
  const agree = telling.every((column) =>
    open.every((row) => find(inFolder(row, column)) === find(inFolder(row, first ?? column))),
  )
  const isOpen = new Set(first !== undefined && agree ? open : [])
  return {
    ...{ head, columns },
    rows: rows.map((row) =>
      isOpen.has(row) ? { ...row, cells: row.cells.with(image, inFolder(row, first ?? image)) } : row,
    ),
    imagesOf: (cell) => {
      const found = cell === '' ? null : find(cell)
      return found === null ? [] : [found]
    },
    fitsSeveral: find.fitsSeveral,
  }
}

type Wanted = { head: readonly string[]; named: number | null; imagesOf: Shape['imagesOf'] }

function columnOfImages(rows: readonly Row[], { head, named, imagesOf }: Wanted): number | null {
  const sample = rows.slice(0, SAMPLED)
  const width = Math.min(MOST_COLUMNS, Math.max(0, ...sample.map(({ cells }) => cells.length)))
  const found = Array.from({ length: width }, (_, column) => {
    const images = new Set<string>()
    if (!mayNameImages(head[column] ?? '')) return 0
    for (const { cells } of sample) for (const image of imagesOf(cells[column] ?? '')) images.add(image)
    return images.size
  })
  const most = Math.max(0, ...found)
  if (most === 0) return null
  if (named !== null && (found[named] ?? 0) * 2 >= most) return named
  // One name may be equal by chance, as that of an age is.
  return most >= Math.min(2, sample.length) ? found.indexOf(most) : null
}

/** All that could say what the images show. */
export function candidatesIn(path: string, shape: Shape): Candidate[] {
  const { head, columns, rows, imagesOf } = shape
  const own = new Set([columns.image, columns.part, columns.patient])
  const looked = head.flatMap((name, index) =>
    name === '' || own.has(index) || index >= limits.tableColumns
      ? []
      : [{ index, name, ...standingOf(name) }],
  )
  const values = looked.map((): Set<string> | null => new Set())
  const items = looked.map(() => 0)
  const images = new Set<string>()
  for (const { cells } of rows) {
    const named = imagesOf(cells[columns.image] ?? '')
    if (named.length === 0) continue
    for (const image of named) images.add(image)
    for (const [at, { index }] of looked.entries()) {
      const cell = cells[index] ?? ''
      if (cell !== '') items[at] = (items[at] ?? 0) + 1
      const known = values[at]
      if (!known) continue
      for (const label of labelsIn(cell)) known.add(label)
      if (known.size > limits.classes) values[at] = null
    }
  }
  if (images.size === 0) return []
  const found = looked.flatMap((column, at): Candidate[] => {
    const known = values[at]
    const count = items[at] ?? 0
    if (!known || known.size === 0 || at >= MOST_COLUMNS) return []
    const isNamed = column.label !== null
    // What differs from picture to picture tells nothing, and what is the same everywhere neither.
    const isWeak = !isNamed && (known.size < 2 || known.size * 2 > count)
    return [
      {
        ...{ path, column: column.name, values: known },
        isCertain: column.isCertain || (!isNamed && usualnessOf([...known]) === 1),
        items: Math.min(count, images.size),
        tier: tierOf(column),
        isWeak,
        place: column.label ?? placeOf(known),
      },
    ]
  })
  const marked = markedColumns(shape)
  if (marked.length < limits.minLabels) return found
  const marks = new Set(marked.map(({ name }) => name))
  const kept = found.filter(({ column, tier }) => tier === tiers.named || !marks.has(column))
  return [
    ...kept,
    {
      ...{ path, column: '', tier: tiers.marks, place: 0, isCertain: true, isWeak: false },
      values: marks,
      items: images.size,
    },
  ]
}

/** Words that classes are called by first, then the fewest: what has many values is rather a place or a person. */
const placeOf = (values: ReadonlySet<string>): number =>
  Math.round((1 - usualnessOf([...values])) * 2 * limits.classes) + values.size

function tierOf({ label, isCircumstance }: ReturnType<typeof standingOf>): number {
  if (label !== null) return tiers.named
  return isCircumstance ? tiers.circumstance : tiers.unnamed
}

/** Columns that hold nothing but marks, and are called like nothing else; with some that are neither yes nor no. */
function markedColumns({ columns, rows, imagesOf }: Shape): Columns['others'] {
  const named = columns.label
  const open = columns.others.filter(({ name, index }) => index !== named && !standingOf(name).isCircumstance)
  const plain = new Map(open.map(({ index }) => [index, { isUnsure: false, no: false }]))
  for (const { cells } of rows) {
    if (imagesOf(cells[columns.image] ?? '').length === 0) continue
    for (const [index, seen] of plain) {
      const cell = cells[index] ?? ''
      const mark = readMark(cell)
      if (mark === null && !isUncertain(cell)) plain.delete(index)
      else if (mark === null) seen.isUnsure = true
      else if (mark === false) seen.no = true
    }
    if (plain.size === 0) break
  }
  // −1 and 1 alone are the two sides of one question.
  return open.filter(({ index }) => {
    const seen = plain.get(index)
    return seen !== undefined && (seen.no || !seen.isUnsure)
  })
}

/** `separators`: what stands between several labels of one image. */
export const labelsIn = (cell: string, separators = /[;|；｜]/): string[] =>
  cell
    .replace(/^\[(.*)\]$/s, (_, inner: string) =>
      inner.replace(/['"]\s*,\s*['"]/g, '|').replace(/^['"]|['"]$/g, ''),
    )
    .split(separators)
    .map((label) => label.trim().normalize('NFC'))
    .filter((label) => label !== '' && !isUnsaid(label))

/** How cells of several labels are parted: at semicolons and breaks of lines, and at whatever else joins labels that stand alone elsewhere. */
export function partingOf(cells: readonly string[]): (cell: string) => string[] {
  const always = ';|；｜\n\r'
  const plain = new RegExp(`[${always}]`)
  const whole = new Set(cells.flatMap((cell) => labelsIn(cell, plain)))
  const separators = haveCommas(whole) ? new RegExp(`[${always},，、]`) : plain
  return (cell) => labelsIn(cell, separators).flatMap((label) => joinedIn(label, whole))
}

/** Where what stands beside a comma mostly stands alone in other cells: it may be part of a name as well. */
function haveCommas(whole: ReadonlySet<string>): boolean {
  const parts = new Set(
    [...whole].filter((label) => comma.test(label)).flatMap((label) => label.split(comma)),
  )
  const known = [...parts].filter((part) => whole.has(part.trim()))
  return parts.size > 0 && known.length * 2 >= parts.size
}

/** Also as Chinese texts write it. */
const comma = /[,，、]/

/** `edema/effusion`, `edema + effusion`: where each of them is a label of its own. */
function joinedIn(label: string, whole: ReadonlySet<string>): string[] {
  for (const sign of [/[/／]/, /[+＋]/, /[&＆]/, /\s(?:and|и|und|et|y)\s|[与和及]/iu]) {
    const parts = label.split(sign).map((part) => part.trim())
    if (parts.length > 1 && parts.every((part) => whole.has(part))) return parts
  }
  return [label]
}

/** Several tables of one data set call their columns alike, or say the same kind of thing. */
export function saysTheSame(one: Candidate, other: Candidate): boolean {
  if ((one.column === '') !== (other.column === '')) return false
  const shared = [...other.values].filter((value) => one.values.has(value)).length
  const isAlike = shared * 2 >= Math.min(one.values.size, other.values.size)
  if (one.column === '') return isAlike
  const isNumbered = one.column.startsWith('#')
  if (keyOf(one.column) === keyOf(other.column) && (isAlike || !isNumbered)) return true
  return !one.isWeak && !other.isWeak && one.tier === other.tier && one.tier === tiers.named && isAlike
}
