/** A folder a class: `<class>/x.png`, also below `data/` or below `train/` and `test/`. Names only. */
import { datasets as limits } from '@neuroloom/contract/limits'
import { isSplitName, splitInName } from './folder-names.ts'
import type { ClassFolders, NoLayout } from './shapes.ts'

type Placed = { path: string; rest: string[] }

export function classLayout(
  paths: readonly string[],
  emptyFolders: readonly string[],
  task: ClassFolders['task'],
): ClassFolders | NoLayout {
  const peeled = peel(paths)
  const placed = withoutParts(peeled.placed.filter(({ rest }) => rest.length > 0))
  const classes = [...new Set(placed.map(({ rest }) => rest[0] ?? ''))].sort(inNaturalOrder)
  if (classes.length === 0) return { layout: null, failure: 'layout_unknown' }
  if (classes.every(isSplitName)) return { layout: null, failure: 'layout_unknown' }
  if (classes.length === 1) return { layout: null, failure: 'single_class' }
  // So many are not classes but, for example, a folder a patient.
  if (classes.length > limits.classes) return { layout: null, failure: 'layout_unknown' }
  const indexes = new Map(classes.map((name, index) => [name, index]))
  const loose = peeled.placed.filter(({ rest }) => rest.length === 0).map(({ path }) => path)
  return {
    layout: 'class_folders',
    task,
    classes,
    items: placed.map(({ path, rest }) => ({ path, class: indexes.get(rest[0] ?? '') ?? 0 })),
    stray: [...peeled.outside, ...loose],
    empty: emptyFolders.filter((folder) => {
      const rest = belowWrapper(folder.split('/'), peeled.wrapper)
      return rest?.length === 1 && !indexes.has(rest[0] ?? '')
    }),
  }
}

/** `train_benign` and `test_benign` are one class where all folders are called so, and of several parts. */
function withoutParts(placed: Placed[]): Placed[] {
  const split = new Map(placed.map(({ rest: [top = ''] }) => [top, splitInName(top)]))
  const known = [...split.values()]
  const parts = new Set(known.map((one) => one?.part ?? null))
  const classes = new Set(known.map((one) => one?.rest ?? ''))
  if (parts.has(null) || parts.size < 2 || classes.size === known.length) return placed
  return placed.map(({ path, rest: [top = '', ...deeper] }) => ({
    path,
    rest: [split.get(top)?.rest ?? top, ...deeper],
  }))
}

/** Takes off folders that say nothing of the class: one wrapper round everything, and train/test splits. */
function peel(paths: readonly string[]) {
  let placed: Placed[] = paths.map((path) => ({ path, rest: path.split('/').slice(0, -1) }))
  const outside: string[] = []
  const wrapper: string[] = []
  let splitsPeeled = false
  for (;;) {
    const inFolders = placed.filter(({ rest }) => rest.length > 0)
    const tops = [...new Set(inFolders.map(({ rest }) => rest[0] ?? ''))]
    const isSplit = !splitsPeeled && tops.length > 0 && tops.every(isSplitName)
    const isDeeper = inFolders.some(({ rest }) => rest.length > 1)
    if (!isDeeper || !(tops.length === 1 || isSplit)) break
    outside.push(...placed.filter(({ rest }) => rest.length === 0).map(({ path }) => path))
    placed = inFolders.map(({ path, rest }) => ({ path, rest: rest.slice(1) }))
    if (isSplit) splitsPeeled = true
    wrapper.push(isSplit ? SPLIT : (tops[0] ?? ''))
  }
  return { placed, outside, wrapper }
}

const SPLIT = '\0split'

/** The part of a folder's path below what was taken off; null when it lies elsewhere. */
function belowWrapper(folder: string[], wrapper: string[]): string[] | null {
  const fits = wrapper.every((part, depth) =>
    part === SPLIT ? isSplitName(folder[depth] ?? '') : part === folder[depth],
  )
  return fits && folder.length > wrapper.length ? folder.slice(wrapper.length) : null
}

const collator = new Intl.Collator('en', { numeric: true })

/** Grade 2 before grade 10, the same on every machine. */
export const inNaturalOrder = (left: string, right: string): number =>
  collator.compare(left, right) || (left < right ? -1 : 1)
