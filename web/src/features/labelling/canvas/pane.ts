/** One plane on the screen: image, marked pixels, outlines and what the tool shows, each on a canvas of the window's size. Knows no tool and no journal. */
import type { PixelMap } from '@neuroloom/contract/labelling/pixels'
import type { Thing } from '@neuroloom/contract/labelling/things'
import { paintPixels } from './paint-pixels.ts'
import styles from './pane.module.css'
import type { Plane } from './plane.ts'
import { type ThingStyle, ThingsLayer } from './things-layer.ts'
import { type Area, clipped, fitted, isEmpty, joined, type Rect, rectOnScreen, type View } from './view.ts'

/** `isMoving`: the view changes from frame to frame, so that quick counts more than smooth. */
export type SeenPane = { plane: Plane; view: View; area: Area; isMoving: boolean }

/** What lies below the marks. */
export type ImageSource = {
  draw: (context: CanvasRenderingContext2D, seen: SeenPane) => void
  close: () => void
}

export type Look = {
  /** By segment. */
  colours: Uint32Array
  styleOf: (thing: Thing) => ThingStyle | null
}

type Options = {
  host: HTMLElement
  plane: Plane
  image: ImageSource
  map: () => PixelMap
  look: Look
  /** What the tool shows, in device pixels, drawn anew with every move. */
  drawAbove: (context: CanvasRenderingContext2D, pane: Pane) => void
  /** The plane, its part or its size on the screen is another one. */
  onView: (pane: Pane) => void
}

/** Without a movement for so long the image is drawn as finely as can be. */
const REST_MS = 120

type Layer = 'image' | 'pixels' | 'things' | 'above'

export class Pane {
  readonly host: HTMLElement
  plane: Plane
  view: View
  area: Area = { width: 1, height: 1 }
  /** Device pixels a CSS pixel. */
  ratio = 1
  readonly things: ThingsLayer
  readonly #options: Options
  readonly #image: CanvasRenderingContext2D
  readonly #pixels: CanvasRenderingContext2D
  readonly #above: CanvasRenderingContext2D
  #screen = new ImageData(1, 1)
  #old: ReadonlySet<Layer> = new Set()
  #dirty: Rect | null = null
  #frame = 0
  #movedAt = Number.NEGATIVE_INFINITY
  #rest: ReturnType<typeof setTimeout> | undefined
  /** Nothing is on the layer of the pixels. */
  #isBlank = true
  #isFitted = true
  readonly #watch: ResizeObserver

  constructor(options: Options) {
    this.#options = options
    this.host = options.host
    this.plane = options.plane
    this.view = fitted(options.plane, this.area)
    this.#image = this.#layer(false)
    this.#pixels = this.#layer()
    this.things = new ThingsLayer(this.#layer(), options.look.styleOf)
    this.#above = this.#layer()
    this.#watch = new ResizeObserver(() => this.#measure())
    this.#watch.observe(this.host)
    this.#measure()
  }

  close(): void {
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#rest)
    this.#watch.disconnect()
    this.host.replaceChildren()
  }

  setView(view: View): void {
    this.view = view
    this.#isFitted = false
    this.#movedAt = performance.now()
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.renew('image', 'things'), REST_MS)
    this.#options.onView(this)
    this.renew('image', 'pixels', 'things', 'above')
  }

  fit(): void {
    this.setView(fitted(this.plane, this.area))
    this.#isFitted = true
  }

  setPlane(plane: Plane): void {
    this.plane = plane
    this.#options.onView(this)
    this.renew('image', 'pixels', 'things', 'above')
  }

  /** Drawn in the next frame. */
  renew(...layers: Layer[]): void {
    this.#old = new Set([...this.#old, ...layers])
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw())
  }

  /** Marked pixels of this part of the plane are others now: painted in the next frame. */
  renewPixels(rect: Rect): void {
    this.#dirty = joined(this.#dirty, rectOnScreen(this.view, this.plane, rect))
    this.renew()
  }

  /** Paints at once what was said to be dirty: the pointer that drew it must not wait. */
  paintNow(): void {
    if (this.#old.has('pixels')) return
    const dirty = this.#dirty && clipped(this.#dirty, this.area)
    this.#dirty = null
    if (dirty && !isEmpty(dirty)) this.#paint(dirty)
  }

  #draw(): void {
    this.#frame = 0
    const old = this.#old
    this.#old = new Set()
    const isMoving = performance.now() - this.#movedAt < REST_MS
    const seen = { plane: this.plane, view: this.view, area: this.area, isMoving }
    if (old.has('image')) this.#options.image.draw(this.#image, seen)
    if (old.has('pixels')) {
      this.#dirty = null
      this.#paint({ left: 0, top: 0, right: this.area.width, bottom: this.area.height })
    } else this.paintNow()
    if (old.has('things') || this.things.isBuilding) {
      const isDone = this.things.draw(seen, this.ratio)
      // In motion the rest that follows renews it.
      if (!isDone && !isMoving) this.renew('things')
    }
    if (old.has('above')) {
      this.#above.clearRect(0, 0, this.area.width, this.area.height)
      this.#options.drawAbove(this.#above, this)
    }
  }

  #paint(rect: Rect): void {
    const { look } = this.#options
    const map = this.#options.map()
    if (map.tiles.size === 0) {
      // To clear a layer is cheap, to hand its 5 MB to the screen once more is not.
      if (!this.#isBlank) this.#pixels.clearRect(0, 0, this.area.width, this.area.height)
      this.#isBlank = true
      return
    }
    this.#isBlank = false
    const out = new Uint32Array(this.#screen.data.buffer)
    const { plane, view } = this
    paintPixels({ map, plane, view, rect, colours: look.colours, out, width: this.area.width })
    const { left, top, right, bottom } = rect
    this.#pixels.putImageData(this.#screen, 0, 0, left, top, right - left, bottom - top)
  }

  #layer(hasOpacity = true): CanvasRenderingContext2D {
    const canvas = document.createElement('canvas')
    canvas.className = styles.layer ?? ''
    canvas.setAttribute('aria-hidden', 'true')
    this.host.append(canvas)
    const context = canvas.getContext('2d', { alpha: hasOpacity })
    if (!context) throw new Error('no drawing here')
    return context
  }

  #measure(): void {
    const { width, height } = this.host.getBoundingClientRect()
    this.ratio = window.devicePixelRatio || 1
    const area = {
      width: Math.max(1, Math.round(width * this.ratio)),
      height: Math.max(1, Math.round(height * this.ratio)),
    }
    if (area.width === this.area.width && area.height === this.area.height) return
    const before = this.area
    this.area = area
    for (const { canvas } of [this.#image, this.#pixels, this.#above, this.things.context])
      Object.assign(canvas, area)
    this.#screen = new ImageData(area.width, area.height)
    this.#isBlank = true
    if (this.#isFitted) this.view = fitted(this.plane, area)
    else
      this.view = {
        ...this.view,
        x: this.view.x + (before.width - area.width) / 2 / this.view.scale,
        y: this.view.y + (before.height - area.height) / 2 / (this.view.scale * this.plane.aspect),
      }
    this.#options.onView(this)
    this.renew('image', 'pixels', 'things', 'above')
  }
}
