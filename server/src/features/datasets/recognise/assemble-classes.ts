/** Items with classes or labels from folders and tables: one item an image. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { FileFacts } from '@neuroloom/contract/engine'
import type { LabelSource } from '@neuroloom/contract/reading/label-source'
import { summarise } from '../data-facts.ts'
import {
  type Assembled,
  type ClassFolders,
  type GivenTags,
  type Look,
  plainItem,
  type TableItem,
  type TableLabels,
} from './shapes.ts'

type Labelled = TableItem & { facts: FileFacts }

export function assembleClasses(layout: ClassFolders, look: Look): Assembled {
  const problems: Problem[] = [
    ...layout.stray.map((path): Problem => ({ path, reason: 'not_in_class_folder', params: {} })),
    ...layout.empty.map((path): Problem => ({ path, reason: 'class_empty', params: {} })),
    ...notUsed(layout.masks),
    ...(layout.problems ?? []),
  ]
  const items = layout.items.map(
    ({ path, class: index }): TableItem => ({ path, labels: [index], part: null, patient: null }),
  )
  return withSource(assembleLabelled({ ...layout, items }, problems, look), layout.source)
}

export function assembleTable(layout: GivenTags, look: Look): Assembled {
  const missing = layout.unlabelled.map((path): Problem => ({ path, reason: 'label_missing', params: {} }))
  const problems = [...layout.problems, ...missing, ...notUsed(layout.masks)]
  return withSource(assembleLabelled(layout, problems, look), layout.source)
}

const notUsed = (masks: readonly string[] = []): Problem[] =>
  masks.map((path) => ({ path, reason: 'mask_not_used', params: {} }))

const withSource = (made: Assembled, labelSource: LabelSource | undefined): Assembled => ({
  ...made,
  facts: made.facts && { ...made.facts, ...(labelSource ? { labelSource } : {}) },
})

type Told = Pick<TableLabels, 'task' | 'classes' | 'items'>

function assembleLabelled({ task, classes, items: told }: Told, problems: Problem[], look: Look): Assembled {
  const readable: Labelled[] = []
  for (const item of told) {
    const { facts, reason } = look.check(item.path)
    if (facts) readable.push({ ...item, facts })
    else problems.push({ path: item.path, reason, params: {} })
  }
  const settle = task === 'classification' ? setAsideContradictions : joinCopies
  const { usable, clashes } = settle(readable, look)
  problems.push(...clashes)

  const used = new Set(usable.flatMap(({ labels }) => labels))
  classes.forEach((name, index) => {
    if (!used.has(index)) problems.push({ path: name, reason: 'class_empty', params: {} })
  })
  // Empty classes are left out, so the others move up.
  const kept = [...classes.keys()].filter((index) => used.has(index))
  const places = new Map(kept.map((index, place) => [index, place]))
  const items = usable.map(({ path, facts, labels, part, patient }) => {
    const moved = labels.map((index) => places.get(index) ?? 0)
    const said = task === 'classification' ? { class: moved[0] ?? 0 } : { labels: moved }
    return { ...plainItem(path, facts), ...said, part, patient }
  })
  const counts = kept.map((index) => usable.filter(({ labels }) => labels.includes(index)).length)
  const facts = summarise(
    usable.map((item) => item.facts),
    counts,
  )
  return {
    items,
    problems,
    classes: kept.map((index) => classes[index] ?? ''),
    maskValues: {},
    channels: facts?.channels ?? 1,
    factor: null,
    facts,
    failure: failureOf(usable.length, kept.length),
  }
}

type Settled = { usable: Labelled[]; clashes: Problem[] }

/** The same picture in two classes teaches a contradiction: every copy is set aside and names another one. */
function setAsideContradictions(readable: Labelled[], look: Look): Settled {
  const copies = copiesOf(readable, look)
  const clashes: Problem[] = []
  const usable = readable.filter(({ path, labels }) => {
    const other = copies.get(look.sha256(path))?.find((copy) => copy.labels[0] !== labels[0])
    if (other) clashes.push({ path, reason: 'duplicate_other_class', params: { other: other.path } })
    return !other
  })
  return { usable, clashes }
}

/** Where an image may have several labels, the same picture in two folders has both: it becomes one item. */
function joinCopies(readable: Labelled[], look: Look): Settled {
  const usable = [...copiesOf(readable, look).values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const labels = new Set([first, ...others].flatMap((copy) => copy.labels))
    return [{ ...first, labels: [...labels].sort((left, right) => left - right) }]
  })
  return { usable, clashes: [] }
}

function copiesOf(readable: Labelled[], look: Look): Map<string, Labelled[]> {
  const copies = new Map<string, Labelled[]>()
  for (const item of readable) {
    const sha256 = look.sha256(item.path)
    const known = copies.get(sha256)
    if (known) known.push(item)
    else copies.set(sha256, [item])
  }
  return copies
}

function failureOf(usable: number, classes: number): Assembled['failure'] {
  if (usable === 0) return 'no_images'
  return classes < 2 ? 'single_class' : null
}
