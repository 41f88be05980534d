/** Commands about blocks: opening, folding, making them of what is chosen, taking them apart, own copies. */
import type { Document } from '@neuroloom/contract/network/document/document'
import {
  type BlockNumber,
  dissolveBlock,
  groupNodes,
  liftParameter,
  makeLocal,
  parametersOf,
} from '@neuroloom/contract/network/edit/blocks'
import { pathIn, type Scene, SceneMaker } from '../canvas/scene.ts'
import { folded, givingWay, neat, opened, towards, unpinned, withPlace } from './arranging.ts'
import { chosenIn, isNode, onlyOne } from './chosen.ts'
import { focusOn, refuseReadOnly } from './commands.ts'
import type { EditorState } from './store.ts'
import { refuse, tell } from './tell.ts'
import type { Workbench } from './workbench.ts'

export function toggleOpen(bench: Workbench, path: string | null = onlyOne(bench)?.path ?? null): void {
  const item = path === null ? undefined : bench.scene.byPath.get(path)
  if (item === undefined || (item.kind !== 'block' && item.kind !== 'frame')) {
    tell(bench, 'noBlock')
    return
  }
  const isOpening = item.kind === 'block'
  const { arrange } = bench.store.getState()
  arrange((layout) => {
    const next = isOpening ? opened(layout, item.path) : folded(layout, item.path)
    const state = { ...bench.store.getState(), layout: next }
    return givingWay(next, bench.scene, sceneFor(state, bench.scene.direction), item.path)
  })
  focusOn(bench, [item.path])
  tell(bench, isOpening ? 'opened' : 'folded', { name: item.id })
}

/** What the scene would be; the editor's own one is not touched. */
function sceneFor(
  { document, vocabulary, layout, resolved, seen }: EditorState,
  direction: Scene['direction'],
) {
  return new SceneMaker().make({ document, vocabulary, layout, types: resolved.types, seen, direction })
}

/** The block that the chosen layers would become, and their numbers that may become its parameters. */
export interface BlockDraft {
  document: Document
  block: string
  numbers: BlockNumber[]
}

/** null: no block can be made of what is chosen; `group` tells why. */
export function draftBlock(bench: Workbench): BlockDraft | null {
  const { document, vocabulary } = bench.store.getState()
  const [chosen, ...others] = chosenIn(bench)
  if (chosen === undefined || others.length > 0) return null
  const ids = chosen.items.filter(isNode).map(({ id }) => id)
  const result = groupNodes(document, chosen.scope, ids, 'block', vocabulary)
  if ('refused' in result) return null
  return { ...result, numbers: parametersOf(result.document, result.block) }
}

/** `lifted`: numbers that become parameters of the block, under the names they carry. */
export function group(bench: Workbench, name: string, lifted: readonly BlockNumber[]): void {
  const { store } = bench
  const { document, vocabulary, edit } = store.getState()
  const [chosen, ...others] = chosenIn(bench)
  const items = chosen?.items.filter(isNode) ?? []
  if (chosen === undefined || items.length === 0) {
    refuseReadOnly(bench)
    return
  }
  if (others.length > 0) {
    refuse(bench, 'group.graphs')
    return
  }
  const ids = items.map(({ id }) => id)
  const result = groupNodes(document, chosen.scope, ids, name, vocabulary)
  if ('refused' in result) {
    refuse(bench, `group.${result.refused}`)
    return
  }
  const path = pathIn(chosen.parent, result.id)
  const [x, y] = [Math.min(...items.map((one) => one.x)), Math.min(...items.map((one) => one.y))]
  const isPinned = items.some((one) => store.getState().layout.pos[one.path] !== undefined)
  const withParameters = lifted.reduce(
    (rest, number) => liftParameter(rest, result.block, number),
    result.document,
  )
  edit(() => withParameters, {
    arrange: (layout) => (isPinned ? withPlace(layout, path, [x, y]) : layout),
  })
  focusOn(bench, [path])
  tell(bench, 'grouped', { count: items.length, name: result.id })
}

export function dissolve(bench: Workbench): void {
  const { store } = bench
  const { document, vocabulary, edit } = store.getState()
  const [chosen] = chosenIn(bench)
  const item = onlyOne(bench)
  if (chosen === undefined || item === null) {
    refuseReadOnly(bench)
    return
  }
  if (item.kind !== 'block' && item.kind !== 'frame') {
    refuse(bench, 'dissolve.block')
    return
  }
  const result = dissolveBlock(document, chosen.scope, item.id, vocabulary)
  if ('refused' in result) {
    refuse(bench, `dissolve.${result.refused}`)
    return
  }
  const { scene } = bench
  // Nobody placed what was inside, so the graph around is laid out anew.
  edit(() => result.document, {
    arrange: (layout) => unpinned(folded(layout, item.path), scene, item.parent),
  })
  focusOn(
    bench,
    result.ids.map((id) => pathIn(item.parent, id)),
  )
  tell(bench, 'dissolved', { name: item.id, count: result.ids.length })
}

/** A library block becomes a block of this network, which can be changed. */
export function ownCopy(bench: Workbench, path: string | null = onlyOne(bench)?.path ?? null): void {
  const item = path === null ? undefined : bench.scene.byPath.get(path)
  const [chosen] = path === null ? [] : chosenIn(bench, [path])
  if (item === undefined || chosen === undefined) {
    refuseReadOnly(bench)
    return
  }
  const { vocabulary, edit } = bench.store.getState()
  edit((document) => makeLocal(document, chosen.scope, item.id, vocabulary))
  focusOn(bench, [item.path])
  tell(bench, 'copied', { name: item.id })
}

/** Everything anew but what was moved by hand, in the graphs of what is chosen, or everywhere. */
export function layOut(bench: Workbench): void {
  const { store, scene } = bench
  const parents = new Set(
    [...store.getState().selection].flatMap((path) => scene.byPath.get(path)?.parent ?? []),
  )
  const all = store.getState().selection.size > 1 ? parents : new Set(scene.items.map(({ parent }) => parent))
  const unplaced = { ...store.getState(), layout: { ...store.getState().layout, pos: {} } }
  const laid = sceneFor(unplaced, scene.direction)
  store
    .getState()
    .arrange((layout) => [...all].reduce((rest, parent) => neat(rest, scene, laid, parent), layout))
  bench.view?.fit()
  tell(bench, 'laidOut')
}

/** From top to bottom, or from left to right. */
export function turn(bench: Workbench): void {
  const to = bench.scene.direction === 'right' ? 'down' : 'right'
  bench.store.getState().arrange((layout) => towards(layout, to))
  bench.view?.fit()
  tell(bench, `flows.${to}`)
}
