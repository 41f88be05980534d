/** Puts what is chosen in one line, or at equal distances. By hand, so it stays there. */
import type { Point } from '../canvas/geometry.ts'
import type { Item } from '../canvas/things.ts'
import { moved, released } from './arranging.ts'
import { chosenIn } from './chosen.ts'
import { refuse, tell } from './tell.ts'
import type { Workbench } from './workbench.ts'

export type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom'
export type Axis = 'across' | 'down'

export function align(bench: Workbench, to: Alignment): void {
  arrange(bench, 2, (items) => aligned(items, to))
}

export function distribute(bench: Workbench, axis: Axis): void {
  arrange(bench, 3, (items) => distributed(items, axis))
}

/** What was moved by hand is laid out with everything else again. */
export function release(bench: Workbench): void {
  const { selection, layout, arrange: change } = bench.store.getState()
  const held = (layout.held ?? []).filter((path) => selection.has(path))
  if (held.length === 0) {
    refuse(bench, 'notHeld')
    return
  }
  change((before) => released(before, selection))
  tell(bench, 'released', { count: held.length })
}

/** The outermost one decides; in the middle all of them do. */
export function aligned(items: readonly Item[], to: Alignment): Map<string, Point> {
  const [left, top] = [Math.min(...items.map(({ x }) => x)), Math.min(...items.map(({ y }) => y))]
  const right = Math.max(...items.map(({ x, width }) => x + width))
  const bottom = Math.max(...items.map(({ y, height }) => y + height))
  const place = ({ x, y, width, height }: Item): Point => {
    switch (to) {
      case 'left':
        return [left, y]
      case 'centre':
        return [(left + right - width) / 2, y]
      case 'right':
        return [right - width, y]
      case 'top':
        return [x, top]
      case 'middle':
        return [x, (top + bottom - height) / 2]
      case 'bottom':
        return [x, bottom - height]
    }
  }
  return new Map(items.map((item) => [item.path, place(item)]))
}

/** The same room between neighbours; the first and the last stay. */
export function distributed(items: readonly Item[], axis: Axis): Map<string, Point> {
  const start = ({ x, y }: Item) => (axis === 'across' ? x : y)
  const length = ({ width, height }: Item) => (axis === 'across' ? width : height)
  const sorted = [...items].sort((a, b) => start(a) - start(b))
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return new Map()
  const whole = start(last) + length(last) - start(first)
  const gap = (whole - sorted.reduce((sum, item) => sum + length(item), 0)) / (sorted.length - 1)
  let at = start(first)
  return new Map(
    sorted.map((item): [string, Point] => {
      const place: Point = axis === 'across' ? [at, item.y] : [item.x, at]
      at += length(item) + gap
      return [item.path, place]
    }),
  )
}

function arrange(
  bench: Workbench,
  least: number,
  placesOf: (items: readonly Item[]) => Map<string, Point>,
): void {
  const [chosen, ...others] = chosenIn(bench)
  if (chosen === undefined || others.length > 0 || chosen.items.length < least) {
    refuse(bench, others.length > 0 ? 'group.graphs' : 'alignMore', { count: least })
    return
  }
  const places = placesOf(chosen.items)
  bench.store.getState().arrange((layout) => moved(layout, bench.scene, places))
  tell(bench, 'aligned', { count: chosen.items.length })
}
