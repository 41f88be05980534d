/** The scene as React Flow wants it. What looks as before stays the same object, so that only changes are drawn. */

import { describeType } from '@neuroloom/contract/network/resolve/rules'
import { type Edge, type Node as FlowNode, type NodeHandle, Position } from '@xyflow/react'
import type { EditorState } from '../editor/store.ts'
import type { Facts, FactsOf } from './facts.ts'
import type { Point } from './geometry.ts'
import { type Direction, portAt } from './geometry.ts'
import type { Scene } from './scene.ts'
import { isAlike } from './scene-memory.ts'
import type { Item, Wire } from './things.ts'

type CardData = { item: Item; facts: Facts }
export type CardNode = FlowNode<CardData, 'card' | 'frame' | 'pill'>
/** `size`: of the picture, to which `hint` belongs. `corner`: where its port is inside the frame, to which `wire.via` belongs. */
type WireData = {
  wire: Wire
  direction: Direction
  label: string
  hint: string
  size: string
  corner: Point
  isNear: boolean
}
export type WireEdge = Edge<WireData, 'wire'>

export const inHandle = (slot: number): string => `in${slot}`
export const outHandle = (outlet: string): string => `out.${outlet}`
export const slotOf = (handle: string): number => Number(handle.slice(2))
export const outletOf = (handle: string): string => handle.slice(4)

const kinds = {
  layer: 'card',
  block: 'card',
  head: 'card',
  frame: 'frame',
  input: 'pill',
  port: 'pill',
  outlet: 'pill',
} as const

/** Remembers what it gave last. */
export class FlowMaker {
  private nodes = new Remembered<CardNode>()
  private edges = new Remembered<WireEdge>()
  private drawn: Drawn = { wires: [], selection: new Set(), size: '' }

  nodesOf({ items }: Scene, factsOf: FactsOf, selection: ReadonlySet<string>): CardNode[] {
    return this.nodes.keep(items.map((item) => this.nodeOf(item, factsOf(item), selection.has(item.path))))
  }

  edgesOf(
    { wires, byPath, direction }: Scene,
    resolved: EditorState['resolved'],
    selection: ReadonlySet<string>,
  ): WireEdge[] {
    const picture = [...resolved.types].find(([path]) => path.startsWith('@'))?.[1]
    const sizes = picture?.k === 'map' ? picture.s : []
    const size = sizes.join()
    const { drawn } = this
    this.drawn = { wires, selection, size }
    const cornerFor = (wire: Wire) =>
      wire.via.length === 0 ? noCorner : cornerOf(byPath.get(wire.target), wire.slot)
    if (drawn.wires === wires && drawn.selection === selection && drawn.size === size) {
      const isStill = ({ data }: WireEdge) => data === undefined || isAt(data.corner, cornerFor(data.wire))
      if (this.edges.list.every(isStill)) return this.edges.list
    }
    const edges = wires.map((wire) => {
      const before = this.edges.get(wire.id)
      const data = before?.data
      const isNear = selection.has(wire.source) || selection.has(wire.target)
      const isSame =
        data?.wire === wire && data.direction === direction && data.size === size && data.isNear === isNear
      const corner = cornerFor(wire)
      if (before !== undefined && isSame && isAt(data.corner, corner)) return before
      const texts = { hint: hintOf(wire, sizes), label: labelOf(wire) }
      return { ...edgeOf(wire), data: { wire, direction, size, corner, isNear, ...texts } }
    })
    return this.edges.keep(edges)
  }

  private nodeOf(item: Item, facts: Facts, selected: boolean): CardNode {
    const before = this.nodes.get(item.path)
    if (before?.data.item === item && before.data.facts === facts && before.selected === selected)
      return before
    return {
      id: item.path,
      type: kinds[item.kind],
      position: { x: item.x, y: item.y },
      width: item.width,
      height: item.height,
      measured: { width: item.width, height: item.height },
      handles: before?.data.item === item && before.handles ? before.handles : handlesOf(item),
      data: { item, facts },
      selected,
      draggable: !item.isReadOnly,
      connectable: !item.isReadOnly,
      ...(item.parent === '' ? {} : { parentId: item.parent }),
      ...(item.kind === 'frame' ? { dragHandle: '[data-grip]' } : {}),
    }
  }
}

/** What the edges follow from, beside their corners. */
interface Drawn {
  wires: Scene['wires']
  selection: ReadonlySet<string>
  size: string
}

/** The last list by id; the same list again where everything in it is as it was, because a new one costs the drawing library a lot. */
class Remembered<T extends { id: string }> {
  list: T[] = []
  private byId = new Map<string, T>()

  get(id: string): T | undefined {
    return this.byId.get(id)
  }

  keep(now: T[]): T[] {
    if (isAlike(this.list, now)) return this.list
    this.list = now
    this.byId = new Map(now.map((one) => [one.id, one]))
    return now
  }
}

function handlesOf(item: Item): NodeHandle[] {
  const one = { width: 1, height: 1 }
  const { inlet, outlet } = sides[item.direction]
  const targets = item.slots.map((_, index): NodeHandle => {
    const [x, y] = portAt('in', { index, count: item.slots.length }, item)
    return { ...one, id: inHandle(index), type: 'target', position: inlet, x: x - 0.5, y: y - 0.5 }
  })
  const sources = item.outlets.map((name, index): NodeHandle => {
    const [x, y] = portAt('out', { index, count: item.outlets.length }, item)
    return { ...one, id: outHandle(name), type: 'source', position: outlet, x: x - 0.5, y: y - 0.5 }
  })
  return [...targets, ...sources]
}

/** At which sides of a card data come in and leave. */
export const sides = {
  down: { inlet: Position.Top, outlet: Position.Bottom },
  right: { inlet: Position.Left, outlet: Position.Right },
} as const

function edgeOf(wire: Wire): WireEdge {
  return {
    id: wire.id,
    type: 'wire',
    source: wire.source,
    target: wire.target,
    sourceHandle: outHandle(wire.outlet),
    targetHandle: inHandle(wire.slot),
    // Else the drawing library says it in English.
    ariaLabel: `${wire.source} → ${wire.target.replace(/^(heads|outputs)\./, '')}`,
    selectable: false,
    focusable: false,
  }
}

const labelOf = ({ type }: Wire): string => (type === null ? '' : describeType(type))

const noCorner: Point = [0, 0]
const cornerOf = (item: Item | undefined, slot: number): Point =>
  item === undefined ? noCorner : shifted(portAt('in', { index: slot, count: item.slots.length }, item), item)
const shifted = ([x, y]: Point, corner: Item): Point => [corner.x + x, corner.y + y]
const isAt = (a: Point | undefined, b: Point): boolean => a?.[0] === b[0] && a[1] === b[1]

/** `64×H/4×W/4` where the picture shrinks or grows by whole numbers, else ''. */
function hintOf({ type }: Wire, sizes: readonly number[]): string {
  if (type === null || type.k !== 'map' || type.s.length !== sizes.length || sizes.length > 3) return ''
  const names = { 1: ['L'], 2: ['H', 'W'], 3: ['D', 'H', 'W'] }[sizes.length] ?? []
  const axes = type.s.map((size, k) => ratio(names[k] ?? '', sizes[k] ?? 0, size))
  return axes.includes('') ? '' : [type.c, ...axes].join('×')
}

function ratio(name: string, before: number, now: number): string {
  if (now === before) return name
  if (now > 0 && before % now === 0) return `${name}/${before / now}`
  return before > 0 && now % before === 0 ? `${now / before}${name}` : ''
}
