/** Where the things of a plane lie, so that what is under the pointer is found among thousands at once. Pure. */
import type { Thing } from '@neuroloom/contract/labelling/things'
import { boundsOf, isHit } from './shapes.ts'
import type { Point, Rect } from './view.ts'

const ACROSS = 48
/** What covers more cells is looked at each time. */
const MOST_CELLS = 200

export class ThingGrid {
  readonly #side: number
  readonly #cells = new Map<number, Set<Thing>>()
  readonly #large = new Set<Thing>()
  readonly #bounds = new Map<Thing, Rect>()

  constructor({ width, height }: { width: number; height: number }) {
    this.#side = Math.max(1, Math.max(width, height) / ACROSS)
  }

  add(thing: Thing): void {
    const bounds = boundsOf(thing.shape)
    this.#bounds.set(thing, bounds)
    const cells = this.#cellsOf(bounds)
    if (!cells) return void this.#large.add(thing)
    for (const cell of cells) {
      const found = this.#cells.get(cell)
      if (found) found.add(thing)
      else this.#cells.set(cell, new Set([thing]))
    }
  }

  remove(thing: Thing): void {
    const bounds = this.#bounds.get(thing)
    if (!bounds) return
    this.#bounds.delete(thing)
    this.#large.delete(thing)
    for (const cell of this.#cellsOf(bounds) ?? []) this.#cells.get(cell)?.delete(thing)
  }

  within(rect: Rect): Thing[] {
    const cells = this.#cellsOf(rect)
    const found = cells ? new Set(this.#large) : new Set(this.#bounds.keys())
    for (const cell of cells ?? []) for (const thing of this.#cells.get(cell) ?? []) found.add(thing)
    return [...found].filter((thing) => {
      const bounds = this.#bounds.get(thing)
      return (
        bounds !== undefined &&
        bounds.left <= rect.right &&
        bounds.right >= rect.left &&
        bounds.top <= rect.bottom &&
        bounds.bottom >= rect.top
      )
    })
  }

  /** What lies under the point, the smallest first: it would be hidden by larger ones. */
  at(point: Point, reach: number): Thing[] {
    const { x, y } = point
    const near = this.within({ left: x - reach, right: x + reach, top: y - reach, bottom: y + reach })
    return near
      .filter(({ shape }) => isHit(shape, point, reach))
      .map((thing) => ({ thing, area: areaOf(this.#bounds.get(thing)) }))
      .sort((one, other) => one.area - other.area)
      .map(({ thing }) => thing)
  }

  get isEmpty(): boolean {
    return this.#bounds.size === 0
  }

  get all(): Iterable<Thing> {
    return this.#bounds.keys()
  }

  #cellsOf({ left, top, right, bottom }: Rect): number[] | null {
    const cell = (value: number) => Math.min(Math.max(Math.floor(value / this.#side), 0), ACROSS)
    const [x, y, lastX, lastY] = [cell(left), cell(top), cell(right), cell(bottom)]
    if ((lastX - x + 1) * (lastY - y + 1) > MOST_CELLS) return null
    const cells: number[] = []
    for (let row = y; row <= lastY; row++)
      for (let column = x; column <= lastX; column++) cells.push(row * (ACROSS + 1) + column)
    return cells
  }
}

const areaOf = (rect: Rect | undefined): number =>
  rect ? (rect.right - rect.left) * (rect.bottom - rect.top) : 0
