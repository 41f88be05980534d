/** Where things stand: at saved places, else beside what they read, else laid out as a whole. */

import type { Layout } from '@neuroloom/contract/network/layout/file'
import { placeGraph, routeKey } from '@neuroloom/contract/network/layout/layout'
import { type Direction, frame, gap, type Point, type Size, snapped } from './geometry.ts'
import { isAlike } from './scene-memory.ts'

export type Places = ReadonlyMap<string, Point>

interface Thing extends Size {
  path: string
  /** What it is higher than when its place was saved: pictures that it shows for the moment. */
  extra?: number
}
interface Link {
  source: string
  target: string
}

/** `routes`: between which points a wire that skips rows passes, by `routeKey`; only where everything was laid out. */
interface Laid {
  places: Places
  routes: ReadonlyMap<string, readonly Point[]>
}
interface Arranged {
  places: Places
  size: Size
  /** The corners of a wire between its two ends. */
  wayOf: (link: Link) => readonly Point[]
}

interface Known {
  things: readonly Thing[]
  links: readonly Link[]
  pos: Layout['pos']
  direction: Direction
  /** As if nothing had a saved place; null where something has one. */
  laid: Laid | null
  arranged: Arranged
}

/** Remembers what it laid out: an edit that moves nothing costs nothing. */
export class Placing {
  private readonly known = new Map<string, Known>()

  /** Inside a frame everything is moved so that the first row stands below the frame's title. */
  place(
    graph: string,
    things: readonly Thing[],
    links: readonly Link[],
    { pos, direction }: Pick<Layout, 'pos'> & { direction: Direction },
  ): Arranged {
    const known = this.known.get(graph)
    const before =
      known !== undefined &&
      known.direction === direction &&
      isAlike(known.things, things, isSameThing) &&
      isAlike(known.links, links, isSameLink)
        ? known
        : null
    if (before?.pos === pos) return before.arranged
    const saved = savedOf(things, pos)
    const laid = saved.size === 0 ? (before?.laid ?? layOut(things, links, direction)) : null
    const beside = () =>
      turnedPlaces(
        withSaved(things.map(turnedIf(direction)), links, turnedPlaces(saved, direction)),
        direction,
      )
    const placed = laid ?? { places: stretched(things, beside()), routes: new Map() }
    const arranged = arrange(graph, things, placed, direction)
    this.known.set(graph, { things, links, pos, direction, laid, arranged })
    return arranged
  }
}

function isSameThing(a: Thing, b: Thing): boolean {
  if (a === b) return true
  return a.path === b.path && a.width === b.width && a.height === b.height && a.extra === b.extra
}

const isSameLink = (a: Link, b: Link): boolean => a === b || (a.source === b.source && a.target === b.target)

function savedOf(things: readonly Thing[], pos: Layout['pos']): Map<string, Point> {
  const saved = new Map<string, Point>()
  for (const { path } of things) {
    const place = pos[path]
    if (place !== undefined) saved.set(path, place)
  }
  return saved
}

function arrange(graph: string, things: readonly Thing[], laid: Laid, direction: Direction): Arranged {
  const { places, routes, size } =
    graph === '' ? { ...laid, size: { width: 0, height: 0 } } : intoFrame(things, laid)
  const isLaidOut = routes.size > 0
  const boxes = boxesOf(things.map(turnedIf(direction)), turnedPlaces(places, direction))
  const detours = new Map<string, readonly Point[]>()
  const wayOf = (link: Link): readonly Point[] => {
    const key = routeKey(link.source, link.target)
    if (isLaidOut) return routes.get(key) ?? straight
    const way = detours.get(key) ?? detour(boxes, link).map(turnedPoint(direction))
    detours.set(key, way)
    return way
  }
  return { places, size, wayOf }
}

const straight: readonly Point[] = []

function layOut(things: readonly Thing[], links: readonly Link[], direction: Direction): Laid {
  const { places, routes } = placeGraph(
    {
      nodes: things.map(({ path, width, height }) => ({ id: path, width, height })),
      edges: links.map(({ source, target }) => ({ from: source, to: target })),
    },
    direction,
  )
  return { places, routes }
}

/** What is found for a flow from top to bottom is found for one to the right with both axes swapped. */
export function turned<T extends Size>(thing: T): T {
  return { ...thing, width: thing.height, height: thing.width }
}
const turnedIf =
  (direction: Direction) =>
  <T extends Size>(thing: T): T =>
    direction === 'right' ? turned(thing) : thing
const turnedPoint =
  (direction: Direction) =>
  ([x, y]: Point): Point =>
    direction === 'right' ? [y, x] : [x, y]
function turnedPlaces(places: Places, direction: Direction): Places {
  if (direction === 'down') return places
  return new Map([...places].map(([path, [x, y]]) => [path, [y, x]]))
}

interface Box extends Size {
  x: number
  y: number
}

function boxesOf(things: readonly Thing[], places: Places): ReadonlyMap<string, Box> {
  const boxes = new Map<string, Box>()
  for (const { path, width, height } of things) {
    const place = places.get(path)
    if (place !== undefined) boxes.set(path, { x: place[0], y: place[1], width, height })
  }
  return boxes
}

/** Beside whatever stands between two things that are placed by hand; straight when nothing does. */
function detour(boxes: ReadonlyMap<string, Box>, { source, target }: Link): readonly Point[] {
  const [from, to] = [boxes.get(source), boxes.get(target)]
  if (from === undefined || to === undefined || to.y - (from.y + from.height) < detourFrom) return straight
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x + from.width, to.x + to.width)]
  const above = from.y + from.height
  let [top, bottom, outer] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { x, y, width, height } of boxes.values()) {
    if (y < above || y + height > to.y || x >= right || x + width <= left) continue
    top = Math.min(top, y)
    bottom = Math.max(bottom, y + height)
    outer = Math.max(outer, x + width)
  }
  if (top > bottom) return straight
  // The longer, the farther out: ways inside each other do not lie on each other.
  const x = outer + gap.x / 2 + Math.min(160, (bottom - top) / 8)
  return [
    [x, top],
    [x, bottom],
  ]
}
const detourFrom = 90

/** Every row makes room for what grew in the rows above it. */
function stretched(things: readonly Thing[], places: Places): Places {
  const grown = things.flatMap(({ path, height, extra = 0 }) => {
    const top = places.get(path)?.[1]
    return extra === 0 || top === undefined ? [] : [{ top, bottom: top + height - extra, extra }]
  })
  if (grown.length === 0) return places
  const rows: typeof grown = []
  for (const one of grown.sort((a, b) => a.top - b.top)) {
    if (one.top >= (rows.at(-1)?.bottom ?? Number.NEGATIVE_INFINITY)) rows.push(one)
  }
  const more = (y: number) => rows.reduce((sum, { bottom, extra }) => sum + (bottom <= y ? extra : 0), 0)
  return new Map([...places].map(([path, [x, y]]) => [path, [x, y + more(y)]]))
}

function withSaved(things: readonly Thing[], links: readonly Link[], saved: Places): Places {
  if (saved.size === things.length) return saved
  const byPath = new Map(things.map((thing) => [thing.path, thing]))
  const sources = new Map<string, string[]>()
  for (const { source, target } of links) sources.set(target, [...(sources.get(target) ?? []), source])
  const places = new Map(saved)
  for (const thing of things) {
    if (places.has(thing.path)) continue
    const before = (sources.get(thing.path) ?? []).flatMap((path) => {
      const [place, size] = [places.get(path), byPath.get(path)]
      return place === undefined || size === undefined ? [] : [{ ...size, place }]
    })
    places.set(thing.path, freePlace(thing, startFor(before, places), places, byPath))
  }
  return places
}

/** Below what it reads; without that, beside everything. */
function startFor(before: readonly (Thing & { place: Point })[], places: Places): Point {
  const [first] = before
  if (first !== undefined) {
    return [first.place[0], Math.max(...before.map(({ place, height }) => place[1] + height)) + gap.y]
  }
  const all = [...places.values()]
  if (all.length === 0) return [0, 0]
  return [Math.min(...all.map(([x]) => x)), Math.min(...all.map(([, y]) => y))]
}

/** The nearest room to the right of `start`. */
export function freePlace(
  size: Size,
  start: Point,
  places: Places,
  things: ReadonlyMap<string, Size>,
): Point {
  let [x, y] = start
  for (let isFree = false; !isFree; ) {
    isFree = true
    for (const [path, [left, top]] of places) {
      const other = things.get(path)
      if (other === undefined) continue
      const apartX = x >= left + other.width + gap.x / 2 || left >= x + size.width + gap.x / 2
      const apartY = y >= top + other.height + gap.y / 4 || top >= y + size.height + gap.y / 4
      if (apartX || apartY) continue
      x = left + other.width + gap.x
      isFree = false
    }
  }
  return [snapped(x), snapped(y)]
}

function intoFrame(things: readonly Thing[], { places, routes }: Laid): Laid & { size: Size } {
  const boxes = things.flatMap(({ path, width, height }) => {
    const place = places.get(path)
    return place === undefined ? [] : [{ x: place[0], y: place[1], width, height }]
  })
  const points = [...routes.values()].flat()
  const lefts = [...boxes.map(({ x }) => x), ...points.map(([x]) => x)]
  const rights = [...boxes.map(({ x, width }) => x + width), ...points.map(([x]) => x)]
  if (lefts.length === 0) return { places, routes, size: { width: 0, height: 0 } }
  const [left, top] = [Math.min(...lefts), Math.min(...boxes.map(({ y }) => y))]
  const width = Math.max(...rights) - left
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - top
  const moved = ([x, y]: Point): Point => [x - left + frame.side, y - top + frame.head]
  return {
    places: new Map([...places].map(([path, place]) => [path, moved(place)])),
    routes: new Map([...routes].map(([key, via]) => [key, via.map(moved)])),
    size: { width, height },
  }
}
