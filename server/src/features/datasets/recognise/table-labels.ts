/** Labels of images from the tables of a folder: which of them counts, and what it says of each image. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { ManifestItem } from '@neuroloom/contract/engine'
import { datasets as limits } from '@neuroloom/contract/limits'
import { asFound, type Reading } from '@neuroloom/contract/reading/reading'
import { inNaturalOrder } from './class-folders.ts'
import { type Finders, findersFor, lackOf } from './find-image.ts'
import { partOf } from './folder-names.ts'
import type { Folder, NoLayout, TableLabels } from './shapes.ts'
import { type Choice, chooseLabels } from './table-choice.ts'
import { isUncertain, isUnsaid, readMark } from './table-columns.ts'
import { labelTablesOf, lieWithin, type Sheet, sheetsOf } from './table-sheets.ts'
import { type Candidate, candidatesIn, labelsIn, partingOf, type Shape, shapeOf } from './table-survey.ts'

type Task = TableLabels['task']
/** What the tables say of one image. */
type Entry = {
  labels: Set<string>
  /** Table that said it. */
  table: string
  part: ManifestItem['part']
  patient: string | null
  /** Another label than the first, where only one is possible, and the table that says it. */
  clash: { label: string; table: string } | null
}
type Gathered = {
  entries: Map<string, Entry>
  /** Classes that have columns of their own. */
  named: string[]
  uncertain: number
  problems: Problem[]
}
type Asked = { wanted: Task | null; reading?: Reading }

/** Null when no table speaks of these images. */
export async function tableLabels(
  folder: Folder,
  images: readonly string[],
  { wanted, reading = asFound }: Asked,
): Promise<TableLabels | NoLayout | null> {
  const findersOf = findersFor(images)
  const problems: Problem[] = []
  const candidates: Candidate[] = []
  const missing: Problem[] = []
  const unmatched: Problem[] = []
  // Twice through the tables: only one of them is in memory at a time.
  const tables = labelTablesOf(folder.paths, images)
  for await (const sheet of sheetsOf(folder, tables, problems)) {
    const shape = shapeOf(sheet, findersOf(sheet.path))
    const found = shape ? candidatesIn(sheet.path, shape) : []
    if (candidates.some(({ path }) => path === sheet.path)) continue
    candidates.push(...found)
    if (shape && found.length === 0) missing.push(...missingIn(sheet, shape))
    if (!shape && sheet.rows.length > 2)
      unmatched.push({ path: sheet.path, reason: 'table_unmatched', params: { rows: sheet.rows.length - 1 } })
  }
  const choice = chooseLabels(candidates, { wanted, decided: reading.labelColumn })
  if (choice === null) {
    // What lies deeper and says nothing was not meant.
    if (lieWithin(tables, images)) return null
    const all = [...problems, ...missing]
    if (all.length > 0) return { layout: null, failure: 'nothing_matches', problems: all }
    return unmatched.length > 0 ? { layout: null, failure: 'layout_unknown', problems: unmatched } : null
  }
  const gathered: Gathered = { entries: new Map(), named: [], uncertain: 0, problems }
  await readChosen(gathered, { folder, choice, findersOf, wanted })
  return toLayout(gathered, {
    images,
    wanted,
    choice,
    encoding: folder.guessed?.get(choice.chosen[0]?.path ?? ''),
  })
}

/** Of a table with labels in words that fits no image at all. */
function missingIn({ path }: Sheet, shape: Shape): Problem[] {
  const { columns, rows, imagesOf } = shape
  if (columns.label === null) return []
  return rows.flatMap(({ line, cells }): Problem[] => {
    const name = cells[columns.image] ?? ''
    return imagesOf(name).length > 0 ? [] : [{ path, reason: lackOf(name, shape), params: { name, line } }]
  })
}

type Work = { folder: Folder; choice: Choice; findersOf: (path: string) => Finders; wanted: Task | null }

async function readChosen(gathered: Gathered, { folder, choice, findersOf, wanted }: Work): Promise<void> {
  const paths = choice.chosen.map(({ path }) => path)
  const parts = paths.map(partInName)
  // One part alone, as that of a contest whose test is secret, says nothing.
  const areParts = new Set(parts.filter((part) => part !== null)).size > 1
  const read = new Set<string>()
  const marks = new Set(choice.chosen.flatMap(({ column, values }) => (column === '' ? [...values] : [])))
  for await (const sheet of sheetsOf(folder, paths, [])) {
    const place = paths.indexOf(sheet.path)
    const candidate = choice.chosen[place]
    const shape = shapeOf(sheet, findersOf(sheet.path))
    if (!candidate || !shape || read.has(sheet.path)) continue
    // Of a workbook, the sheet that was looked at before.
    if (candidatesIn(sheet.path, shape).length === 0) continue
    read.add(sheet.path)
    readRows(gathered, { candidate, marks, shape, wanted, part: areParts ? (parts[place] ?? null) : null })
  }
}

type Rows = {
  candidate: Candidate
  /** Columns of marks of all tables together: a small one may hold nothing but 1 in one of them. */
  marks: ReadonlySet<string>
  shape: Shape
  wanted: Task | null
  /** Of the whole table. */
  part: ManifestItem['part']
}

function readRows(
  gathered: Gathered,
  { candidate: { path, column }, marks, shape, wanted, part: ofTable }: Rows,
): void {
  const { head, columns, rows, imagesOf } = shape
  const marked = column === '' ? columns.others.filter(({ name }) => marks.has(name)) : []
  const label = head.indexOf(column)
  const parted =
    wanted === 'multilabel'
      ? partingOf(rows.map(({ cells }) => cells[label] ?? ''))
      : (cell: string): string[] => labelsIn(cell)
  for (const { name } of marked) if (!gathered.named.includes(name)) gathered.named.push(name)
  for (const { line, cells } of rows) {
    if (cells.length !== head.length) {
      gathered.problems.push({ path, reason: 'annotation_unreadable', params: { line } })
      continue
    }
    const name = cells[columns.image] ?? ''
    const images = imagesOf(name)
    if (images.length === 0)
      gathered.problems.push({ path, reason: lackOf(name, shape), params: { name, line } })
    // Not known is not the same as nothing: such an image has no label here.
    if (column !== '' && isUnsaid(cells[label] ?? '')) continue
    const labels = column === '' ? markedIn(cells, marked) : parted(cells[label] ?? '')
    gathered.uncertain += marked.filter(({ index }) => isUncertain(cells[index] ?? '')).length
    const told = columns.part === null ? ofTable : partOf((cells[columns.part] ?? '').trim())
    const patient = columns.patient === null ? null : cells[columns.patient] || null
    for (const image of images) {
      const isOld = note(gathered.entries, { image, labels, table: path, part: told, patient, wanted })
      if (isOld) gathered.problems.push({ path, reason: 'duplicate_entry', params: { name, line } })
    }
  }
}

const markedIn = (cells: string[], marked: { index: number; name: string }[]): string[] =>
  marked.filter(({ index }) => readMark(cells[index] ?? '') === true).map(({ name }) => name)

/** `train.csv`, `labels-val.tsv` */
function partInName(path: string): ManifestItem['part'] {
  const words = path.slice(path.lastIndexOf('/') + 1).split(/[\s_.-]+/)
  return words.map(partOf).find((part) => part !== null) ?? null
}

type Told = { image: string; labels: string[]; wanted: Task | null } & Pick<
  Entry,
  'table' | 'part' | 'patient'
>

/** True when the row says nothing new. Several labels of an image may stand in rows of their own, of one table. */
function note(entries: Map<string, Entry>, { image, labels, table, part, patient, wanted }: Told): boolean {
  const known = entries.get(image)
  if (!known) {
    entries.set(image, { labels: new Set(labels), table, part, patient, clash: null })
    return false
  }
  const [further] = labels.filter((label) => !known.labels.has(label))
  const isOther = known.table !== table
  if (further === undefined && (!isOther || labels.length === known.labels.size)) return !isOther
  // What one table does not mention the other does: neither may be believed.
  if (isOther) known.clash ??= { label: further ?? labels.join('; '), table }
  else if (wanted === 'multilabel') for (const label of labels) known.labels.add(label)
  else known.clash ??= { label: further ?? '', table }
  return false
}

type Around = { images: readonly string[]; wanted: Task | null; choice: Choice; encoding: string | undefined }

function toLayout(
  { entries, named, uncertain, problems }: Gathered,
  { images, wanted, choice, encoding }: Around,
): TableLabels | NoLayout {
  const isMultiple = wanted === 'multilabel' || [...entries.values()].some(({ labels }) => labels.size > 1)
  const words = new Set([...entries.values()].flatMap(({ labels }) => [...labels]))
  for (const name of named) words.delete(name)
  const classes = [...named, ...[...words].sort(inNaturalOrder)]
  if (classes.length > limits.classes) return { layout: null, failure: 'layout_unknown', problems }
  const indexes = new Map(classes.map((name, index) => [name, index]))
  const items: TableLabels['items'] = []
  for (const [path, entry] of entries) {
    const problem = problemOf(path, entry, isMultiple)
    if (problem) {
      problems.push(problem)
      continue
    }
    const found = [...entry.labels].map((label) => indexes.get(label) ?? 0)
    const { part, patient } = entry
    items.push({ path, labels: found.sort((left, right) => left - right), part, patient })
  }
  return {
    layout: 'csv_labels',
    task: isMultiple ? 'multilabel' : 'classification',
    classes,
    items: items.sort((one, other) => (one.path < other.path ? -1 : 1)),
    problems,
    unlabelled: images.filter((path) => !entries.has(path)),
    source: { ...choice.source, name: null, encoding: encoding ?? null, uncertain },
  }
}

function problemOf(path: string, { labels, table, clash }: Entry, isMultiple: boolean): Problem | null {
  const [first] = labels
  if (clash && clash.table !== table) {
    const params = { label: [...labels].join('; '), table, otherLabel: clash.label, otherTable: clash.table }
    return { path, reason: 'tables_disagree', params }
  }
  if (isMultiple) return null
  if (first === undefined) return { path, reason: 'label_missing', params: {} }
  return clash === null ? null : { path, reason: 'duplicate_other_class', params: { other: clash.label } }
}
