/** What may be connected with what: no loops, and only kinds of data that the target can take. Sizes are told later, in words. */
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Block } from '@neuroloom/contract/network/document/document'
import { portsOf, slotsOf, spellOut } from '@neuroloom/contract/network/edit/slots'
import type { TensorType } from '@neuroloom/contract/network/resolve/plan'
import { canvasPath } from '../editor/paths.ts'
import type { Pending } from '../editor/screen.ts'
import type { EditorState } from '../editor/store.ts'
import type { Scene } from './scene.ts'
import type { Item } from './things.ts'
import { roadsOf } from './walk.ts'

export type Kind = TensorType['k']
const every: readonly Kind[] = ['map', 'vec', 'seq']

type Known = { vocabulary: Vocabulary; blocks: ReadonlyMap<string, Block> }

/** Whether a layer or block can begin with such data. Nothing is known while the data wait. */
export function opFits(op: string, type: TensorType | null, known: Known): boolean {
  if (type === null) return true
  const ranks = known.vocabulary.catalogue.get(op)?.ranks
  if (type.k === 'map' && ranks !== undefined && !ranks.includes(type.s.length)) return false
  return kindsAt(op, 0, known).includes(type.k)
}

/** Keys `path|slot` of all ports that the outlet may lead to. */
export function fitsFrom(
  scene: Scene,
  state: Pick<EditorState, 'document' | 'vocabulary' | 'resolved'>,
  pending: Pending,
): Set<string> {
  const source = scene.byPath.get(pending.source)
  const fits = new Set<string>()
  if (source === undefined) return fits
  const known = { vocabulary: state.vocabulary, blocks: state.document.blocks }
  const type = typeFrom(scene, pending, state.resolved)
  const before = everythingBefore(scene, source)
  for (const item of scene.items) {
    if (item.parent !== source.parent || item.isReadOnly || before.has(item.path)) continue
    item.slots.forEach((_, slot) => {
      if (slotFits(scene, { item, slot }, type, { ...known, document: state.document })) {
        fits.add(`${item.path}|${slot}`)
      }
    })
  }
  return fits
}

/** What leaves an outlet; null while it waits. */
export function typeFrom(
  scene: Scene,
  { source, outlet }: Pending,
  { types }: Pick<EditorState['resolved'], 'types'>,
): TensorType | null {
  const wires = roadsOf(scene).outOf.get(source) ?? []
  const wire = wires.find((one) => one.outlet === outlet)
  if (wire !== undefined) return wire.type
  // Nobody reads it yet. Inside opened blocks the plan counts copies, which the canvas does not.
  const wanted = outlet === '' ? source : `${source}.${outlet}`
  const found = types.get(wanted) ?? [...types].find(([path]) => canvasPath(path) === wanted)?.[1]
  return found ?? null
}

interface Place {
  item: Item
  slot: number
}

function slotFits(
  scene: Scene,
  { item, slot }: Place,
  type: TensorType | null,
  known: Known & Pick<EditorState, 'document'>,
): boolean {
  if (item.kind === 'outlet') return true
  if (item.kind === 'head') return headFits(item, type, known)
  if (item.node === null) return false
  if (type === null) return true
  if (!kindsAt(item.node.op, slot, known).includes(type.k)) return false
  const { ranks, in: ports } = known.vocabulary.catalogue.get(item.node.op) ?? {}
  if (type.k === 'map' && ranks !== undefined && !ranks.includes(type.s.length)) return false
  return ports?.[0]?.many === undefined || agreesWithOthers(scene, { item, slot }, type)
}

/** Results that are pictures, or are read off the places of one. */
const fromMaps: ReadonlySet<string> = new Set(['segmentation', 'detection', 'super-resolution', 'denoising'])

function headFits(
  { id }: Item,
  type: TensorType | null,
  { document }: Pick<EditorState, 'document'>,
): boolean {
  const task = document.heads.get(id.slice('heads.'.length))?.task
  if (type === null) return true
  if (task === 'classification') return type.k === 'vec'
  return task === undefined || !fromMaps.has(task) || type.k === 'map'
}

/** What is added or joined has to be of one kind. */
function agreesWithOthers(scene: Scene, { item, slot }: Place, type: TensorType): boolean {
  const others = (roadsOf(scene).into.get(item.path) ?? []).filter((wire) => wire.slot !== slot)
  return others.every(({ type: other }) => {
    if (other === null) return true
    if (other.k !== type.k) return false
    return other.k !== 'map' || type.k !== 'map' || other.s.length === type.s.length
  })
}

/** Kinds that a port takes; that of a block takes what all its readers inside take. */
function kindsAt(op: string, slot: number, known: Known, depth = 0): readonly Kind[] {
  const block = known.blocks.get(op) ?? known.vocabulary.std.get(op)
  if (block !== undefined) return depth > 16 ? every : kindsInside(block, block.inputs[slot], known, depth)
  const ports = known.vocabulary.catalogue.get(op)?.in
  const port = ports?.[0]?.many === undefined ? ports?.[slot] : ports[0]
  return port === undefined ? every : every.filter((kind) => port.kinds.split('|').includes(kind))
}

function kindsInside(block: Block, port: string | undefined, known: Known, depth: number): readonly Kind[] {
  const isLocal = [...known.blocks.values()].includes(block)
  const inside = isLocal ? known : { ...known, blocks: new Map<string, Block>() }
  let kinds = every
  for (const node of spellOut(block.nodes, block.inputs).values()) {
    const ports = portsOf(node.op, { blocks: new Map(inside.blocks) }, known.vocabulary)
    slotsOf(node, ports).forEach(({ ref }, slot) => {
      if (ref !== port) return
      const taken = kindsAt(node.op, slot, inside, depth + 1)
      kinds = kinds.filter((kind) => taken.includes(kind))
    })
  }
  return kinds
}

/** The node itself and all it depends on, by wires and by shared weights. */
function everythingBefore(scene: Scene, source: Item): Set<string> {
  const { into } = roadsOf(scene)
  const found = new Set<string>()
  const pending = [source.path]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (found.has(path)) continue
    found.add(path)
    for (const wire of into.get(path) ?? []) pending.push(wire.source)
  }
  return found
}
