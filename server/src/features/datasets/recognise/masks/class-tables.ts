/** Names of what masks mark, from a table beside them: colours with names (CamVid, CVAT), numbers with names, or names alone. */
import { datasets as limits } from '@neuroloom/contract/limits'
import type { Reading } from '@neuroloom/contract/reading/reading'
import { linesOf, nameIn, valueNames, valueTableNames } from '@neuroloom/contract/reading/value-names'
import { baseOf, folderOf } from '../folder-names.ts'
import type { Assembled, Folder } from '../shapes.ts'

/** The classes by the names that a table gives to their values; as they were where none names all of them. */
export async function withTableNames(found: Assembled, folder: Folder): Promise<Assembled> {
  if (found.classes.length < 2) return found
  const tables = folder.paths
    .filter((path) => valueTableNames.test(baseOf(path)))
    .sort((one, other) => folderOf(one).length - folderOf(other).length)
  for (const path of tables.slice(0, limits.tables)) {
    const named = namesFor(found, (await folder.read(path, limits.textBytes)) ?? '')
    if (named !== null && new Set(named).size === named.length) return { ...found, classes: named }
  }
  return found
}

function namesFor({ classes, maskValues }: Assembled, text: string): string[] | null {
  const byValue = valueNames(text)
  const values = Object.entries(maskValues)
  const named = classes.map((name, index) => {
    const known = values.flatMap(([value, of]) => (of === index ? (byValue.get(value) ?? []) : []))[0]
    return known ?? (index === 0 ? name : null)
  })
  if (byValue.size > 0) return named.every((name) => name !== null) ? named : null
  const plain = linesOf(text).map(nameIn)
  if (plain.length === classes.length) return plain
  return plain.length === classes.length - 1 ? ['background', ...plain] : null
}

/** What the owner calls classes; a name that two of them would have then is not taken. */
export function withOwnNames(found: Assembled, { classNames }: Pick<Reading, 'classNames'>): Assembled {
  const classes = found.classes.map((name) => classNames[name] ?? name)
  return new Set(classes).size === classes.length ? { ...found, classes } : found
}
