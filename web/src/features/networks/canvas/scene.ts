/** What stands on the canvas: things with sizes, and the wires between them. It knows nothing of drawing. */
import type { Vocabulary } from '@neuroloom/contract/network/canonical'
import type { Block, Document, Node } from '@neuroloom/contract/network/document'
import { portsOf, type Slot, slotsOf, spellOut } from '@neuroloom/contract/network/edit-slots'
import { headOutlets } from '@neuroloom/contract/network/heads'
import type { Layout } from '@neuroloom/contract/network/layout-file'
import { baseOf } from '@neuroloom/contract/network/order'
import type { TensorType } from '@neuroloom/contract/network/plan'
import { describeType } from '@neuroloom/contract/network/rules'
import { card, cardSize, frameSize, headSize, pillSize, type Size } from './geometry.ts'
import { detour, type Places, Placing, type Point, routeOf } from './placing.ts'

/** `port` and `outlet` are the inputs and outputs of an opened block, `frame` is such a block itself. */
type ItemKind = 'layer' | 'block' | 'frame' | 'input' | 'port' | 'outlet' | 'head'

export interface Item extends Size {
  path: string
  /** Path of the frame around it, '' at the top. */
  parent: string
  /** What edits call it: a node's id, an input's name, `heads.main`, `outputs.out`. */
  id: string
  kind: ItemKind
  node: Node | null
  slots: readonly Slot[]
  /** Names of outputs; '' is the only one. */
  outlets: readonly string[]
  isReadOnly: boolean
  /** Upper left corner, inside the frame around it. */
  x: number
  y: number
}

export interface Wire {
  id: string
  source: string
  outlet: string
  target: string
  slot: number
  isReadOnly: boolean
  /** null: it waits for a mistake before it. */
  type: TensorType | null
  /** Corners inside the frame around it that it passes; empty for the straight way. */
  via: readonly Point[]
}

export interface Scene {
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
}

/** One editor's scenes: keeps found places, and every item and wire that is as it was stays the same object. */
export class SceneMaker {
  private readonly placing = new Placing()
  private items = new Map<string, Item>()
  private wires = new Map<string, Wire>()

  make(source: SceneSource): Scene {
    const drawing = new Drawing(source, this.placing)
    const { items } = drawing.graph(topOf(source))
    const kept = items.map((item) => keepItem(this.items.get(item.path), item))
    const wires = drawing.wires.map((wire) => keepWire(this.wires.get(wire.id), wire))
    this.items = new Map(kept.map((item) => [item.path, item]))
    this.wires = new Map(wires.map((wire) => [wire.id, wire]))
    return { items: kept, byPath: this.items, wires }
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
  private readonly source: SceneSource
  private readonly placing: Placing
  private readonly open: ReadonlySet<string>
  /** What things are higher by the pictures they show. */
  private readonly grown = new Map<string, number>()

  constructor(source: SceneSource, placing: Placing) {
    this.source = source
    this.placing = placing
    this.open = new Set(source.layout.open)
  }

  graph(view: View): { items: Item[]; size: Size } {
    const own: Item[] = []
    const inside = new Map<string, Item[]>()
    for (const port of view.ports) own.push(this.portItem(view, port))
    for (const [id, node] of view.nodes) {
      const { item, items } = this.nodeItem(view, id, node)
      own.push(item)
      inside.set(item.path, items)
    }
    for (const { id, slots } of view.ends) own.push(endItem(view, id, slots))
    const wires = own.flatMap((item) => this.wiresInto(view, item))
    const things = own.map((item) => ({ ...item, extra: this.grown.get(item.path) ?? 0 }))
    const arranged = this.placing.place(view.path, things, wires, this.source.layout)
    const isLaidOut = arranged.routes.size > 0
    const byPath = new Map(things.map((thing) => [thing.path, thing]))
    for (const wire of wires) {
      const via = isLaidOut ? routeOf(arranged, wire) : detour(byPath, arranged.places, wire)
      this.wires.push({ ...wire, via })
    }
    const items = own.flatMap((item) => [placed(item, arranged.places), ...(inside.get(item.path) ?? [])])
    return { items, size: arranged.size }
  }

  private portItem(view: View, port: string): Item {
    return {
      ...bare(view, `@${port}`, port),
      ...pillSize,
      kind: view.path === '' ? 'input' : 'port',
      outlets: [''],
    }
  }

  private nodeItem(view: View, id: string, node: Node): { item: Item; items: Item[] } {
    const { vocabulary, seen } = this.source
    const block = view.blocks.get(node.op) ?? vocabulary.std.get(node.op)
    const ports = portsOf(node.op, { blocks: new Map(view.blocks) }, vocabulary)
    const slots = slotsOf(node, ports)
    const isGrowing = ports.kind !== 'fixed' && slots.length < ports.most
    const item: Item = {
      ...bare(view, id, id),
      kind: block === undefined ? 'layer' : 'block',
      node,
      slots: isGrowing ? [...slots, { port: null, ref: null }] : slots,
      outlets: block?.outputs === undefined ? [''] : [...block.outputs.keys()],
    }
    const wide = Math.max(item.slots.length, item.outlets.length)
    if (block === undefined || !this.open.has(item.path)) {
      const hasMaps = seen?.has(item.path) ?? false
      if (hasMaps) this.grown.set(item.path, card.maps)
      return { item: { ...item, ...cardSize(wide, hasMaps) }, items: [] }
    }
    const inside = this.inside(view, item, block)
    const { items, size } = this.graph(inside)
    if (seen !== null) {
      const plain = new Drawing({ ...this.source, seen: null }, new Placing()).graph(inside)
      this.grown.set(item.path, size.height - plain.size.height)
    }
    return { item: { ...item, kind: 'frame', ...frameSize(size, wide) }, items }
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
    return slots.flatMap(({ ref }, slot) => {
      if (ref === null) return []
      const base = baseOf(ref)
      const isPort = view.ports.includes(base)
      if (!isPort && !view.nodes.has(base)) return []
      return {
        id: `${path}|${slot}`,
        source: pathIn(view.path, isPort ? `@${base}` : base),
        outlet: this.outletOf(view, ref),
        target: path,
        slot,
        isReadOnly: view.isReadOnly,
        type: this.typeOf(view, ref),
        via: [],
      }
    })
  }

  /** `h3` alone means the first output of `h3`. */
  private outletOf(view: View, ref: string): string {
    const base = baseOf(ref)
    if (ref !== base) return ref.slice(base.length + 1)
    const op = view.nodes.get(base)?.op ?? ''
    const block = view.blocks.get(op) ?? this.source.vocabulary.std.get(op)
    return block?.outputs?.keys().next().value ?? ''
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

function bare(view: View, name: string, id: string): Item {
  return {
    path: pathIn(view.path, name),
    parent: view.path,
    id,
    kind: 'layer',
    node: null,
    slots: [],
    outlets: [],
    isReadOnly: view.isReadOnly,
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
}

function endItem(view: View, id: string, slots: readonly Slot[]): Item {
  const isHead = view.path === ''
  return {
    ...bare(view, id, id),
    ...(isHead ? headSize(slots.length) : pillSize),
    kind: isHead ? 'head' : 'outlet',
    slots,
  }
}

function placed(item: Item, places: Places): Item {
  const [x, y] = places.get(item.path) ?? [0, 0]
  return { ...item, x, y }
}

/** The earlier object where both say the same; slots and names are made anew each time. */
function keepItem(before: Item | undefined, now: Item): Item {
  if (before === undefined || before.node !== now.node || before.kind !== now.kind) return now
  const isPlaced =
    before.x === now.x &&
    before.y === now.y &&
    before.width === now.width &&
    before.height === now.height &&
    before.isReadOnly === now.isReadOnly
  const isSame =
    isPlaced && isAlike(before.slots, now.slots, sameSlot) && isAlike(before.outlets, now.outlets, Object.is)
  return isSame ? before : now
}

function keepWire(before: Wire | undefined, now: Wire): Wire {
  if (before === undefined) return now
  const isSame =
    before.source === now.source &&
    before.outlet === now.outlet &&
    before.isReadOnly === now.isReadOnly &&
    sameType(before.type, now.type) &&
    isAlike(before.via, now.via, (a, b) => a[0] === b[0] && a[1] === b[1])
  return isSame ? before : now
}

const sameSlot = (a: Slot, b: Slot): boolean => a.ref === b.ref && a.port === b.port

/** Shapes are made anew when something before them changed. */
function sameType(a: TensorType | null, b: TensorType | null): boolean {
  if (a === b) return true
  return a !== null && b !== null && a.k === b.k && describeType(a) === describeType(b)
}

function isAlike<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  if (a === b) return true
  return a.length === b.length && a.every((one, k) => isSame(one, b[k] ?? one))
}
