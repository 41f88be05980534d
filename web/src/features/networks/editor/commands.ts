/** What one can do with what is chosen, however it was asked for: by key, menu or button. Edits themselves are pure and elsewhere. */
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Document, Node } from '@neuroloom/contract/network/document/document'
import { networkLimits } from '@neuroloom/contract/network/document/document'
import {
  changeNode,
  duplicateNodes,
  removeNodes,
  renameNode,
  swapOp,
} from '@neuroloom/contract/network/edit/edit'
import { renameInput, setHead, setInput } from '@neuroloom/contract/network/edit/frame'
import { type Port, type PortRefusal, removePort, renamePort } from '@neuroloom/contract/network/edit/ports'
import { pathIn } from '../canvas/scene.ts'
import type { Item } from '../canvas/things.ts'
import { walk } from '../canvas/walk.ts'
import { pinned, renamed, withNew } from './arranging.ts'
import { type Chosen, chosenIn, isNode, nameOf, onlyOne } from './chosen.ts'
import type { EditorState } from './store.ts'
import { refuse, tell } from './tell.ts'
import type { Workbench } from './workbench.ts'

export function remove(bench: Workbench): void {
  const { store, scene } = bench
  const { document, selection, edit } = store.getState()
  const groups = chosenIn(bench)
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  if (count === 0) {
    refuseReadOnly(bench)
    return
  }
  const rest = without(document, groups, store.getState())
  if ('refused' in rest) {
    refuse(bench, `port.${rest.refused}`, { block: rest.block })
    return
  }
  const [first = ''] = selection
  const next = walk(scene, first, 'up') ?? walk(scene, first, 'down')
  edit(() => rest.document, {
    arrange: (layout) => groups.reduce((kept, { parent }) => stayed(bench, kept, parent), layout),
  })
  focusOn(bench, next !== null && bench.scene.byPath.has(next) ? [next] : [])
  tell(bench, 'removed', { count })
}

/** What a block must keep stays; it is refused where nothing else was to go. */
function without(
  document: Document,
  groups: readonly Chosen[],
  { vocabulary }: Pick<EditorState, 'vocabulary'>,
): { document: Document } | PortRefusal {
  let rest = document
  let refusal: PortRefusal | null = null
  for (const { scope, items } of groups) {
    for (const item of items.filter((one) => !isNode(one))) {
      const port = portOf(item, scope)
      const left = port === null ? { document: withoutEnd(rest, item) } : removePort(rest, port, vocabulary)
      if ('refused' in left) refusal ??= left
      else rest = left.document
    }
    const ids = items.filter(isNode).map(({ id }) => id)
    rest = removeNodes(rest, scope, ids, vocabulary)
  }
  return rest === document && refusal !== null ? refusal : { document: rest }
}

/** What leads into an opened block of this network, or out of it; null for everything else. */
function portOf(item: Item, scope: string | null): Port | null {
  if (scope === null) return null
  const name = nameOf(item)
  if (item.kind === 'port') return { block: scope, side: 'input', name }
  return item.kind === 'outlet' ? { block: scope, side: 'output', name } : null
}

const withoutEnd = (document: Document, item: Item): Document =>
  item.kind === 'head' ? setHead(document, nameOf(item), null) : setInput(document, item.id, null)

/** Others keep their places when something goes. */
function stayed(bench: Workbench, layout: Parameters<typeof pinned>[0], parent: string) {
  const isPinned = bench.scene.items.some(
    (item) => item.parent === parent && layout.pos[item.path] !== undefined,
  )
  return isPinned ? pinned(layout, bench.scene, parent) : layout
}

export function duplicate(bench: Workbench): void {
  const { store, scene } = bench
  const { vocabulary, document } = store.getState()
  const [group, ...others] = chosenIn(bench)
  const items = group?.items.filter(isNode) ?? []
  if (group === undefined || others.length > 0 || items.length === 0) {
    refuseReadOnly(bench)
    return
  }
  const ids = items.map(({ id }) => id)
  const result = duplicateNodes(document, group.scope, ids, vocabulary)
  const paths = result.ids.map((id) => pathIn(group.parent, id))
  store.getState().edit(() => result.document, {
    select: paths,
    arrange: (layout) =>
      paths.reduce((rest, path, k) => {
        const size = items[k] ?? { width: 0, height: 0 }
        const source = items[k] ?? null
        return withNew(rest, scene, { path, parent: group.parent, size, source, isBetween: false })
      }, layout),
  })
  focusOn(bench, paths)
  tell(bench, 'duplicated', { count: paths.length })
}

/** On, when at least one of the chosen is not bypassed yet. */
export function toggleBypass(bench: Workbench): void {
  const groups = chosenIn(bench)
  const nodes = groups.flatMap(({ items }) => items).filter(isNode)
  if (nodes.length === 0) {
    refuseReadOnly(bench)
    return
  }
  const isOff = nodes.some(({ node }) => node?.off !== true)
  changeEach(bench, groups, () => ({ off: isOff ? true : undefined }))
  tell(bench, isOff ? 'bypassed' : 'unbypassed', { count: nodes.length })
}

/** One copy more or less of each. */
export function repeat(bench: Workbench, by: 1 | -1): void {
  const groups = chosenIn(bench)
  const nodes = groups.flatMap(({ items }) => items).filter(isNode)
  if (nodes.length === 0) {
    refuseReadOnly(bench)
    return
  }
  if (nodes.some(({ node }) => typeof node?.repeat === 'string')) {
    refuse(bench, 'repeatRule')
    return
  }
  const times = (node: Node | null) =>
    Math.max(1, Math.min(networkLimits.repeat, Number(node?.repeat ?? 1) + by))
  changeEach(bench, groups, (node) => ({ repeat: times(node) === 1 ? undefined : times(node) }), 'repeat')
  tell(bench, 'repeated', { count: times(nodes[0]?.node ?? null) })
}

function changeEach(
  { store }: Workbench,
  groups: readonly Chosen[],
  changeOf: (node: Node) => Parameters<typeof changeNode>[3],
  merge?: string,
): void {
  store
    .getState()
    .edit(
      (document) =>
        groups.reduce(
          (rest, { scope, items }) =>
            items.reduce(
              (one, { id, node }) => (node === null ? one : changeNode(one, scope, id, changeOf(node))),
              rest,
            ),
          document,
        ),
      merge === undefined ? {} : { merge },
    )
}

export function swap(bench: Workbench, op: string): void {
  const [group] = chosenIn(bench)
  const item = onlyOne(bench)
  if (group === undefined || item === null) {
    refuseReadOnly(bench)
    return
  }
  const { store } = bench
  const { vocabulary } = store.getState()
  store.getState().edit((document) => swapOp(document, group.scope, item.id, op, vocabulary))
}

/** False when the name is taken or cannot be one. */
export function rename(bench: Workbench, next: string): boolean {
  const [group] = chosenIn(bench)
  const item = onlyOne(bench)
  if (group === undefined || item === null) return false
  const name = nameOf(item)
  if (next === name) return true
  const { document, edit, vocabulary } = bench.store.getState()
  const result = renamedIn(document, group.scope, item, { next, vocabulary })
  if (result === document) return false
  // `@x`, `outputs.out` and `conv` keep what stands before the name.
  const path = item.path.slice(0, item.path.length - name.length) + next
  edit(() => result, { arrange: (layout) => renamed(layout, item.path, path), select: [path] })
  focusOn(bench, [path])
  tell(bench, 'renamed', { name: next })
  return true
}

function renamedIn(
  document: Document,
  scope: string | null,
  item: Item,
  { next, vocabulary }: { next: string; vocabulary: Vocabulary },
): Document {
  const port = portOf(item, scope)
  if (port !== null) return renamePort(document, port, next, vocabulary)
  return item.kind === 'input'
    ? renameInput(document, item.id, next)
    : renameNode(document, scope, item.id, next)
}

export function undo(bench: Workbench): void {
  const { past } = bench.store.getState()
  if (past.length === 0) {
    tell(bench, 'nothingToUndo')
    return
  }
  bench.store.getState().undo()
  afterJump(bench)
  tell(bench, 'undone')
}

export function redo(bench: Workbench): void {
  const { future } = bench.store.getState()
  if (future.length === 0) {
    tell(bench, 'nothingToRedo')
    return
  }
  bench.store.getState().redo()
  afterJump(bench)
  tell(bench, 'redone')
}

/** What is no longer there cannot be chosen. */
function afterJump(bench: Workbench): void {
  const { selection, select } = bench.store.getState()
  const left = [...selection].filter((path) => bench.scene.byPath.has(path))
  if (left.length < selection.size) select(left)
}

/** Chooses, brings into view and moves the keyboard there. */
export function focusOn(bench: Workbench, paths: readonly string[]): void {
  bench.store.getState().select(paths)
  const path = paths.at(-1) ?? null
  bench.screen.getState().focus(path)
  if (path !== null) bench.view?.show(path)
}

export function selectAll(bench: Workbench): void {
  const { select } = bench.store.getState()
  const item = onlyOne(bench)
  const parent = item?.parent ?? ''
  const paths = bench.scene.items.filter((one) => one.parent === parent).map(({ path }) => path)
  select(paths)
  tell(bench, 'selected', { count: paths.length })
}

export function refuseReadOnly(bench: Workbench): void {
  const { selection } = bench.store.getState()
  refuse(bench, selection.size === 0 ? 'nothingChosen' : 'readOnly')
}
