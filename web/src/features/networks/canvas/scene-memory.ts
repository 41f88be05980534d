/** What was drawn last: whatever is as it was stays the same object, and is not worked out again. */
import type { Block, Node } from '@neuroloom/contract/network/document/document'
import type { Slot } from '@neuroloom/contract/network/edit/slots'
import type { TensorType } from '@neuroloom/contract/network/resolve/plan'
import { describeType } from '@neuroloom/contract/network/resolve/rules'
import type { Point } from './geometry.ts'
import type { Item, Wire } from './things.ts'

/** Everything that follows into the look of a folded card. */
export interface Look {
  node: Node
  block: Block | undefined
  isReadOnly: boolean
  hasMaps: boolean
}

/** One that has no place yet. */
export interface Card extends Look {
  item: Item
}

/** By path of a thing; of wires, that of their target. */
export class SceneMemory {
  readonly cards = new Map<string, Card>()
  readonly items = new Map<string, Item>()
  readonly wires = new Map<string, Wire[]>()
  /** By path of the graph: where its wires passed. */
  readonly ways = new Map<string, unknown>()
}

export function isSameLook(a: Look, b: Look): boolean {
  return a.node === b.node && a.block === b.block && a.isReadOnly === b.isReadOnly && a.hasMaps === b.hasMaps
}

/** The thing at its place. Slots and names may be made anew each time. */
export function keepItem(before: Item | undefined, now: Item, [x, y]: Point): Item {
  const isSame =
    before !== undefined &&
    before.x === x &&
    before.y === y &&
    before.node === now.node &&
    before.kind === now.kind &&
    before.direction === now.direction &&
    before.width === now.width &&
    before.height === now.height &&
    before.isReadOnly === now.isReadOnly &&
    isAlike(before.slots, now.slots, sameSlot) &&
    isAlike(before.outlets, now.outlets)
  return isSame ? before : { ...now, x, y }
}

export function keepWire(before: Wire | undefined, now: Omit<Wire, 'id' | 'via'>): Wire {
  const isSame =
    before !== undefined &&
    before.slot === now.slot &&
    before.source === now.source &&
    before.outlet === now.outlet &&
    before.isReadOnly === now.isReadOnly &&
    isSameType(before.type, now.type)
  return isSame ? before : { id: `${now.target}|${now.slot}`, ...now, via: noWay }
}

/** It is not known yet. */
export const noWay: readonly Point[] = []

export function keepWay(wire: Wire, via: readonly Point[]): Wire {
  const isKnown = wire.via !== noWay
  const isSame = isKnown && isAlike(wire.via, via, (a, b) => a[0] === b[0] && a[1] === b[1])
  return isSame ? wire : { ...wire, via }
}

/** The earlier list where all in it is as it was. */
export function keepList<T>(before: readonly T[], now: readonly T[]): readonly T[] {
  return isAlike(before, now) ? before : now
}

const sameSlot = (a: Slot, b: Slot): boolean => a.ref === b.ref && a.port === b.port

/** Shapes are made anew when something before them changed. */
function isSameType(a: TensorType | null, b: TensorType | null): boolean {
  if (a === b) return true
  return a !== null && b !== null && a.k === b.k && describeType(a) === describeType(b)
}

export function isAlike<T>(
  a: readonly T[],
  b: readonly T[],
  isSame: (a: T, b: T) => boolean = Object.is,
): boolean {
  if (a === b) return true
  return a.length === b.length && a.every((one, k) => isSame(one, b[k] ?? one))
}
