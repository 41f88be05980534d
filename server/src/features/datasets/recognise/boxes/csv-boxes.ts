/** Boxes in tables: corners, or a corner with a width and a height, in pixels or in shares of the image; a row a box. */
import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { CsvError, readCsv } from '../../../../infra/csv-reader.ts'
import { inNaturalOrder } from '../class-folders.ts'
import { findersFor, lackOf } from '../find-image.ts'
import { baseOf } from '../folder-names.ts'
import type { Boxed, BoxedItem, Folder, NoLayout } from '../shapes.ts'
import { keyOf } from '../table-columns.ts'
import { labelTablesOf, sheetsOf } from '../table-sheets.ts'
import { type Shape, shapeOf } from '../table-survey.ts'
import { around, type Point } from './outlines.ts'
import { setAside } from './set-aside.ts'

/** Where the four numbers stand, and what they are. */
type Place =
  | { kind: 'corners' | 'sides' | 'middle'; at: [number, number, number, number] }
  /** Four corners of a turned box: x and y of each. */
  | { kind: 'turned'; at: number[] }
  | { kind: 'list'; at: number }

const corners = [
  'xmin xminimum x1 x0 xtl left bboxxmin',
  'ymin yminimum y1 y0 ytl top bboxymin',
  'xmax x2 xbr right bboxxmax',
  'ymax y2 ybr bottom bboxymax',
]
const cornersFromZero = ['x0', 'y0', 'x1', 'y1']
const turnedCorners = ['x1', 'y1', 'x2', 'y2', 'x3', 'y3', 'x4', 'y4']
const sides = [
  'x left bboxx xmin',
  'y top bboxy ymin',
  'width w bboxwidth bboxw',
  'height h bboxheight bboxh',
]
const middles = ['xcenter cx xc centerx', 'ycenter cy yc centery', 'width w', 'height h']
const lists = 'bbox boundingbox box bboxes'
const labels =
  'classname labelname label class category name finding findinglabel type target classid categoryid'

type Told = { name: string; x0: number; y0: number; x1: number; y1: number; line: number }
type Item = Omit<BoxedItem, 'boxes'> & { told: Told[] }
type Gathered = { items: Map<string, Item>; spoilt: Set<string>; problems: Problem[] }

/** Null when no table has columns of boxes. */
export async function csvBoxes(folder: Folder, images: readonly string[]): Promise<Boxed | NoLayout | null> {
  const findersOf = findersFor(images)
  const gathered: Gathered = { items: new Map(), spoilt: new Set(), problems: [] }
  let isAny = false
  const unread: Problem[] = []
  for await (const sheet of sheetsOf(folder, labelTablesOf(folder.paths, images), unread)) {
    const shape = shapeOf(sheet, { image: findersOf(sheet.path).image, folder: () => [] })
    const place = shape ? placeOf(shape) : null
    if (!shape || !place) continue
    isAny = true
    readRows(gathered, { path: sheet.path, shape, place })
  }
  if (!isAny) return unread.length > 0 ? { layout: null, failure: 'nothing_matches', problems: unread } : null
  const { items, spoilt, problems } = gathered
  setAside({ items, problems, spoilt })
  if (items.size === 0) return { layout: null, failure: 'nothing_matches', problems }
  return toLayout(gathered, { images, names: await namesIn(folder) })
}

function toLayout(
  { items, spoilt, problems }: Gathered,
  { images, names }: { images: readonly string[]; names: ReadonlyMap<string, string> },
): Boxed {
  const nameOf = (told: Told): string => names.get(told.name) ?? told.name
  const classes = [...new Set([...items.values()].flatMap(({ told }) => told.map(nameOf)))].sort(
    inNaturalOrder,
  )
  const indexes = new Map(classes.map((name, index) => [name, index]))
  const boxed = [...items.values()].map(
    ({ told, ...item }): BoxedItem => ({
      ...item,
      boxes: told.map(({ name, line, ...box }) => ({
        ...box,
        class: indexes.get(names.get(name) ?? name) ?? 0,
        number: line,
      })),
    }),
  )
  return {
    ...{ layout: 'csv_boxes', task: 'detection', classes, problems },
    items: boxed.sort((one, other) => (one.path < other.path ? -1 : 1)),
    unlabelled: images.filter((path) => !items.has(path) && !spoilt.has(path)),
  }
}

/** Null where the columns are called like none, or like those of something else. */
function placeOf({ head, columns, rows }: Shape): Place | null {
  const keys = head.map((name) => keyOf(name).replace(/[[\]{},]/g, ''))
  const find = (words: string): number =>
    words
      .split(' ')
      .map((word) => keys.indexOf(word))
      .find((at) => at >= 0) ?? -1
  const four = (words: string[]): [number, number, number, number] | null => {
    const [one = -1, two = -1, three = -1, last = -1] = words.map(find)
    return Math.min(one, two, three, last) < 0 ? null : [one, two, three, last]
  }
  // Without a head: a path, four corners and a class, as RetinaNet reads them.
  if (head.every((name) => name.startsWith('#'))) return withoutHead({ head, columns, rows })
  const turned = turnedCorners.map((word) => keys.indexOf(word))
  if (turned.every((at) => at >= 0)) return { kind: 'turned', at: turned }
  const zero = four(cornersFromZero)
  if (zero) return { kind: 'corners', at: zero }
  const corner = four(corners)
  if (corner) return { kind: 'corners', at: corner }
  const middle = four(middles)
  if (middle) return { kind: 'middle', at: middle }
  const side = four(sides)
  if (side) return { kind: 'sides', at: side }
  const list = find(lists)
  return list < 0 ? null : { kind: 'list', at: list }
}

function withoutHead({ head, columns, rows }: Pick<Shape, 'head' | 'columns' | 'rows'>): Place | null {
  const isNumber = (cell: string | undefined): boolean =>
    cell === '' || (cell !== undefined && Number.isFinite(Number(cell)))
  const isSo =
    columns.image === 0 &&
    head.length === 6 &&
    rows.some(({ cells }) => cells[1] !== '') &&
    rows.every(({ cells }) => [1, 2, 3, 4].every((at) => isNumber(cells[at])))
  return isSo ? { kind: 'corners', at: [1, 2, 3, 4] } : null
}

type Table = { path: string; shape: Shape; place: Place }

function readRows({ items, spoilt, problems }: Gathered, { path, shape, place }: Table): void {
  const { head, columns, rows, imagesOf } = shape
  const isDoubtful = haveThousands(rows, place)
  const numbers = rows.map(({ cells }) =>
    hasMore(cells, head) || (isDoubtful && cells.some(isGrouped)) ? undefined : numbersIn(cells, place),
  )
  const unit = isShares(numbers) && place.kind !== 'list' ? 'shares' : 'pixels'
  const kind = kindOf(place, numbers)
  const label = labelColumn(head, place)
  for (const [index, { line, cells }] of rows.entries()) {
    const name = cells[columns.image] ?? ''
    const [image] = imagesOf(name)
    if (image === undefined) {
      problems.push({ path, reason: lackOf(name, shape), params: { name, line } })
      continue
    }
    const item: Item = items.get(image) ?? {
      path: image,
      source: path,
      part: null,
      size: null,
      unit,
      told: [],
    }
    items.set(image, item)
    const four = numbers[index]
    // Named without a box: there is nothing on it.
    if (four === null) continue
    const word = label === null ? 'object' : (cells[label] ?? '').normalize('NFC')
    if (four === undefined || word === '' || item.told.length >= limits.boxes || item.unit !== unit) {
      problems.push({ path, reason: 'annotation_unreadable', params: { line } })
      // Without one of its boxes an image would teach that there is nothing.
      spoilt.add(image)
    } else item.told.push({ name: word, ...cornersOf(kind, four), line })
  }
}

/** A comma within a cell that stands in no quotes moves all that follows. */
const hasMore = (cells: readonly string[], head: readonly string[]): boolean =>
  cells.slice(head.length).some((cell) => cell !== '')

/** `1,024` may be a thousand or one and a bit: told by others of the table, where these have other decimals. */
function haveThousands(rows: Shape['rows'], place: Place): boolean {
  if (place.kind === 'list') return false
  const parted = rows.flatMap(({ cells }) =>
    place.at.map((at) => cells[at] ?? '').filter((cell) => cell.includes(',')),
  )
  return parted.length > 0 && parted.every(isGrouped)
}

const isGrouped = (cell: string): boolean => /^[1-9]\d{0,2}(?:,\d{3})+$/.test(cell)

type Four = [number, number, number, number]
type Numbers = readonly (Four | null | undefined)[]

/** Of a turned box the one round it was taken. */
function kindOf({ kind }: Place, numbers: Numbers): 'corners' | 'sides' | 'middle' {
  if (kind === 'turned') return 'corners'
  return kind === 'list' ? kindOfList(numbers) : kind
}

/** Null = no box is said; undefined = what is said is none. */
function numbersIn(cells: readonly string[], place: Place): Four | null | undefined {
  const said = place.kind === 'list' ? listed(cells[place.at] ?? '') : place.at.map((at) => cells[at] ?? '')
  if (said.every((cell) => /^(|nan|na|null|none)$/i.test(cell))) return null
  const read = said.map((cell) => (cell === '' ? Number.NaN : Number(cell.replace(',', '.'))))
  if (place.kind === 'turned') {
    const points = [0, 2, 4, 6].map((at): Point => [read[at] ?? Number.NaN, read[at + 1] ?? Number.NaN])
    const { x0, y0, x1, y1 } = around(points)
    return read.every(Number.isFinite) ? [x0, y0, x1, y1] : undefined
  }
  const [one = Number.NaN, two = Number.NaN, three = Number.NaN, last = Number.NaN] = read
  const four: Four = [one, two, three, last]
  return said.length === 4 && four.every(Number.isFinite) ? four : undefined
}

const listed = (cell: string): string[] =>
  cell
    .replace(/[[\](){}]/g, '')
    .split(/[\s,;]+/)
    .filter((word) => word !== '')

const known = (numbers: readonly (Four | null | undefined)[]): Four[] =>
  numbers.flatMap((four) => (four ? [four] : []))

/** All within 0 and 1, and not only whole numbers. */
function isShares(numbers: readonly (Four | null | undefined)[]): boolean {
  const all = known(numbers).flat()
  return (
    all.length > 0 && all.every((one) => one >= 0 && one <= 1) && all.some((one) => !Number.isInteger(one))
  )
}

/** Fewer lists than this cannot tell by their numbers alone that they are corners. */
const TELLING = 5

/** `[x, y, width, height]`, unless each reads as two corners. */
function kindOfList(numbers: readonly (Four | null | undefined)[]): 'corners' | 'sides' {
  const all = known(numbers)
  const areCorners = all.every(([x0, y0, x1, y1]) => x1 > x0 && y1 > y0)
  return areCorners && all.length >= TELLING ? 'corners' : 'sides'
}

function cornersOf(
  kind: 'corners' | 'sides' | 'middle',
  [one, two, three, last]: Four,
): Omit<Told, 'name' | 'line'> {
  switch (kind) {
    case 'corners':
      return { x0: one, y0: two, x1: three, y1: last }
    case 'sides':
      return { x0: one, y0: two, x1: one + three, y1: two + last }
    case 'middle':
      return { x0: one - three / 2, y0: two - last / 2, x1: one + three / 2, y1: two + last / 2 }
  }
}

function labelColumn(head: readonly string[], place: Place): number | null {
  if (head.every((name) => name.startsWith('#'))) return head.length - 1
  const keys = head.map(keyOf)
  const used = new Set<number>(place.kind === 'list' ? [place.at] : place.at)
  const found = labels
    .split(' ')
    .map((word) => keys.indexOf(word))
    .find((at) => at >= 0 && !used.has(at))
  return found ?? null
}

/** `class-descriptions-boxable.csv` of Open Images: `/m/01g317,Person`. */
async function namesIn(folder: Folder): Promise<ReadonlyMap<string, string>> {
  const path = folder.paths.find((one) => /^class-descriptions.*\.csv$/i.test(baseOf(one)))
  const text = path === undefined ? null : await folder.read(path, limits.tableBytes)
  const names = new Map<string, string>()
  if (text === null) return names
  try {
    for (const { cells } of readCsv(text, { maxCells: 2 }))
      names.set(cells[0] ?? '', cells[1] || (cells[0] ?? ''))
  } catch (error) {
    // Its codes are names too.
    if (!(error instanceof CsvError)) throw error
  }
  return names
}
