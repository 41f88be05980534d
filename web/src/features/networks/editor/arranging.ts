/** Changes of the layout that go with an edit: names, room, opened blocks. Pure. */
import type { Layout } from '@neuroloom/contract/network/layout/file'
import type { Point } from '../canvas/geometry.ts'
import { gap, type Size, snapped } from '../canvas/geometry.ts'
import { freePlace, turned } from '../canvas/placing.ts'
import type { Scene } from '../canvas/scene.ts'
import type { Item } from '../canvas/things.ts'

/** Whether somebody moved something in this graph; otherwise the canvas lays it out by itself. */
function isArranged({ pos }: Layout, scene: Scene, parent: string): boolean {
  return scene.items.some((item) => item.parent === parent && pos[item.path] !== undefined)
}

/** Everything of a graph keeps the place where it is seen now. */
export function pinned(layout: Layout, scene: Scene, parent: string): Layout {
  const pos = { ...layout.pos }
  for (const { path, parent: around, x, y } of scene.items) if (around === parent) pos[path] = [x, y]
  return { ...layout, pos, direction: scene.direction }
}

/** By hand: what was moved stays where it is when everything is laid out neatly. */
export function moved(layout: Layout, scene: Scene, places: ReadonlyMap<string, Point>): Layout {
  const parents = new Set([...places.keys()].map((path) => scene.byPath.get(path)?.parent ?? ''))
  let next = layout
  for (const parent of parents) next = pinned(next, scene, parent)
  const pos = { ...next.pos }
  for (const [path, [x, y]] of places) pos[path] = [bounded(x), bounded(y)]
  return { ...next, pos, held: [...new Set([...(layout.held ?? []), ...places.keys()])] }
}

/** They are laid out with everything else again. */
export function released(layout: Layout, paths: ReadonlySet<string>): Layout {
  return { ...layout, held: (layout.held ?? []).filter((path) => !paths.has(path)) }
}

/** `from` and everything inside it is called otherwise. */
export function renamed({ pos, open, ...rest }: Layout, from: string, to: string): Layout {
  const follow = (path: string) =>
    path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path
  const entries = Object.entries(pos).map(([path, place]) => [follow(path), place])
  const held = rest.held === undefined ? {} : { held: rest.held.map(follow) }
  return { ...rest, ...held, pos: Object.fromEntries(entries), open: open.map(follow) }
}

/** Nothing of this graph has a place of its own any more. */
export function unpinned(layout: Layout, scene: Scene, parent: string): Layout {
  const pos = { ...layout.pos }
  for (const item of scene.items) if (item.parent === parent) delete pos[item.path]
  return { ...layout, pos }
}

/**
 * Everything of this graph anew, around what was moved by hand: that stays where it is seen, and the rest comes to stand
 * to it as if nothing had been moved. `neat`: the scene as it is laid out by itself.
 */
export function neat(layout: Layout, scene: Scene, laid: Scene, parent: string): Layout {
  const inside = scene.items.filter((item) => item.parent === parent)
  const held = new Set(layout.held)
  const [kept, others] = [
    inside.filter(({ path }) => held.has(path)),
    inside.filter(({ path }) => !held.has(path)),
  ]
  if (kept.length === 0) return unpinned(layout, scene, parent)
  const away = kept.flatMap(({ path, x, y }) => {
    const own = laid.byPath.get(path)
    return own === undefined ? [] : [[x - own.x, y - own.y] as const]
  })
  const middle = (axis: 0 | 1) => away.map((by) => by[axis]).sort((a, b) => a - b)[away.length >> 1] ?? 0
  const places = new Map(kept.map(({ path, x, y }): [string, Point] => [path, [x, y]]))
  const sizes = new Map(inside.map((item) => [item.path, item]))
  for (const item of others) {
    const { x, y } = laid.byPath.get(item.path) ?? item
    places.set(item.path, freePlace(item, [x + middle(0), y + middle(1)], places, sizes))
  }
  const pos = { ...layout.pos }
  for (const [path, [x, y]] of places) pos[path] = [bounded(x), bounded(y)]
  return { ...layout, pos, direction: scene.direction }
}

/** Data flow another way: everything is laid out anew. */
export function towards(layout: Layout, direction: Scene['direction']): Layout {
  return { ...layout, direction, pos: {}, held: [] }
}

export function opened(layout: Layout, path: string): Layout {
  return layout.open.includes(path) ? layout : { ...layout, open: [...layout.open, path] }
}

export function folded(layout: Layout, path: string): Layout {
  return { ...layout, open: layout.open.filter((one) => one !== path) }
}

/** A place for a new thing behind `source`: what stands below makes room when it comes between, else it stands beside. */
export function withNew(layout: Layout, scene: Scene, thing: NewThing): Layout {
  if (scene.direction === 'down') return withNewBelow(layout, scene, thing)
  // To the right is below with both axes swapped.
  const { source, size } = thing
  const turnedThing = { ...thing, size: turned(size), source: source && turnedItem(source) }
  const items = scene.items.map(turnedItem)
  const after = withNewBelow(turnedLayout(layout), { ...scene, items }, turnedThing)
  return turnedLayout(after)
}

const turnedItem = (item: Item): Item => ({ ...turned(item), x: item.y, y: item.x })

function turnedLayout(layout: Layout): Layout {
  const entries = Object.entries(layout.pos).map(([path, [x, y]]) => [path, [y, x]])
  return { ...layout, pos: Object.fromEntries(entries) }
}

function withNewBelow(
  layout: Layout,
  scene: Scene,
  { path, parent, size, source, isBetween }: NewThing,
): Layout {
  if (!isArranged(layout, scene, parent)) return layout
  const next = pinned(layout, scene, parent)
  const others = scene.items.filter((item) => item.parent === parent)
  if (source === null) return withPlace(next, path, freeFor(size, corner(others), others))
  const below = source.y + source.height + gap.y
  const x = source.x + (source.width - size.width) / 2
  if (!isBetween) return withPlace(next, path, freeFor(size, [x, below], others))
  const under = others.filter((item) => item.path !== source.path && item.y >= source.y + source.height - 1)
  const top = Math.min(...under.map(({ y }) => y))
  const missing = below + size.height + gap.y - top
  const pushed = missing > 0 ? shifted(next, under, [0, missing]) : next
  // Beside a long way something may stand there that does not give way.
  const placed = others.map((item) => ({
    ...item,
    y: item.y + (under.includes(item) ? Math.max(0, missing) : 0),
  }))
  return withPlace(pushed, path, freeFor(size, [x, below], placed))
}

/** At a place that somebody pointed at, or the next free one beside it. */
export function withDropped(
  layout: Layout,
  scene: Scene,
  { path, parent, size, at: [x, y] }: Pick<NewThing, 'path' | 'parent' | 'size'> & { at: Point },
): Layout {
  const others = scene.items.filter((item) => item.parent === parent)
  return withPlace(pinned(layout, scene, parent), path, freeFor(size, [x - size.width / 2, y], others))
}

interface NewThing {
  path: string
  parent: string
  size: Size
  source: Item | null
  isBetween: boolean
}

/** After something grew or shrank: what stands below and to the right of it follows, in every graph around. */
export function givingWay(layout: Layout, before: Scene, after: Scene, path: string): Layout {
  let next = layout
  for (let at = path; at !== ''; at = before.byPath.get(at)?.parent ?? '') {
    const [was, is] = [before.byPath.get(at), after.byPath.get(at)]
    if (was === undefined || is === undefined) break
    const by: Point = [is.width - was.width, is.height - was.height]
    if (!isArranged(layout, before, was.parent)) continue
    const others = before.items.filter((item) => item.parent === was.parent && item.path !== at)
    const under = others.filter(({ y }) => y >= was.y + was.height)
    const beside = others.filter(
      (item) => item.x >= was.x + was.width && item.y < was.y + was.height && item.y + item.height > was.y,
    )
    next = shifted(shifted(pinned(next, before, was.parent), under, [0, by[1]]), beside, [by[0], 0])
  }
  return next
}

export function withPlace(layout: Layout, path: string, [x, y]: Point): Layout {
  return { ...layout, pos: { ...layout.pos, [path]: [bounded(snapped(x)), bounded(snapped(y))] } }
}

function shifted(layout: Layout, items: readonly Item[], [x, y]: Point): Layout {
  const pos = { ...layout.pos }
  for (const { path } of items) {
    const place = pos[path]
    if (place !== undefined) pos[path] = [bounded(place[0] + x), bounded(place[1] + y)]
  }
  return { ...layout, pos }
}

function freeFor(size: Size, start: Point, others: readonly Item[]): Point {
  const places = new Map(others.map(({ path, x, y }): [string, Point] => [path, [x, y]]))
  return freePlace(size, start, places, new Map(others.map((item) => [item.path, item])))
}

function corner(items: readonly Item[]): Point {
  if (items.length === 0) return [0, 0]
  return [Math.min(...items.map(({ x }) => x)), Math.max(...items.map(({ y, height }) => y + height)) + gap.y]
}

/** The layout file refuses what is farther away. */
const bounded = (value: number): number => Math.max(-1e6, Math.min(1e6, Math.round(value)))
