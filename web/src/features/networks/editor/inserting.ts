/** New layers and blocks: behind what is chosen, at a place, on a connection, or as the target of a drawn one. */
import type { Block, Document } from '@neuroloom/contract/network/document/document'
import { adoptBlocks } from '@neuroloom/contract/network/edit/adopt'
import { addNode, insertOnEdge } from '@neuroloom/contract/network/edit/edit'
import { headOutlets } from '@neuroloom/contract/network/resolve/heads'
import { cardSize } from '../canvas/geometry.ts'
import { pathIn } from '../canvas/scene.ts'
import type { Item, Wire } from '../canvas/things.ts'
import { roadsOf } from '../canvas/walk.ts'
import { withDropped, withNew } from './arranging.ts'
import { onlyOne, refTo, scopeOf } from './chosen.ts'
import { focusOn } from './commands.ts'
import type { Pending, QuickPlace } from './screen.ts'
import { refuse, tell } from './tell.ts'
import type { Workbench } from './workbench.ts'

/** Something of the palette: a layer, a block of the library or of this network, or one that a template brings along. */
export interface Insert {
  op: string
  title: string
  /** Blocks that come with it when this network does not have them. */
  brings: ReadonlyMap<string, Block> | null
}

/** Behind the selection, else at the end. The reader of a single way reads the new one; with `asBranch` nobody does. */
export function insertAfter(bench: Workbench, insert: Insert, asBranch = false): void {
  const from = startOf(bench)
  const source = from === null ? undefined : bench.scene.byPath.get(from.source)
  const { parent, at } = { parent: source?.parent ?? '', at: null }
  if (from === null || source === undefined) {
    insertAt(bench, insert, { parent, at, from: null })
    return
  }
  const readers = (roadsOf(bench.scene).outOf.get(source.path) ?? []).filter(
    ({ outlet }) => outlet === from.outlet,
  )
  const [reader] = readers
  if (!asBranch && reader !== undefined && readers.length === 1) {
    insertOn(bench, insert, reader.id)
    return
  }
  insertAt(bench, insert, { parent, at, from })
}

/** On empty canvas, perhaps at the end of a drawn connection. */
export function insertAt(bench: Workbench, insert: Insert, { parent, at, from }: QuickPlace): void {
  const state = bench.store.getState()
  const scope = scopeOf(state, parent)
  if (scope === undefined) {
    refuse(bench, 'readOnly')
    return
  }
  const { scene } = bench
  const source = from === null ? undefined : scene.byPath.get(from.source)
  const inputs = from === null || source === undefined ? [] : [refTo(source, from.outlet)]
  const ready = withBlocks(bench, insert)
  const added = addNode(ready.document, scope, { op: ready.op, inputs }, state.vocabulary)
  if (added.id === '') {
    refuse(bench, 'noRoom')
    return
  }
  const path = pathIn(parent, added.id)
  const size = cardSize(1, false)
  state.edit(() => added.document, {
    arrange: (layout) =>
      at === null
        ? withNew(layout, scene, { path, parent, size, source: source ?? null, isBetween: false })
        : withDropped(layout, scene, { path, parent, size, at }),
  })
  finish(bench, path, insert)
}

/** Splits a connection. */
export function insertOn(bench: Workbench, insert: Insert, wireId: string): void {
  const { scene } = bench
  const state = bench.store.getState()
  const wire = scene.wires.find(({ id }) => id === wireId)
  const [source, target] = endsOf(bench, wire)
  if (wire === undefined || target === undefined) return
  const scope = scopeOf(state, target.parent)
  if (scope === undefined) {
    refuse(bench, 'readOnly')
    return
  }
  const ready = withBlocks(bench, insert)
  const place = { target: target.id, slot: wire.slot }
  const added = insertOnEdge(ready.document, scope, place, ready.op, state.vocabulary)
  if (added.id === '') {
    refuse(bench, 'noRoom')
    return
  }
  const path = pathIn(target.parent, added.id)
  const { parent } = target
  state.edit(() => added.document, {
    arrange: (layout) => {
      const thing = { path, parent, size: cardSize(1, false), source: source ?? null }
      return withNew(layout, scene, { ...thing, isBetween: true })
    },
  })
  finish(bench, path, insert)
}

function endsOf({ scene }: Workbench, wire: Wire | undefined): (Item | undefined)[] {
  return [scene.byPath.get(wire?.source ?? ''), scene.byPath.get(wire?.target ?? '')]
}

function finish(bench: Workbench, path: string, { title }: Insert): void {
  const name = path.slice(path.lastIndexOf('/') + 1)
  focusOn(bench, [path])
  tell(bench, 'inserted', { title, name })
}

function withBlocks(bench: Workbench, { op, brings }: Insert): { document: Document; op: string } {
  const { document, vocabulary } = bench.store.getState()
  if (brings === null) return { document, op }
  const adopted = adoptBlocks(document, [op], brings, vocabulary)
  return { document: adopted.document, op: adopted.names.get(op) ?? op }
}

/** The outlet that something new is put behind; null in an empty network. */
export function startOf(bench: Workbench): Pending | null {
  const item = onlyOne(bench)
  if (item !== null) {
    const outlet = item.outlets[0]
    if (outlet !== undefined) return { source: item.path, outlet }
    const [before] = roadsOf(bench.scene).into.get(item.path) ?? []
    return before === undefined ? null : { source: before.source, outlet: before.outlet }
  }
  return endOf(bench)
}

/** What the first head reads; else the last node; else the first input. */
function endOf({ store, scene }: Workbench): Pending | null {
  const { document } = store.getState()
  const [head] = document.heads
  const wired = head === undefined ? [] : (roadsOf(scene).into.get(`heads.${head[0]}`) ?? [])
  const [wire] = head === undefined || headOutlets(head[1]).length !== 1 ? [] : wired
  if (wire !== undefined) return { source: wire.source, outlet: wire.outlet }
  const last = [...document.nodes.keys()].at(-1)
  const [input] = document.inputs.keys()
  const item = scene.byPath.get(last ?? `@${input}`)
  const outlet = item?.outlets[0]
  return item === undefined || outlet === undefined ? null : { source: item.path, outlet }
}
