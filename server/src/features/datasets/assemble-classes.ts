/** A classification data set: one item an image, its class from the folder. */
import type { Problem } from '@neuroloom/contract/datasets'
import type { FileFacts } from '@neuroloom/contract/engine'
import { summarise } from './data-facts.ts'
import type { Assembled, ClassFolders, Look } from './shapes.ts'

type Usable = { path: string; class: number; facts: FileFacts }

export function assembleClasses(layout: ClassFolders, look: Look): Assembled {
  const problems: Problem[] = [
    ...layout.stray.map((path): Problem => ({ path, reason: 'not_in_class_folder', params: {} })),
    ...layout.empty.map((path): Problem => ({ path, reason: 'class_empty', params: {} })),
  ]
  const readable: Usable[] = []
  for (const { path, class: index } of layout.items) {
    const { facts, reason } = look.check(path)
    if (facts) readable.push({ path, class: index, facts })
    else problems.push({ path, reason, params: {} })
  }
  const { usable, clashes } = setAsideContradictions(readable, look)
  problems.push(...clashes)

  const used = new Set(usable.map((item) => item.class))
  layout.classes.forEach((name, index) => {
    if (!used.has(index)) problems.push({ path: name, reason: 'class_empty', params: {} })
  })
  // Empty classes are left out, so the others move up.
  const kept = [...layout.classes.keys()].filter((index) => used.has(index))
  const items = usable.map(({ path, class: index, facts }) => {
    const { width, height } = facts
    return { name: path, image: path, label: null, class: kept.indexOf(index), width, height }
  })
  const counts = kept.map((index) => usable.filter((item) => item.class === index).length)
  const facts = summarise(
    usable.map((item) => item.facts),
    counts,
  )
  return {
    items,
    problems,
    classes: kept.map((index) => layout.classes[index] ?? ''),
    maskValues: {},
    channels: facts?.channels ?? 1,
    facts,
    failure: failureOf(usable.length, kept.length),
  }
}

/** The same picture in two classes teaches a contradiction: every copy is set aside and names another one. */
function setAsideContradictions(readable: Usable[], look: Look): { usable: Usable[]; clashes: Problem[] } {
  const copies = new Map<string, Usable[]>()
  for (const item of readable) {
    const sha256 = look.sha256(item.path)
    copies.set(sha256, [...(copies.get(sha256) ?? []), item])
  }
  const clashes: Problem[] = []
  const usable = readable.filter((item) => {
    const other = copies.get(look.sha256(item.path))?.find((copy) => copy.class !== item.class)
    if (other) {
      clashes.push({ path: item.path, reason: 'duplicate_other_class', params: { other: other.path } })
    }
    return !other
  })
  return { usable, clashes }
}

function failureOf(usable: number, classes: number): Assembled['failure'] {
  if (usable === 0) return 'no_images'
  return classes < 2 ? 'single_class' : null
}
