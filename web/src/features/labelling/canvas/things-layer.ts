/** Draws the things of a plane into a picture of its own, a little each frame when there are thousands; until it is ready the last one is shown in its place. */
import { ringsOf } from '@neuroloom/contract/labelling/corners'
import type { Shape, Thing } from '@neuroloom/contract/labelling/things'
import type { Plane } from './plane.ts'
import { boundsOf, isClosed } from './shapes.ts'
import { ThingGrid } from './thing-grid.ts'
import { type Area, clipped, isEmpty, type Rect, rectOnScreen, toImage, toScreen, type View } from './view.ts'

export type ThingStyle = { colour: string; joins: readonly (readonly [number, number])[] }
type Seen = { plane: Plane; view: View; area: Area }
type Picture = { context: CanvasRenderingContext2D; seen: Seen }

/** Of each frame. */
const BUDGET_MS = 8
/** Things drawn between two looks at the clock. */
const BATCH = 25

export class ThingsLayer {
  readonly context: CanvasRenderingContext2D
  grid = new ThingGrid({ width: 1, height: 1 })
  readonly #styleOf: (thing: Thing) => ThingStyle | null
  /** Not drawn here: somebody moves them. */
  #hidden: ReadonlySet<string> = new Set()
  #ready: Picture | null = null
  #next: (Picture & { left: Thing[] }) | null = null

  constructor(context: CanvasRenderingContext2D, styleOf: (thing: Thing) => ThingStyle | null) {
    this.context = context
    this.#styleOf = styleOf
  }

  get isBuilding(): boolean {
    return this.#next !== null
  }

  setAll(things: Iterable<Thing>, plane: Plane): void {
    this.grid = new ThingGrid(plane)
    for (const thing of things) this.grid.add(thing)
    this.#spare = this.#ready?.context ?? this.#spare
    this.#ready = null
    this.#drop()
  }

  /** One thing came, went or changed: its part of the picture is drawn anew. */
  replace(before: Thing | null, after: Thing | null, ratio: number): void {
    if (before) this.grid.remove(before)
    if (after) this.grid.add(after)
    for (const thing of [before, after]) if (thing) this.#mend(thing, ratio)
  }

  hide(things: readonly Thing[], ratio: number): void {
    const ids = new Set(things.map(({ id }) => id))
    const before = this.#hidden
    this.#hidden = ids
    for (const thing of this.grid.all)
      if (ids.has(thing.id) !== before.has(thing.id)) this.#mend(thing, ratio)
  }

  /** False: more of it is drawn in the next frame. */
  draw(seen: Seen & { isMoving: boolean }, ratio: number): boolean {
    if (this.grid.isEmpty) return this.#clear(seen.area)
    if (!this.#next || !isSame(this.#next.seen, seen)) {
      this.#drop()
      if (this.#ready && isSame(this.#ready.seen, seen)) {
        this.#show(this.#ready, seen)
        return true
      }
      // What is drawn for a view that the next frame leaves would be drawn for nobody.
      if (this.#ready && seen.isMoving) {
        this.#show(this.#ready, seen)
        return false
      }
      this.#next = { context: this.#blank(seen.area), seen, left: this.grid.within(shownOf(seen)) }
    }
    const next = this.#next
    const end = performance.now() + BUDGET_MS
    while (next.left.length > 0 && performance.now() < end) {
      for (const thing of next.left.splice(-BATCH))
        if (!this.#hidden.has(thing.id)) this.#drawOne(next.context, thing, { ...seen, ratio })
      // Browsers only note what is to be drawn; asked for a pixel they draw it, and the time is known.
      next.context.getImageData(0, 0, 1, 1)
    }
    const isDone = next.left.length === 0
    if (isDone) {
      this.#spare = this.#ready?.context ?? null
      this.#ready = { context: next.context, seen: next.seen }
      this.#next = null
    }
    if (this.#ready) this.#show(this.#ready, seen)
    else this.#show(next, seen)
    return isDone
  }

  #spare: CanvasRenderingContext2D | null = null

  /** Most slices have no things: then nothing is handed to the screen anew. */
  #clear({ width, height }: Area): true {
    this.#drop()
    this.#ready = null
    if (this.#isShown) this.context.clearRect(0, 0, width, height)
    this.#isShown = false
    return true
  }

  /** Something may be on the layer. */
  #isShown = false

  /** Gives up what is not finished; its canvas is used again. */
  #drop(): void {
    this.#spare ??= this.#next?.context ?? null
    this.#next = null
  }

  #blank({ width, height }: Area): CanvasRenderingContext2D {
    const spare = this.#spare
    this.#spare = null
    if (spare && spare.canvas.width === width && spare.canvas.height === height) {
      spare.clearRect(0, 0, width, height)
      return spare
    }
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', {
      willReadFrequently: true,
    })
    if (!context) throw new Error('no drawing here')
    return context
  }

  /** A picture of another part or size is moved to where it would lie. */
  #show({ context: { canvas }, seen: was }: Picture, now: Seen): void {
    this.context.clearRect(0, 0, now.area.width, now.area.height)
    this.#isShown = true
    if (isSame(was, now)) {
      this.context.drawImage(canvas, 0, 0)
      return
    }
    if (was.plane.axis !== now.plane.axis || was.plane.slice !== now.plane.slice) return
    const by = now.view.scale / was.view.scale
    const x = (was.view.x - now.view.x) * now.view.scale
    const y = (was.view.y - now.view.y) * now.view.scale * now.plane.aspect
    // For a moment only, and in software five times as quick.
    this.context.imageSmoothingEnabled = false
    this.context.drawImage(canvas, x, y, canvas.width * by, canvas.height * by)
  }

  #mend(thing: Thing, ratio: number): void {
    this.#drop()
    const ready = this.#ready
    if (!ready) return
    const { plane, view, area } = ready.seen
    const edge = WIDTH * ratio + DOT * ratio
    const { left, top, right, bottom } = rectOnScreen(view, plane, boundsOf(thing.shape))
    const rect = clipped(
      {
        left: Math.floor(left - edge),
        top: Math.floor(top - edge),
        right: Math.ceil(right + edge),
        bottom: Math.ceil(bottom + edge),
      },
      area,
    )
    if (isEmpty(rect)) return
    const { context } = ready
    context.save()
    context.beginPath()
    context.rect(rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top)
    context.clip()
    context.clearRect(rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top)
    for (const other of this.grid.within(imageRect(ready.seen, rect)))
      if (!this.#hidden.has(other.id)) this.#drawOne(context, other, { ...ready.seen, ratio })
    context.restore()
  }

  #drawOne(context: CanvasRenderingContext2D, thing: Thing, seen: Seen & { ratio: number }): void {
    const style = this.#styleOf(thing)
    if (style) drawShape(context, thing.shape, { ...seen, ...style })
  }
}

const WIDTH = 2
const DOT = 5
const FILL = 0.16

type Drawn = Seen & ThingStyle & { ratio: number; isStrong?: boolean }

export function drawShape(context: CanvasRenderingContext2D, shape: Shape, drawn: Drawn): void {
  const { colour, ratio, isStrong = false } = drawn
  context.strokeStyle = colour
  context.fillStyle = colour
  context.lineWidth = (isStrong ? WIDTH * 1.5 : WIDTH) * ratio
  context.lineJoin = 'round'
  if (shape.kind === 'points') drawPoints(context, shape, drawn)
  else drawRings(context, shape, drawn)
}

/** Not a thing yet. */
export function drawDashed(context: CanvasRenderingContext2D, shape: Shape, drawn: Drawn): void {
  context.setLineDash([6 * drawn.ratio, 4 * drawn.ratio])
  drawShape(context, shape, drawn)
  context.setLineDash([])
}

function drawRings(context: CanvasRenderingContext2D, shape: Shape, drawn: Drawn): void {
  const { plane, view, isStrong = false } = drawn
  context.beginPath()
  for (const ring of ringsOf(shape)) {
    for (let at = 0; at + 1 < ring.length; at += 2) {
      const { x, y } = toScreen(view, plane, { x: ring[at] ?? 0, y: ring[at + 1] ?? 0 })
      if (at === 0) context.moveTo(x, y)
      else context.lineTo(x, y)
    }
    if (isClosed(shape)) context.closePath()
  }
  if (isClosed(shape)) {
    context.globalAlpha = isStrong ? FILL * 1.5 : FILL
    context.fill('evenodd')
    context.globalAlpha = 1
  }
  context.stroke()
}

/** Joins first, points on top; hidden ones are hollow, those that are not there are left out. */
function drawPoints(
  context: CanvasRenderingContext2D,
  { points, seen }: Extract<Shape, { kind: 'points' }>,
  { plane, view, joins, ratio }: Drawn,
): void {
  const at = (index: number) =>
    toScreen(view, plane, { x: points[index * 2] ?? 0, y: points[index * 2 + 1] ?? 0 })
  const isThere = (index: number) => (seen[index] ?? 0) > 0
  context.beginPath()
  for (const [from, to] of joins) {
    if (!isThere(from) || !isThere(to)) continue
    const [one, other] = [at(from), at(to)]
    context.moveTo(one.x, one.y)
    context.lineTo(other.x, other.y)
  }
  context.stroke()
  for (let index = 0; index < seen.length; index++) {
    if (!isThere(index)) continue
    const { x, y } = at(index)
    context.beginPath()
    context.arc(x, y, DOT * ratio, 0, 2 * Math.PI)
    if (seen[index] === 2) context.fill()
    context.stroke()
  }
}

function isSame(one: Seen, other: Seen): boolean {
  const { plane, view, area } = other
  return (
    one.view.x === view.x &&
    one.view.y === view.y &&
    one.view.scale === view.scale &&
    one.area.width === area.width &&
    one.area.height === area.height &&
    one.plane.axis === plane.axis &&
    one.plane.slice === plane.slice
  )
}

function imageRect({ plane, view }: Seen, { left, top, right, bottom }: Rect): Rect {
  const one = toImage(view, plane, { x: left, y: top })
  const other = toImage(view, plane, { x: right, y: bottom })
  return {
    left: Math.min(one.x, other.x),
    top: Math.min(one.y, other.y),
    right: Math.max(one.x, other.x),
    bottom: Math.max(one.y, other.y),
  }
}

const shownOf = (seen: Seen): Rect =>
  imageRect(seen, { left: 0, top: 0, right: seen.area.width, bottom: seen.area.height })
