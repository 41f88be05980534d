/** Names of what masks mark, from a table beside them: colours with names (CamVid, CVAT), numbers with names, or names alone. */
import { datasets as limits } from '@neuroloom/contract/limits'
import type { Reading } from '@neuroloom/contract/reading/reading'
import { baseOf, folderOf } from '../folder-names.ts'
import type { Assembled, Folder } from '../shapes.ts'

const tableNames =
  /^(class_?dict|(label|class|color|colour)_?(colou?rs?|map|table|names?)?|labels|classes|colou?rmap|names)\.(txt|csv|names)$/i

/** The classes by the names that a table gives to their values; as they were where none names all of them. */
export async function withTableNames(found: Assembled, folder: Folder): Promise<Assembled> {
  if (found.classes.length < 2) return found
  const tables = folder.paths
    .filter((path) => tableNames.test(baseOf(path)))
    .sort((one, other) => folderOf(one).length - folderOf(other).length)
  for (const path of tables.slice(0, limits.tables)) {
    const named = namesFor(found, (await folder.read(path, limits.textBytes)) ?? '')
    if (named !== null && new Set(named).size === named.length) return { ...found, classes: named }
  }
  return found
}

function namesFor({ classes, maskValues }: Assembled, text: string): string[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const byValue = new Map(lines.flatMap((line) => entryOf(line) ?? []))
  const values = Object.entries(maskValues)
  const named = classes.map((name, index) => {
    const known = values.flatMap(([value, of]) => (of === index ? (byValue.get(value) ?? []) : []))[0]
    return known ?? (index === 0 ? name : null)
  })
  if (byValue.size > 0) return named.every((name) => name !== null) ? named : null
  const plain = lines.map(nameIn)
  if (plain.length === classes.length) return plain
  return plain.length === classes.length - 1 ? ['background', ...plain] : null
}

/** `64 128 64 Animal`, `Animal,64,128,64`, `lesion:255,0,0::`, `1: lesion`, `lesion,1`. Null for names alone. */
function entryOf(line: string): [string, string][] | null {
  const name = nameIn(line)
  const numbers = (line.match(/(?<![\p{L}\d])\d{1,5}(?![\p{L}\d])/gu) ?? []).map(Number)
  if (name === '') return null
  const [red = 256, green = 256, blue = 256] = numbers
  const isColour = numbers.length === 3 && [red, green, blue].every((part) => part < 256)
  if (isColour)
    return [[`#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`, name]]
  return numbers.length === 1 ? [[String(red), name]] : null
}

const nameIn = (line: string): string =>
  line
    .replace(/(?<![\p{L}\d])\d{1,5}(?![\p{L}\d])/gu, ' ')
    .replace(/[,;:\t"'=]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)

/** What the owner calls classes; a name that two of them would have then is not taken. */
export function withOwnNames(found: Assembled, { classNames }: Pick<Reading, 'classNames'>): Assembled {
  const classes = found.classes.map((name) => classNames[name] ?? name)
  return new Set(classes).size === classes.length ? { ...found, classes } : found
}
