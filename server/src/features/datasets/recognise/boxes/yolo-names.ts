/** What the numbers in YOLO texts stand for: a `data.yaml` or a list, of which there may be one for each folder. */
import { datasets as limits } from '@neuroloom/contract/limits'
import { parse } from 'yaml'
import * as z from 'zod'
import { folderOf, isTextName } from '../folder-names.ts'
import type { Folder } from '../shapes.ts'

type Texts = Pick<Folder, 'paths' | 'read'>

type YoloNames = {
  /** Those of all lists; null where nothing says how the classes are called. */
  classes: string[] | null
  /** Of the numbers in this text, the class of each; null where every number is one. */
  placesFor: (path: string) => readonly number[] | null
  /** Numbers of key points after each box; 0 = none. */
  points: number
}

/** Programs write a list of their own into each folder, and begin each of them with the class that was drawn first there. */
export async function yoloNamesIn(folder: Texts): Promise<YoloNames> {
  const tables = await yamlsIn(folder)
  const named = tables.lists.length > 0 ? tables.lists : await textListsIn(folder)
  if (named.length === 0) return { classes: null, placesFor: () => null, points: tables.points }
  const [first, ...others] = named
  const isOne = others.every(({ names }) => names.join('\n') === first?.names.join('\n'))
  const classes = isOne ? (first?.names ?? []) : [...new Set(named.flatMap(({ names }) => names))]
  const all = named.map(({ at, names }) => ({
    at,
    places: isOne ? [...names.keys()] : names.map((name) => classes.indexOf(name)),
  }))
  const placesFor = (path: string): readonly number[] => {
    const around = all.filter(({ at }) => at === '' || path.startsWith(`${at}/`))
    const [nearest = all[0]] = around.sort((one, other) => other.at.length - one.at.length)
    return nearest?.places ?? []
  }
  return { classes: classes.slice(0, limits.classes), placesFor, points: tables.points }
}

export const isNamesText = (path: string): boolean => /(^|\/)(classes\.txt|[^/]+\.names)$/i.test(path)

type List = { at: string; names: string[] }

async function yamlsIn(folder: Texts): Promise<{ lists: List[]; points: number }> {
  const lists: List[] = []
  let points = 0
  for (const path of folder.paths.filter((one) => isTextName(one, ['yaml', 'yml'])).slice(0, limits.tables)) {
    const text = await folder.read(path, limits.textBytes)
    points ||= readPoints(text)
    const names = readYamlNames(text)
    if (names) lists.push({ at: folderOf(path), names })
  }
  return { lists, points }
}

/** A line a class; a blank one between them has its number, too. */
async function textListsIn(folder: Texts): Promise<List[]> {
  const lists: List[] = []
  for (const path of folder.paths.filter(isNamesText).slice(0, limits.tables)) {
    const text = (await folder.read(path, limits.textBytes)) ?? ''
    const lines = text.trimEnd().split(/\r?\n/)
    const names = lines.map((line, index) => line.trim() || `class ${index}`).slice(0, limits.classes)
    if (text.trim() !== '') lists.push({ at: folderOf(path), names })
  }
  return lists
}

const namesSchema = z.object({
  names: z.union([z.array(z.coerce.string()), z.record(z.string(), z.coerce.string())]),
})

const pointsSchema = z.object({ kpt_shape: z.tuple([z.int().min(1), z.int().min(2).max(3)]) })

/** `kpt_shape: [17, 3]` */
function readPoints(text: string | null): number {
  try {
    const [count, numbers] = pointsSchema.parse(parse(text ?? '')).kpt_shape
    return count * numbers
  } catch {
    return 0
  }
}

function readYamlNames(text: string | null): string[] | null {
  if (text === null) return null
  try {
    // Aliases that multiply are refused by the library.
    const { names } = namesSchema.parse(parse(text))
    if (Array.isArray(names)) return names.slice(0, limits.classes)
    const last = Math.max(...Object.keys(names).map(Number))
    if (!(last < limits.classes)) return null
    return Array.from({ length: last + 1 }, (_, index) => names[String(index)] ?? `class ${index}`)
  } catch {
    return null
  }
}
