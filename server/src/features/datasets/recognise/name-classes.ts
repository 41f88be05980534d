/** Classes that stand in names: `cat.0.jpg`, `CNV-1016042-1.jpeg`, `benign (12).png`, `study1_positive/image1.png`. */
import { inNaturalOrder } from './class-folders.ts'
import { baseOf, folderOf, isSplitName, partOf, stemOf } from './folder-names.ts'
import type { TableLabels } from './shapes.ts'

export type NameClasses = {
  classes: string[]
  items: { path: string; class: number }[]
  example: { example: string; from: number; to: number }
  /** Another place of the names would fit too, or its words are none that classes are usually called. */
  isUnsure: boolean
}

/** Fewer pictures of a class than this make a word a name of its own. */
const FEWEST = 2
/** More words than this in one place are persons, places or anything else. */
const MOST = 20
/** So many pictures a word there must be on average. */
const USUAL = 3
/** Words of a name that are looked at from either end. */
const DEEPEST = 6

/** What classes of pictures are often called: then their place in the name is clear. */
const usual =
  /^(normal|abnormal|healthy|ill|sick|benign|malignant|cancer|tumou?r|positive|negative|pos|neg|yes|no|covid|pneumonia|bacteria|virus|viral|tuberculosis|tb|cnv|dme|drusen|glioma|meningioma|pituitary|notumou?r|melanoma|nevus|naevus|polyp|cat|dog|infected|uninfected|parasitized|defect|good|bad|b|m|正常|异常|良性|恶性|阳性|阴性|норма|патология|доброкачественн\p{L}*|злокачественн\p{L}*|опухоль|здоров\p{L}*|больн\p{L}*)$/iu

/** Sides, views, sequences, parts of a set and kinds of files: what pictures are of or for, not what they show. */
const circumstance =
  /^(l|r|left|right|od|os|lt|rt|лев\p{L}*|прав\p{L}*|左眼?|右眼?|cc|mlo|pa|ap|lat|lateral|frontal|view|axial|sagittal|coronal|ax|sag|cor|t|flair|dwi|adc|ct|mr|mri|xr|us|gray|grey|rgb|image|images|img|im|pic|picture|photo|scan|slice|series|study|mask|masks|seg|label|gt|patient|pat|case|subject|sub|person|orig|original|copy|aug|hr|lr|noisy|clean|图像|图片|снимок|изображение)$/iu

type Word = { text: string; from: number; to: number }
type Place = { words: (Word | null)[]; values: Map<string, number>; usualness: number }

/** Null where no place of the names has a few words that come back. */
export function nameClasses(paths: readonly string[], known: readonly string[] = []): NameClasses | null {
  if (paths.length < FEWEST * 2) return null
  const tokens = paths.map(wordsOf)
  const places: Place[] = []
  for (let at = 0; at < DEEPEST; at += 1) {
    places.push(...placeAt(tokens, (words) => words[at]), ...placeAt(tokens, (words) => words.at(-1 - at)))
  }
  const told = new Set(known.map((name) => name.toLowerCase()))
  const open = distinct(places).filter(({ values }) => ![...values.keys()].every((value) => told.has(value)))
  const sorted = open.sort((one, other) => other.usualness - one.usualness)
  const [best] = sorted
  if (!best) return null
  const names = [...best.values.keys()]
  const shown = new Map(
    names.map((name) => [name, best.words.find((word) => keyOf(word) === name)?.text ?? name]),
  )
  const classes = [...shown.values()].sort(inNaturalOrder)
  const indexes = new Map(classes.map((name, index) => [name, index]))
  const [first] = best.words
  const isClear = best.usualness > 0 && (sorted[1]?.usualness ?? 0) < best.usualness
  return {
    classes,
    items: paths.map((path, at) => ({
      path,
      class: indexes.get(shown.get(keyOf(best.words[at] ?? null)) ?? '') ?? 0,
    })),
    example: { example: paths[0] ?? '', from: first?.from ?? 0, to: first?.to ?? 0 },
    isUnsure: !isClear,
  }
}

/** As a layout of labels; `parts` of folders are told by them later. */
export function asLabels(found: NameClasses, task: TableLabels['task']): TableLabels {
  const { classes, items, example, isUnsure } = found
  return {
    layout: 'name_classes',
    task,
    classes,
    items: items.map(({ path, class: index }) => ({ path, labels: [index], part: null, patient: null })),
    problems: [],
    unlabelled: [],
    source: {
      ...{ from: null, tables: [], name: example, encoding: null, uncertain: 0 },
      ...{ isUnsure, isGuessed: false },
      candidates: [{ path: '', column: 'names', classes: classes.length, items: items.length }],
    },
  }
}

/** Runs of letters of the folder that it lies in, and of its own name. */
function wordsOf(path: string): Word[] {
  const parent = folderOf(path)
  const inner = baseOf(parent)
  const start =
    inner === '' || isSplitName(inner) ? path.length - baseOf(path).length : parent.length - inner.length
  const end = path.length - baseOf(path).length + stemOf(path).length
  const words: Word[] = []
  for (const found of path.slice(start, end).matchAll(/\p{L}+/gu)) {
    words.push({ text: found[0], from: start + found.index, to: start + found.index + found[0].length })
  }
  return words
}

const keyOf = (word: Word | null): string => word?.text.toLowerCase().normalize('NFC') ?? ''

/** One place of all names, where it holds a few words that come back. */
function placeAt(tokens: readonly Word[][], pick: (words: Word[]) => Word | undefined): Place[] {
  const words = tokens.map((all) => pick(all) ?? null)
  const values = new Map<string, number>()
  for (const word of words) {
    if (word === null) return []
    const key = keyOf(word)
    values.set(key, (values.get(key) ?? 0) + 1)
    if (values.size > MOST) return []
  }
  const names = [...values.keys()]
  const isEnough =
    [...values.values()].every((count) => count >= FEWEST) && values.size * USUAL <= words.length
  if (values.size < 2 || !isEnough) return []
  if (names.some((name) => circumstance.test(name) || partOf(name) !== null)) return []
  return [{ words, values, usualness: usualnessOf(names) }]
}

/** The share of these words that classes of pictures are often called by. */
export const usualnessOf = (names: readonly string[]): number =>
  names.filter((name) => usual.test(name)).length / Math.max(1, names.length)

/** Places that divide the pictures in the same way are one. */
function distinct(places: readonly Place[]): Place[] {
  const seen = new Map<string, Place>()
  for (const place of places) {
    const numbers = new Map([...place.values.keys()].map((name, index) => [name, index]))
    const division = place.words.map((word) => numbers.get(keyOf(word))).join(',')
    if (place.usualness > (seen.get(division)?.usualness ?? -1)) seen.set(division, place)
  }
  return [...seen.values()]
}
