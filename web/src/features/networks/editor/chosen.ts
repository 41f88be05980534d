/** What a command works on: the chosen things, sorted by the graph that they stand in. */
import type { Item } from '../canvas/things.ts'
import { placeOf } from './paths.ts'
import type { EditorState } from './store.ts'
import type { Workbench } from './workbench.ts'

export interface Chosen {
  /** Path of the opened block around them. */
  parent: string
  /** What edits take. */
  scope: string | null
  items: Item[]
}

/** Things that can be changed; those of library blocks are left out. Two opened uses of one block are one graph. */
export function chosenIn(
  bench: Workbench,
  paths: Iterable<string> = bench.store.getState().selection,
): Chosen[] {
  const state = bench.store.getState()
  const groups = new Map<string | null, Chosen>()
  for (const path of paths) {
    const item = bench.scene.byPath.get(path)
    if (item === undefined || item.isReadOnly) continue
    const scope = scopeOf(state, item.parent)
    if (scope === undefined) continue
    const group = groups.get(scope) ?? { parent: item.parent, scope, items: [] }
    if (group.items.every(({ id }) => id !== item.id)) group.items.push(item)
    groups.set(scope, group)
  }
  return [...groups.values()]
}

/** Of the graph inside `parent`; undefined when it belongs to the library. */
export function scopeOf(
  { document, vocabulary }: Pick<EditorState, 'document' | 'vocabulary'>,
  parent: string,
): string | null | undefined {
  if (parent === '') return null
  const place = placeOf(document, vocabulary, parent)
  if (place === null || place.isReadOnly) return undefined
  return document.blocks.has(place.node.op) ? place.node.op : undefined
}

/** The one chosen thing, or null. */
export function onlyOne(bench: Workbench): Item | null {
  const { selection } = bench.store.getState()
  const [path] = selection
  return selection.size === 1 && path !== undefined ? (bench.scene.byPath.get(path) ?? null) : null
}

export const isNode = ({ kind }: Item): boolean => kind === 'layer' || kind === 'block' || kind === 'frame'

/** `main` of `heads.main`, `out` of `outputs.out`. */
export const nameOf = ({ id, kind }: Item): string =>
  kind === 'head' || kind === 'outlet' ? id.slice(id.indexOf('.') + 1) : id

/** How a graph's edits name what leaves an outlet. */
export const refTo = ({ id }: Pick<Item, 'id'>, outlet: string): string =>
  outlet === '' ? id : `${id}.${outlet}`
