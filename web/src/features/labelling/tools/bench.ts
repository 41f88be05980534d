/** The editor at work without its panels: planes on the screen, the journal, and what is chosen. Tools and panels meet here. */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import { placeOfTile } from '@neuroloom/contract/labelling/pixels'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import type { Thing } from '@neuroloom/contract/labelling/things'
import type { StoreApi } from 'zustand/vanilla'
import { packed, rectOfTile } from '../canvas/paint-pixels.ts'
import { Pane } from '../canvas/pane.ts'
import { type Axis, type Body, fillSpan, type Plane, planeOf, voxelAt } from '../canvas/plane.ts'
import type { ThingGrid } from '../canvas/thing-grid.ts'
import type { ThingStyle } from '../canvas/things-layer.ts'
import { joined, type Rect } from '../canvas/view.ts'
import type { Change, Journal } from '../journal/journal.ts'
import type { Source } from '../source/source.ts'
import type { Desk } from './desk.ts'
import type { Press, ToolOf } from './press.ts'

type Options = {
  body: Body
  source: Source
  classes: readonly LabelClass[]
  desk: StoreApi<Desk>
  journal: Journal
  tools: () => ToolOf<Bench>
  /** On the uppermost layer of a plane. */
  drawAbove: (bench: Bench, context: CanvasRenderingContext2D, pane: Pane) => void
  isWritable: boolean
}

export class Bench {
  readonly body: Body
  readonly source: Source
  readonly desk: StoreApi<Desk>
  readonly journal: Journal
  readonly mayWrite: boolean
  classes: readonly LabelClass[]
  readonly panes: Pane[] = []
  /** Where the pointer or the keyboard's cursor is; null = nowhere on the image. */
  at: Press | null = null
  /** Drawn below what the tool shows, such as what a network proposes. */
  drawBelowTool: ((context: CanvasRenderingContext2D, pane: Pane) => void) | null = null
  readonly #tools: () => ToolOf<Bench>
  readonly #drawAbove: Options['drawAbove']
  readonly #colours = new Uint32Array(65_536)

  constructor({ body, source, classes, desk, journal, tools, isWritable, drawAbove }: Options) {
    this.body = body
    this.source = source
    this.classes = classes
    this.desk = desk
    this.journal = journal
    this.mayWrite = isWritable
    this.#tools = tools
    this.#drawAbove = drawAbove
    this.renewColours()
    source.onNews?.(() => this.renew('image'))
  }

  get tool(): ToolOf<Bench> {
    return this.#tools()
  }

  get isWritable(): boolean {
    return this.mayWrite && this.#earlier === null
  }

  /** Marks of another moment, looked at; nothing is drawn meanwhile. */
  #earlier: Marks | null = null

  get shown(): Marks {
    return this.#earlier ?? this.journal.marks
  }

  /** `seq`: the last step of that moment; null = back to now. */
  showEarlier(marks: Marks | null, seq: number | null): void {
    if (marks === this.#earlier) return
    this.tool.cancel?.(this)
    this.#earlier = marks
    this.desk.setState({ earlier: seq, selected: [], proposal: null, ...this.#undoing() })
    this.renewColours()
    this.renewAbove()
  }

  get class(): LabelClass | null {
    const { classId } = this.desk.getState()
    return this.classes.find(({ id }) => id === classId) ?? null
  }

  classOf(id: string): LabelClass | null {
    return this.classes.find((one) => one.id === id) ?? null
  }

  addPane(host: HTMLElement, axis: Axis): Pane {
    const pane: Pane = new Pane({
      host,
      plane: planeOf(this.body, axis, this.desk.getState().place[axis]),
      image: this.source,
      map: () => this.shown.pixels,
      look: { colours: this.#colours, styleOf: (thing) => this.styleOf(thing) },
      drawAbove: (context, shown) => this.#drawAbove(this, context, shown),
      onView: () => this.desk.setState({ views: this.desk.getState().views + 1 }),
    })
    this.panes.push(pane)
    this.#fill(pane)
    return pane
  }

  removePane(pane: Pane): void {
    pane.close()
    this.panes.splice(this.panes.indexOf(pane), 1)
  }

  /** Another slice, page or frame. */
  goTo(axis: Axis, slice: number): void {
    const { place } = this.desk.getState()
    const most = this.body.size[axis] - 1
    const next = Math.min(Math.max(Math.round(slice), 0), most)
    if (next === place[axis]) return
    const changed: [number, number, number] = [...place]
    changed[axis] = next
    this.desk.setState({ place: changed })
    for (const pane of this.panes) {
      if (pane.plane.axis === axis) {
        pane.setPlane(planeOf(this.body, axis, next))
        this.#fill(pane)
      } else pane.renew('above')
    }
  }

  /** All planes show this place. */
  lookAt({ pane, x, y }: Press): void {
    const voxel = voxelAt(pane.plane, Math.floor(x), Math.floor(y))
    this.goTo(0, voxel.x)
    this.goTo(1, voxel.y)
    this.goTo(2, voxel.z)
  }

  styleOf(thing: Thing): ThingStyle | null {
    const found = this.classOf(thing.class)
    if (!found || this.desk.getState().hidden.has(thing.class)) return null
    return { colour: found.colour, joins: found.skeleton?.joins ?? [] }
  }

  /** After classes, their visibility, the strength of colours or segments changed. */
  renewColours(): void {
    const { opacity, hidden } = this.desk.getState()
    const byClass = new Map(
      this.classes.map(({ id, colour }) => [id, hidden.has(id) ? 0 : packed(colour, opacity)]),
    )
    this.#colours.fill(0)
    for (const { number, class: id } of this.shown.segments.values())
      this.#colours[number] = byClass.get(id) ?? 0
    for (const pane of this.panes) this.#fill(pane)
    this.renew('pixels')
  }

  renew(...layers: Parameters<Pane['renew']>): void {
    for (const pane of this.panes) pane.renew(...layers)
  }

  renewAbove(): void {
    this.renew('above')
  }

  /** A row of the plane gets a segment, within a stroke of the journal. */
  fill(pane: Pane, row: { v: number; from: number; to: number; segment: number }): void {
    fillSpan(this.journal.marks.pixels, pane.plane, row, this.journal.keep)
  }

  fillOn(plane: Plane, row: { v: number; from: number; to: number; segment: number }): void {
    fillSpan(this.journal.marks.pixels, plane, row, this.journal.keep)
  }

  colourOf(segment: number): string {
    return (
      this.classOf(this.journal.marks.segments.get(segment)?.class ?? '')?.colour ??
      this.class?.colour ??
      'white'
    )
  }

  /** What was drawn on one plane is seen on it at once, and on the others with the next frame. */
  drawn(pane: Pane, rect: Rect): void {
    pane.renewPixels(rect)
    pane.paintNow()
    for (const other of this.panes) if (other !== pane) other.renew('pixels')
  }

  /** The number that a stroke of the class draws with; a new one where none fits. To be called within a stroke. */
  segmentFor(classId: string, touched: number): number {
    const { segments } = this.journal.marks
    const { isEach } = this.desk.getState()
    const under = segments.get(touched)
    if (isEach && under?.class === classId) return under.number
    const own = isEach ? undefined : [...segments.values()].find((segment) => segment.class === classId)
    if (own) return own.number
    const number = Math.max(0, ...segments.keys()) + 1
    this.journal.make({ do: 'segment', before: null, after: { number, class: classId, by: 'hand' } })
    this.renewColours()
    return number
  }

  /** The journal has changed something: by a tool, by undoing, or from another page. */
  changed({ tiles = [], things = [], isOther = false }: Change): void {
    const { marks } = this.journal
    if (tiles.length > 0) this.#renewTiles(tiles)
    if (isOther) this.renewColours()
    // What is looked at is another moment's; all is drawn anew when it ends.
    for (const pane of this.#earlier ? [] : this.panes) {
      for (const id of things) this.#replace(pane, id, marks.things.get(id) ?? null)
      if (things.length > 0) pane.renew('things', 'above')
    }
    const { selected } = this.desk.getState()
    const left = selected.filter((id) => marks.things.has(id))
    this.desk.setState(({ version }) => ({
      version: version + 1,
      ...(left.length < selected.length ? { selected: left } : {}),
      ...this.#undoing(),
    }))
  }

  #undoing(): Pick<Desk, 'canUndo' | 'canRedo'> {
    const isNow = this.#earlier === null
    return { canUndo: isNow && this.journal.canUndo, canRedo: isNow && this.journal.canRedo }
  }

  isOn({ place }: Thing, { plane }: Pane): boolean {
    return place.axis === plane.axis && place.slice === plane.slice
  }

  things(pane: Pane): ThingGrid {
    return pane.things.grid
  }

  select(ids: readonly string[]): void {
    this.desk.setState({ selected: ids })
    this.renewAbove()
  }

  #renewTiles(tiles: readonly number[]): void {
    for (const pane of this.panes) {
      let rect: Rect | null = null
      for (const tile of tiles) {
        const part = rectOfTile(placeOfTile(this.journal.marks.pixels, tile), pane.plane)
        if (part) rect = joined(rect, part)
      }
      if (rect) pane.renewPixels(rect)
    }
  }

  readonly #shown = new Map<Pane, Map<string, Thing>>()

  #fill(pane: Pane): void {
    const shown = new Map<string, Thing>()
    for (const thing of this.shown.things.values()) if (this.isOn(thing, pane)) shown.set(thing.id, thing)
    this.#shown.set(pane, shown)
    pane.things.setAll(shown.values(), pane.plane)
    pane.renew('things', 'above')
  }

  #replace(pane: Pane, id: string, after: Thing | null): void {
    const shown = this.#shown.get(pane)
    const before = shown?.get(id) ?? null
    const next = after && this.isOn(after, pane) ? after : null
    if (before === next) return
    if (next) shown?.set(id, next)
    else shown?.delete(id)
    pane.things.replace(before, next, pane.ratio)
  }
}
