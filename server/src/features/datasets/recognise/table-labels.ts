/** Labels of images from tables (CSV, TSV) at the top of the folder. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { ManifestItem } from '@neuroloom/contract/engine'
import { datasets as limits } from '@neuroloom/contract/limits'
import { inNaturalOrder } from './class-folders.ts'
import { CsvError, type Row, readCsv } from './csv-reader.ts'
import { type FindImage, imageFinder } from './find-image.ts'
import { folderOf, isHidden, isTextName, partOf } from './folder-names.ts'
import type { Folder, NoLayout, TableLabels } from './shapes.ts'
import { type Columns, columnsOf, readMark } from './table-columns.ts'

type Task = TableLabels['task']
/** What the tables say of one image. */
type Entry = {
  labels: Set<string>
  part: ManifestItem['part']
  patient: string | null
  /** Another label than the first, where only one is possible. */
  clash: string | null
}
type Gathered = {
  entries: Map<string, Entry>
  /** Classes that have columns of their own. */
  named: string[]
  problems: Problem[]
}

/** Null when no table speaks of these images. */
export async function tableLabels(
  folder: Folder,
  images: readonly string[],
  wanted: Task | null,
): Promise<TableLabels | NoLayout | null> {
  const gathered: Gathered = { entries: new Map(), named: [], problems: [] }
  const find = imageFinder(images)
  for (const path of tablesOf(folder.paths)) {
    const text = await folder.read(path, limits.tableBytes)
    if (text === null) {
      gathered.problems.push({ path, reason: 'annotation_unreadable', params: { line: 0 } })
    } else readTable(gathered, { path, text, find, wanted })
  }
  const { entries, problems } = gathered
  if (entries.size === 0)
    return problems.length > 0 ? { layout: null, failure: 'nothing_matches', problems } : null
  return toLayout(gathered, { images, wanted })
}

/** At the top, or at the top of the one folder that everything lies in. */
function tablesOf(paths: readonly string[]): string[] {
  const shown = paths.filter((path) => !isHidden(path))
  const top = commonFolder(shown)
  return shown
    .filter((path) => isTextName(path, ['csv', 'tsv']) && [top, ''].includes(folderOf(path)))
    .slice(0, limits.tables)
}

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

type Table = { path: string; text: string; find: FindImage; wanted: Task | null }

function readTable(gathered: Gathered, table: Table): void {
  try {
    const rows = readCsv(table.text, { maxCells: limits.tableColumns })
    const head = rows.next()
    const columns = head.done ? null : columnsOf(head.value.cells)
    if (head.done || columns === null) return
    readRows(gathered, { ...table, columns, width: head.value.cells.length, rows: take(rows) })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    gathered.problems.push({
      path: table.path,
      reason: 'annotation_unreadable',
      params: { line: error.line },
    })
  }
}

/** No more than the limit; the row after it is an error. */
function take(rows: Iterable<Row>): Row[] {
  const all: Row[] = []
  for (const row of rows) {
    if (all.length >= limits.tableRows) throw new CsvError(row.line)
    all.push(row)
  }
  return all
}

type Rows = Table & { columns: Columns; width: number; rows: Row[] }

function readRows(gathered: Gathered, { path, find, wanted, columns, width, rows }: Rows): void {
  const marked = columns.label === null ? markedColumns(columns, rows) : []
  // With one column of marks there would be nothing to tell apart.
  if (columns.label === null && marked.length < limits.minLabels) return
  for (const { name } of marked) if (!gathered.named.includes(name)) gathered.named.push(name)
  const ofTable = partInName(path)
  for (const { line, cells } of rows) {
    if (cells.length !== width) {
      gathered.problems.push({ path, reason: 'annotation_unreadable', params: { line } })
      continue
    }
    const name = cells[columns.image] ?? ''
    const image = find(name)
    if (image === null) {
      gathered.problems.push({ path, reason: 'image_missing', params: { name, line } })
      continue
    }
    const labels = columns.label === null ? markedIn(cells, marked) : labelsIn(cells[columns.label] ?? '')
    const told = columns.part === null ? ofTable : partOf((cells[columns.part] ?? '').trim())
    const patient = columns.patient === null ? null : cells[columns.patient] || null
    const problem = note(gathered.entries, { image, labels, part: told, patient, wanted })
    if (problem) gathered.problems.push({ path, reason: 'duplicate_entry', params: { name, line } })
  }
}

const markedColumns = ({ others }: Columns, rows: Row[]): Columns['others'] =>
  others.filter(({ index }) => rows.every(({ cells }) => readMark(cells[index] ?? '') !== null))

const markedIn = (cells: string[], marked: Columns['others']): string[] =>
  marked.filter(({ index }) => readMark(cells[index] ?? '')).map(({ name }) => name)

const labelsIn = (cell: string): string[] =>
  cell
    .split(/[;|]/)
    .map((label) => label.trim().normalize('NFC'))
    .filter((label) => label !== '')

/** `train.csv`, `labels-val.tsv` */
function partInName(path: string): ManifestItem['part'] {
  const words = path.slice(path.lastIndexOf('/') + 1).split(/[\s_.-]+/)
  return words.map(partOf).find((part) => part !== null) ?? null
}

type Told = { image: string; labels: string[]; wanted: Task | null } & Pick<Entry, 'part' | 'patient'>

/** True when the row says nothing new. Several labels of an image may stand in rows of their own. */
function note(entries: Map<string, Entry>, { image, labels, part, patient, wanted }: Told): boolean {
  const known = entries.get(image)
  if (!known) {
    entries.set(image, { labels: new Set(labels), part, patient, clash: null })
    return false
  }
  const [further] = labels.filter((label) => !known.labels.has(label))
  if (further === undefined) return true
  if (wanted === 'multilabel') for (const label of labels) known.labels.add(label)
  else known.clash = further
  return false
}

function toLayout(
  { entries, named, problems }: Gathered,
  { images, wanted }: { images: readonly string[]; wanted: Task | null },
): TableLabels | NoLayout {
  const isMultiple = wanted === 'multilabel' || [...entries.values()].some(({ labels }) => labels.size > 1)
  const words = new Set([...entries.values()].flatMap(({ labels }) => [...labels]))
  for (const name of named) words.delete(name)
  const classes = [...named, ...[...words].sort(inNaturalOrder)]
  if (classes.length > limits.classes) return { layout: null, failure: 'layout_unknown', problems }
  const indexes = new Map(classes.map((name, index) => [name, index]))
  const items: TableLabels['items'] = []
  for (const [path, { labels, part, patient, clash }] of entries) {
    const [first] = labels
    if (!isMultiple && first === undefined) {
      problems.push({ path, reason: 'label_missing', params: {} })
    } else if (!isMultiple && clash !== null) {
      problems.push({ path, reason: 'duplicate_other_class', params: { other: clash } })
    } else {
      const found = [...labels].map((label) => indexes.get(label) ?? 0)
      items.push({ path, labels: found.sort((left, right) => left - right), part, patient })
    }
  }
  return {
    layout: 'csv_labels',
    task: isMultiple ? 'multilabel' : 'classification',
    classes,
    items: items.sort((one, other) => (one.path < other.path ? -1 : 1)),
    problems,
    unlabelled: images.filter((path) => !entries.has(path)),
  }
}
