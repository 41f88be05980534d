/** Classes whose names look alike or differ in case and blanks alone: shown together, and joined when their owner says so. */
import type { Reading } from '@neuroloom/contract/reading/reading'
import type { Boxed, ClassFolders, GivenTags, Layout, Pairs } from './shapes.ts'

/**
 * Also full-width letters, underscores in place of blanks, letters that nobody sees, signs at the end, dashes of all kinds, `1.0` for 1, and
 * Cyrillic letters that look like Latin ones (`С1`).
 */
const keyOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/[авеікмнорстухѕј]/g, (letter) => lookalikes[letter] ?? letter)
    .replace(/[\s_]+/g, ' ')
    .replace(/[\s.,;:]+$/, '')
    .trim()
    .replace(/^0*(\d+)(?:[.,]0+)?$/, '$1')

const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [...'авеікмнорстухѕј'].map((letter, at) => [letter, [...'abeikmhopctyxsj'][at] ?? letter]),
)

/** Groups of classes that may be one. */
export function spellingsOf(classes: readonly string[]): string[][] {
  const groups = new Map<string, string[]>()
  for (const name of classes) groups.set(keyOf(name), [...(groups.get(keyOf(name)) ?? []), name])
  return [...groups.values()].filter((group) => group.length > 1)
}

type Named = ClassFolders | GivenTags | Boxed

/** Spellings that the owner gave one name are one class, before anything is counted or compared. */
export function withJoinedSpellings(layout: Layout, { classNames }: Pick<Reading, 'classNames'>): Layout {
  if ('pairs' in layout)
    return layout.known ? withKnown(layout, joinedBy(layout.known.classes, classNames)) : layout
  const { joined, places } = joinedBy(layout.classes, classNames)
  return joined.length === layout.classes.length ? layout : renumbered(layout, joined, places)
}

type Joined = { joined: string[]; places: number[] }

function joinedBy(classes: readonly string[], classNames: Reading['classNames']): Joined {
  const joined: string[] = []
  const known = new Map<string, number>()
  const places = classes.map((own) => {
    const name = classNames[own] ?? own
    const key = `${keyOf(own)}\0${name}`
    const place = known.get(key) ?? joined.length
    if (place === joined.length) joined.push(own)
    else joined[place] = name
    known.set(key, place)
    return place
  })
  return { joined, places }
}

/** Values of masks stay as they are; they stand for other classes. */
function withKnown(layout: Pairs, { joined, places }: Joined): Layout {
  if (!layout.known || joined.length === layout.known.classes.length) return layout
  const values = Object.entries(layout.known.maskValues)
  const maskValues = Object.fromEntries(
    values.map(([value, index]) => [value, index < 0 ? index : (places[index] ?? 0)]),
  )
  return { ...layout, known: { classes: joined, maskValues } }
}

function renumbered(layout: Named, classes: string[], places: readonly number[]): Layout {
  const placeOf = (index: number): number => places[index] ?? 0
  switch (layout.layout) {
    case 'class_folders':
      return {
        ...layout,
        classes,
        items: layout.items.map((item) => ({ ...item, class: placeOf(item.class) })),
      }
    case 'csv_labels':
    case 'name_classes':
      return {
        ...layout,
        classes,
        items: layout.items.map((item) => ({
          ...item,
          labels: [...new Set(item.labels.map(placeOf))].sort((one, other) => one - other),
        })),
      }
    default:
      return {
        ...layout,
        classes,
        items: layout.items.map((item) => ({
          ...item,
          boxes: item.boxes.map((box) => ({ ...box, class: placeOf(box.class) })),
        })),
      }
  }
}
