/** Where it stands what whole images show: tables, folders, names of files; and what else could have been meant. */
import type { Problem } from '@neuroloom/contract/datasets'
import { asFound, type Reading } from '@neuroloom/contract/reading/reading'
import { classLayout } from './class-folders.ts'
import { asLabels, type NameClasses, nameClasses } from './name-classes.ts'
import type { ClassFolders, Folder, NoLayout, TableLabels } from './shapes.ts'
import { tableLabels } from './table-labels.ts'
import { lieWithin } from './table-sheets.ts'

type Found = ClassFolders | TableLabels
type Task = Found['task']
type Asked = { images: readonly string[]; emptyFolders: readonly string[]; task: Task; reading?: Reading }

/**
 * Columns that are called like labels count before folders, these before names, and all before columns that only their
 * contents speak for. A table that says the same as the folders adds nothing to them.
 */
export async function findLabels(
  folder: Folder,
  { images, emptyFolders, task, reading = asFound }: Asked,
): Promise<Found | NoLayout> {
  const folders = classLayout(images, emptyFolders, task)
  const table = await tableLabels(folder, images, { wanted: task, reading })
  const known = folders.layout === null ? [] : folders.classes
  const names = nameClasses(images, known)
  const read = table !== null && table.layout !== null ? table : null
  // Beside some of the folders a table says more of their images, and nothing of the others.
  const isOfSome = read !== null && lieWithin(read.source.tables, images) && !meansAll(read, images, task)
  const told = isOfSome && folders.layout !== null ? null : read
  const ways: Ways = { folders: folders.layout === null ? null : folders, table: told, names, task }
  const decided = decidedBy(reading, ways)
  if (decided) return settled(withRivals(decided, ways))
  if (told && told.task !== task) {
    if (!told.source.isGuessed || ways.folders === null) return { layout: null, failure: 'task_differs' }
    return withRivals(ways.folders, ways)
  }
  if (told && !told.source.isGuessed && !isSame(ways.folders, told)) return withRivals(told, ways)
  if (ways.folders) return withRivals({ ...ways.folders, problems: ambiguousIn(table) }, ways)
  // A table that was meant and cannot be read is said before anything is guessed.
  const unmatched = table !== null && table.layout === null && areUnmatched(table) ? table.problems : null
  if (table !== null && table.layout === null && unmatched === null) return table
  if (names && (told === null || !names.isUnsure)) return withRivals(asLabels(names, task), ways)
  if (told) return withRivals(told, ways)
  if (folders.layout !== null || !unmatched) return folders
  // A table that fits no image was meant rather than one folder for one class.
  return { layout: null, failure: 'nothing_matches', problems: unmatched }
}

/** The share of the images that tables within folders must name to be meant rather than the folders. */
const MOST = 0.8

const meansAll = ({ items, task }: TableLabels, images: readonly string[], wanted: Task): boolean =>
  task === wanted && items.length >= images.length * MOST

/** A table that cannot be read for this reason means the pictures. */
const ambiguousIn = (table: TableLabels | NoLayout | null): Problem[] =>
  table?.layout === null ? (table.problems ?? []).filter(({ reason }) => reason === 'image_ambiguous') : []

const areUnmatched = ({ problems = [] }: NoLayout): boolean =>
  problems.length > 0 && problems.every(({ reason }) => reason === 'table_unmatched')

type Ways = { folders: ClassFolders | null; table: TableLabels | null; names: NameClasses | null; task: Task }

/** A table's column is decided where tables are read; folders and names have no table. */
function decidedBy({ labelColumn }: Reading, { folders, table, names, task }: Ways): Found | null {
  if (labelColumn === null) return null
  const { path, column } = labelColumn
  if (path === '') {
    if (column === 'folders') return folders
    return names && asLabels(names, task)
  }
  const from = table?.source.from
  return from?.path === path && from.column === column && table?.task === task ? table : null
}

/** Whoever decided is not asked again. */
const settled = (found: Found): Found =>
  found.source ? { ...found, source: { ...found.source, isUnsure: false } } : found

function withRivals(found: Found, { folders, table, names }: Ways): Found {
  const own = found.source?.candidates ?? [folderCandidate(found)]
  const [first] = own
  const all = [
    ...own,
    ...(folders ? [folderCandidate(folders)] : []),
    ...(names
      ? [{ path: '', column: 'names', classes: names.classes.length, items: names.items.length }]
      : []),
    ...(table?.source.candidates ?? []),
  ]
  const seen = new Set<string>()
  const candidates = all.filter(({ path, column }) => {
    const key = `${path}\0${column}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  if (found.layout === 'class_folders') {
    if (candidates.length < 2 || !first) return found
    // Words that classes are called by, deeper than the folders that were taken.
    const isUnsure = names !== null && !names.isUnsure
    const none = { from: null, tables: [], name: null, encoding: null, uncertain: 0 }
    return { ...found, source: { ...none, candidates, isUnsure, isGuessed: false } }
  }
  return { ...found, source: { ...found.source, candidates } }
}

const folderCandidate = ({ classes, items }: Pick<Found, 'classes' | 'items'>) => ({
  ...{ path: '', column: 'folders' },
  ...{ classes: classes.length, items: items.length },
})

function isSame(folders: ClassFolders | null, table: TableLabels): boolean {
  if (folders === null) return false
  const known = new Map(folders.items.map((item) => [item.path, folders.classes[item.class]]))
  return table.items.every(({ path, labels: [label = -1] }) => known.get(path) === table.classes[label])
}
