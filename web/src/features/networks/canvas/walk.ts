/** Ways from one thing on the canvas to the next, as the arrow keys go: along the wires, or to a neighbour. */

import type { Scene } from './scene.ts'
import type { Item, Wire } from './things.ts'

export type Direction = 'up' | 'down' | 'left' | 'right'

interface Roads {
  into: ReadonlyMap<string, readonly Wire[]>
  outOf: ReadonlyMap<string, readonly Wire[]>
  /** Upper left corners on the whole canvas. */
  corners: ReadonlyMap<string, readonly [number, number]>
}

const known = new WeakMap<Scene, Roads>()

export function roadsOf(scene: Scene): Roads {
  const before = known.get(scene)
  if (before !== undefined) return before
  const [into, outOf] = [new Map<string, Wire[]>(), new Map<string, Wire[]>()]
  for (const wire of scene.wires) {
    push(into, wire.target, wire)
    push(outOf, wire.source, wire)
  }
  const corners = new Map<string, readonly [number, number]>()
  for (const { path, parent, x, y } of scene.items) {
    const [left, top] = corners.get(parent) ?? [0, 0]
    corners.set(path, [left + x, top + y])
  }
  const roads = { into, outOf, corners }
  known.set(scene, roads)
  return roads
}

/** null: there is nothing in that direction. */
export function walk(scene: Scene, from: string, direction: Direction): string | null {
  const item = scene.byPath.get(from)
  if (item === undefined) return null
  switch (scene.direction === 'right' ? turned[direction] : direction) {
    case 'up':
      return above(scene, item)
    case 'down':
      return below(scene, item)
    case 'left':
      return beside(scene, item, -1)
    case 'right':
      return beside(scene, item, 1)
  }
}

/** What an arrow means where data flow to the right. */
const turned = { right: 'down', left: 'up', up: 'left', down: 'right' } as const

/** Where one begins: the first input, else whatever is first. */
export function firstOf({ items }: Scene): string | null {
  return (items.find(({ kind }) => kind === 'input') ?? items[0])?.path ?? null
}

/** From the first thing inside an opened block one steps onto the block itself. */
function above(scene: Scene, item: Item): string | null {
  const wire = roadsOf(scene)
    .into.get(item.path)
    ?.toSorted((a, b) => a.slot - b.slot)[0]
  if (wire !== undefined) return wire.source
  return item.parent === '' ? null : item.parent
}

/** Into an opened block, and out of it behind its outputs. */
function below(scene: Scene, item: Item): string | null {
  if (item.kind === 'frame') {
    const first = scene.items.find(({ parent }) => parent === item.path)
    if (first !== undefined) return first.path
  }
  const next = nearestReader(scene, item)
  if (next !== null || item.parent === '') return next
  const around = scene.byPath.get(item.parent)
  return around === undefined ? null : nearestReader(scene, around)
}

/** Straight on: of several readers the one that stands nearest. */
function nearestReader(scene: Scene, item: Item): string | null {
  const { outOf } = roadsOf(scene)
  const readers = (outOf.get(item.path) ?? []).flatMap(({ target }) => scene.byPath.get(target) ?? [])
  return nearest(scene, item, readers)
}

/** Among what reads or feeds the same; else whatever stands in the same row. */
function beside(scene: Scene, item: Item, side: 1 | -1): string | null {
  const axis = scene.direction === 'right' ? 1 : 0
  const across = axis === 0 ? 1 : 0
  const { into, outOf, corners } = roadsOf(scene)
  const relatives = [
    ...(into.get(item.path) ?? [])
      .flatMap(({ source }) => outOf.get(source) ?? [])
      .map(({ target }) => target),
    ...(outOf.get(item.path) ?? [])
      .flatMap(({ target }) => into.get(target) ?? [])
      .map(({ source }) => source),
  ]
  const length = ({ width, height }: Item) => (axis === 0 ? height : width)
  const own = corners.get(item.path) ?? [0, 0]
  const isThere = ({ path }: Item) => ((corners.get(path)?.[axis] ?? 0) - own[axis]) * side > 0
  const family = relatives.flatMap((path) => scene.byPath.get(path) ?? []).filter(isThere)
  if (family.length > 0) return nearest(scene, item, family)
  const row = scene.items.filter((other) => {
    const start = corners.get(other.path)?.[across] ?? 0
    const isLevel = start < own[across] + length(item) && start + length(other) > own[across]
    return other.parent === item.parent && isLevel && isThere(other)
  })
  return nearest(scene, item, row)
}

export function nearest(scene: Scene, from: Item, others: readonly Item[]): string | null {
  const [x, y] = centreOf(scene, from)
  let best: { path: string; far: number } | null = null
  for (const other of others) {
    if (other.path === from.path) continue
    const [ox, oy] = centreOf(scene, other)
    const far = Math.hypot(ox - x, oy - y)
    if (best === null || far < best.far) best = { path: other.path, far }
  }
  return best?.path ?? null
}

export function centreOf(scene: Scene, { path, width, height }: Item): [number, number] {
  const [x, y] = roadsOf(scene).corners.get(path) ?? [0, 0]
  return [x + width / 2, y + height / 2]
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
