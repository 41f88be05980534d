/** What stands on the canvas: things with sizes, and the wires between them. It knows nothing of drawing. */
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Block, Document, Node } from '@neuroloom/contract/network/document/document'
import { portsOf, type Slot, slotsOf, spellOut } from '@neuroloom/contract/network/edit/slots'
import type { Layout } from '@neuroloom/contract/network/layout/file'
import { headOutlets } from '@neuroloom/contract/network/resolve/heads'
import { baseOf } from '@neuroloom/contract/network/resolve/order'
import type { TensorType } from '@neuroloom/contract/network/resolve/plan'
import {
  card,
  cardSize,
  type Direction,
  frameSize,
  headSize,
  type Point,
  pillSize,
  type Size,
} from './geometry.ts'
import { Placing } from './placing.ts'
import {
  type Card,
  isSameLook,
  keepItem,
  keepList,
  keepWay,
  keepWire,
  type Look,
  noWay,
  SceneMemory,
} from './scene-memory.ts'
import type { Item, Wire } from './things.ts'

export interface Scene {
  direction: Direction
  /** Frames stand before what is in them. */
  items: readonly Item[]
  byPath: ReadonlyMap<string, Item>
  wires: readonly Wire[]
}

interface SceneSource {
  document: Document
  vocabulary: Vocabulary
  layout: Layout
  types: ReadonlyMap<string, TensorType>
  /** Paths of cards that show pictures. */
  seen: ReadonlyMap<string, unknown> | null
  direction?: Direction
}

/** One editor's scenes: keeps found places, and every item and wire that is as it was stays the same object. */
export class SceneMaker {
  private readonly placing = new Placing()
  private memory = new SceneMemory()
  private last: Scene = { direction: 'down', items: [], byPath: new Map(), wires: [] }

  make(source: SceneSource): Scene {
    const { direction = 'down' } = source
    if (direction !== this.last.direction) {
      this.memory = new SceneMemory()
      this.last = { direction, items: [], byPath: new Map(), wires: [] }
    }
    const { last } = this
    const drawing = new Drawing(source, this.placing, this.memory)
    const items = keepList(last.items, drawing.graph(topOf(source)).items)
    const wires = keepList(last.wires, drawing.wires)
    const byPath = items === last.items ? last.byPath : drawing.memory.items
    this.memory = drawing.memory
    if (items !== last.items || wires !== last.wires) this.last = { direction, items, byPath, wires }
    return this.last
  }
}

/** One graph as it is to be drawn: the document, or what is in an opened block. */
interface View {
  path: string
  nodes: ReadonlyMap<string, Node>
  ports: readonly string[]
  /** Outputs of the block; heads of the document. */
  ends: readonly { id: string; slots: readonly Slot[] }[]
  isReadOnly: boolean
  /** Local blocks that its nodes may use. */
  blocks: ReadonlyMap<string, Block>
  /** Of the plan, for types. */
  prefix: string
  portTypes: ReadonlyMap<string, TensorType | null>
}

function topOf({ document, types }: SceneSource): View {
  const ports = [...document.inputs.keys()]
  const ends = [...document.heads].map(([name, head]) => {
    const outlets = headOutlets(head).map(({ outlet, ref }): Slot => ({ port: outlet || null, ref }))
    return { id: `heads.${name}`, slots: outlets.length === 0 ? [{ port: null, ref: null }] : outlets }
  })
  return {
    path: '',
    nodes: spellOut(document.nodes, ports),
    ports,
    ends,
    isReadOnly: false,
    blocks: document.blocks,
    prefix: '',
    portTypes: new Map(ports.map((port) => [port, types.get(`@${port}`) ?? null])),
  }
}

class Drawing {
  readonly wires: Wire[] = []
  readonly memory = new SceneMemory()
  private readonly source: SceneSource
  private readonly placing: Placing
  private readonly before: SceneMemory
  private readonly open: ReadonlySet<string>
  private readonly direction: Direction
  /** What things are higher by the pictures they show. */
  private readonly grown = new Map<string, number>()

  constructor(source: SceneSource, placing: Placing, before: SceneMemory) {
    this.source = source
    this.placing = placing
    this.before = before
    this.open = new Set(source.layout.open)
    this.direction = source.direction ?? 'down'
  }

  graph(view: View): { items: Item[]; size: Size } {
    const own: Item[] = []
    const inside = new Map<string, Item[]>()
    for (const port of view.ports) own.push(this.portItem(view, port))
    for (const [id, node] of view.nodes) {
      const { item, items } = this.nodeItem(view, id, node)
      own.push(item)
      if (items.length > 0) inside.set(item.path, items)
    }
    for (const { id, slots } of view.ends) own.push(this.endItem(view, id, slots))
    const links = own.flatMap((item) => this.wiresInto(view, item))
    const { places, size, wayOf } = this.placing.place(view.path, this.things(own), links, {
      pos: this.source.layout.pos,
      direction: this.direction,
    })
    // Ways belong to an arrangement: of what was drawn in the same one before, they are known.
    const isStill = this.before.ways.get(view.path) === wayOf
    this.memory.ways.set(view.path, wayOf)
    for (const link of links) this.addWire(isStill && link.via !== noWay ? link : keepWay(link, wayOf(link)))
    const items: Item[] = []
    for (const item of own) {
      items.push(this.placed(item, places.get(item.path) ?? [0, 0]), ...(inside.get(item.path) ?? []))
    }
    return { items, size }
  }

  private things(items: readonly Item[]) {
    const { grown } = this
    return grown.size === 0 ? items : items.map((item) => ({ ...item, extra: grown.get(item.path) ?? 0 }))
  }

  private addWire(wire: Wire): void {
    this.wires.push(wire)
    const others = this.memory.wires.get(wire.target)
    if (others === undefined) this.memory.wires.set(wire.target, [wire])
    else others.push(wire)
  }

  private placed(item: Item, place: Point): Item {
    const kept = keepItem(this.before.items.get(item.path), item, place)
    this.memory.items.set(item.path, kept)
    return kept
  }

  private portItem(view: View, port: string): Item {
    return {
      ...this.bare(view, `@${port}`, port),
      ...pillSize,
      kind: view.path === '' ? 'input' : 'port',
      outlets: [''],
    }
  }

  private nodeItem(view: View, id: string, node: Node): { item: Item; items: Item[] } {
    const { vocabulary, seen } = this.source
    const path = pathIn(view.path, id)
    const block = view.blocks.get(node.op) ?? vocabulary.std.get(node.op)
    if (block !== undefined && this.open.has(path))
      return this.frameItem(view, this.bareNode(view, id, node), block)
    const look = { node, block, isReadOnly: view.isReadOnly, hasMaps: seen?.has(path) ?? false }
    if (look.hasMaps) this.grown.set(path, card.maps)
    const before = this.before.cards.get(path)
    const drawn = before !== undefined && isSameLook(before, look) ? before : this.card(view, id, look)
    this.memory.cards.set(path, drawn)
    return { item: drawn.item, items: [] }
  }

  private card(view: View, id: string, look: Look): Card {
    const item = this.bareNode(view, id, look.node)
    return { ...look, item: { ...item, ...cardSize(portCount(item), look.hasMaps, this.direction) } }
  }

  /** Without its size. */
  private bareNode(view: View, id: string, node: Node): Item {
    const { vocabulary } = this.source
    const block = view.blocks.get(node.op) ?? vocabulary.std.get(node.op)
    const ports = portsOf(node.op, view, vocabulary)
    const slots = slotsOf(node, ports)
    const isGrowing = ports.kind !== 'fixed' && slots.length < ports.most
    return {
      ...this.bare(view, id, id),
      kind: block === undefined ? 'layer' : 'block',
      node,
      slots: isGrowing ? [...slots, { port: null, ref: null }] : slots,
      outlets: block?.outputs === undefined ? [''] : [...block.outputs.keys()],
    }
  }

  private frameItem(view: View, item: Item, block: Block): { item: Item; items: Item[] } {
    const inside = this.inside(view, item, block)
    const { items, size } = this.graph(inside)
    if (this.source.seen !== null) {
      const plain = new Drawing({ ...this.source, seen: null }, new Placing(), new SceneMemory()).graph(
        inside,
      )
      this.grown.set(item.path, size.height - plain.size.height)
    }
    return { item: { ...item, kind: 'frame', ...frameSize(size, portCount(item), this.direction) }, items }
  }

  private inside(view: View, { path, id, node, slots }: Item, block: Block): View {
    const isLocal = node !== null && view.blocks.get(node.op) === block
    const silent = [...block.nodes.keys()].at(-1) ?? null
    const outputs: readonly [string, string | null][] = block.outputs ? [...block.outputs] : [['out', silent]]
    return {
      path,
      nodes: spellOut(block.nodes, block.inputs),
      ports: block.inputs,
      ends: outputs.map(([port, ref]) => ({ id: `outputs.${port}`, slots: [{ port: null, ref }] })),
      isReadOnly: view.isReadOnly || !isLocal,
      blocks: isLocal ? view.blocks : new Map(),
      prefix: `${view.prefix}${id}${node?.repeat === undefined ? '' : '/0'}/`,
      portTypes: new Map(block.inputs.map((port, k) => [port, this.typeOf(view, slots[k]?.ref ?? null)])),
    }
  }

  private wiresInto(view: View, { path, slots }: Item): Wire[] {
    const before = this.before.wires.get(path) ?? []
    const wires: Wire[] = []
    slots.forEach(({ ref }, slot) => {
      if (ref === null) return
      const base = baseOf(ref)
      const isPort = view.ports.includes(base)
      if (!isPort && !view.nodes.has(base)) return
      const wire = keepWire(before[wires.length], {
        source: pathIn(view.path, isPort ? `@${base}` : base),
        outlet: this.outletOf(view, ref),
        target: path,
        slot,
        isReadOnly: view.isReadOnly,
        type: this.typeOf(view, ref),
      })
      wires.push(wire)
    })
    return wires
  }

  /** `h3` alone means the first output of `h3`. */
  private outletOf(view: View, ref: string): string {
    const base = baseOf(ref)
    if (ref !== base) return ref.slice(base.length + 1)
    const op = view.nodes.get(base)?.op ?? ''
    const block = view.blocks.get(op) ?? this.source.vocabulary.std.get(op)
    return block?.outputs?.keys().next().value ?? ''
  }

  private bare(view: View, name: string, id: string): Item {
    return {
      path: pathIn(view.path, name),
      parent: view.path,
      id,
      kind: 'layer',
      node: null,
      slots: [],
      outlets: [],
      isReadOnly: view.isReadOnly,
      direction: this.direction,
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
  }

  private endItem(view: View, id: string, slots: readonly Slot[]): Item {
    const isHead = view.path === ''
    return {
      ...this.bare(view, id, id),
      ...(isHead ? headSize(slots.length, this.direction) : pillSize),
      kind: isHead ? 'head' : 'outlet',
      slots,
    }
  }

  private typeOf(view: View, ref: string | null): TensorType | null {
    if (ref === null) return null
    const port = view.portTypes.get(ref)
    if (port !== undefined) return port
    const { types } = this.source
    return types.get(view.prefix + ref) ?? types.get(view.prefix + baseOf(ref)) ?? null
  }
}

export function pathIn(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`
}

/** Of the side that has more. */
const portCount = ({ slots, outlets }: Item): number => Math.max(slots.length, outlets.length)
