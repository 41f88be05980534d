/** The marks of a reading as they are now, and the journal that leads there: strokes are made, taken back and brought again. Knows no screen. */
import type { KeptStep } from '@neuroloom/contract/labelling/labelling'
import { doDeed, undoDeed } from '@neuroloom/contract/labelling/marks'
import type { Tile } from '@neuroloom/contract/labelling/pixels'
import type { Deed, Marks, Step } from '@neuroloom/contract/labelling/steps'
import { labelling as limits } from '@neuroloom/contract/limits'
import { newId } from './ids.ts'
import { Recordings } from './recording.ts'

export type Stroke = { id: string; tool: string; steps: Step[] }

/** What a change touched: which tiles must be painted anew, which lists read anew. */
export type Change = { tiles?: readonly number[]; things?: readonly string[]; isOther?: boolean }

type Options = {
  marks: Marks
  add: (step: Step) => void
  /** Steps that were made and are not confirmed. */
  waiting: () => readonly Step[]
  onChange: (change: Change) => void
  /** The next stroke of before this visit; null = there is none. */
  earlier: () => Promise<readonly Step[] | null>
}

/** So long may the writing down hold up what somebody draws. */
const SLICE_MS = 3

export class Journal {
  readonly marks: Marks
  readonly #options: Options
  readonly #recordings: Recordings
  /** Strokes whose pixels wait to be written down, in the order of the recordings. */
  readonly #pending: Stroke[] = []
  #writing: Generator<undefined, string[]> | null = null
  #isScheduled = false
  #open: Stroke | null = null
  readonly #past: Stroke[] = []
  #future: Stroke[] = []
  #hasEarlier = true

  constructor(options: Options) {
    this.#options = options
    this.marks = options.marks
    this.#recordings = new Recordings(options.marks.pixels)
  }

  get canUndo(): boolean {
    return this.#past.length > 0 || this.#hasEarlier
  }

  get canRedo(): boolean {
    return this.#future.length > 0
  }

  /** Something was drawn that is not written down yet. */
  get isWriting(): boolean {
    return this.#pending.length > 0
  }

  begin(tool: string): Stroke {
    this.end()
    this.#open = { id: newId(), tool, steps: [] }
    return this.#open
  }

  /** To be asked ahead of each change of a tile, within a stroke. */
  get keep(): (tile: number) => void {
    return this.#recordings.keep
  }

  /** A deed other than pixels, within a stroke. */
  make(deed: Deed): void {
    if (!this.#open) throw new Error('no stroke is open')
    doDeed(this.marks, deed)
    this.#write(this.#open, deed)
    this.#options.onChange({ things: idsOf(deed) })
  }

  /** Puts down what the stroke has drawn so far. */
  piece(): void {
    if (!this.#open || !this.#recordings.close()) return
    this.#pending.push(this.#open)
    this.#schedule()
  }

  /** What was undone before is gone for good only when something was drawn in its place. */
  end(): void {
    this.piece()
    const stroke = this.#open
    this.#open = null
    if (!stroke || (stroke.steps.length === 0 && !this.#pending.includes(stroke))) return
    this.#past.push(stroke)
    this.#future = []
    this.#options.onChange({})
  }

  /** One command: begins, works, ends. */
  stroke(tool: string, work: () => void): void {
    this.begin(tool)
    work()
    this.end()
  }

  async undo(): Promise<boolean> {
    this.end()
    this.settle()
    const stroke = this.#past.pop() ?? (await this.#takeEarlier())
    if (!stroke) return false
    this.#future.push(this.#takeBack(stroke, 'undo'))
    this.#options.onChange({})
    return true
  }

  redo(): boolean {
    this.end()
    this.settle()
    const stroke = this.#future.pop()
    if (!stroke) return false
    this.#past.push(this.#takeBack(stroke, 'redo'))
    this.#options.onChange({})
    return true
  }

  /** Writes down at once all that is drawn; before the page goes, or before others' steps are drawn. */
  settle(): void {
    this.piece()
    while (this.#pending.length > 0) this.#work(Number.POSITIVE_INFINITY)
  }

  /** Steps of other pages come before those of this page that the server does not know yet: so all pages see the same. */
  take(missed: readonly KeptStep[]): void {
    this.settle()
    const waiting = this.#options.waiting()
    const own = new Set(waiting.map(({ id }) => id))
    const tiles = new Set<number>()
    const touch = (tile: number) => void tiles.add(tile)
    for (const { deed } of [...waiting].reverse()) undoDeed(this.marks, deed, touch)
    for (const { id, deed } of missed) if (!own.has(id)) doDeed(this.marks, deed, touch)
    for (const { deed } of waiting) doDeed(this.marks, deed, touch)
    const things = missed.flatMap(({ deed }) => idsOf(deed))
    this.#options.onChange({ tiles: [...tiles], things, isOther: true })
  }

  /** All marks become those of another moment, as one stroke that can be taken back; false where nothing differs. */
  restore(to: Marks): boolean {
    this.settle()
    const { pixels, things, segments, tags } = this.marks
    const all = new Set([...pixels.tiles.keys(), ...to.pixels.tiles.keys()])
    const tiles = [...all].filter((tile) => !isSameTile(pixels.tiles.get(tile), to.pixels.tiles.get(tile)))
    const before = this.#past.length
    this.stroke('restore', () => {
      for (const [number, segment] of to.segments)
        if (!segments.has(number)) this.make({ do: 'segment', before: null, after: segment })
      for (const tile of tiles) {
        this.keep(tile)
        const wanted = to.pixels.tiles.get(tile)
        if (wanted === undefined) pixels.tiles.delete(tile)
        else pixels.tiles.set(tile, wanted)
      }
      for (const id of new Set([...things.keys(), ...to.things.keys()])) {
        const [before, after] = [things.get(id) ?? null, to.things.get(id) ?? null]
        if (!isSame(before, after)) this.make({ do: 'thing', before, after })
      }
      if (!isSame(tags, to.tags)) this.make({ do: 'tags', before: [...tags], after: [...to.tags] })
    })
    this.#options.onChange({ tiles, isOther: true })
    return this.#past.length > before
  }

  async #takeEarlier(): Promise<Stroke | null> {
    const steps = await this.#options.earlier()
    const [first] = steps ?? []
    if (!steps || !first) {
      this.#hasEarlier = false
      this.#options.onChange({})
      return null
    }
    return { id: first.stroke, tool: first.tool, steps: [...steps] }
  }

  /** As a stroke of its own, worked out against what is there now. */
  #takeBack(stroke: Stroke, tool: 'undo' | 'redo'): Stroke {
    const inverse: Stroke = { id: newId(), tool, steps: [] }
    this.#open = inverse
    const tiles = new Set<number>()
    for (const { deed } of [...stroke.steps].reverse()) {
      if (deed.do === 'pixels')
        undoDeed(this.marks, deed, (tile) => {
          tiles.add(tile)
          this.keep(tile)
        })
      else if (isStillThere(this.marks, deed)) this.make(inverted(this.marks, deed))
    }
    this.piece()
    this.#open = null
    this.#options.onChange({ tiles: [...tiles] })
    return inverse
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    whenFree(() => {
      this.#isScheduled = false
      this.#work(SLICE_MS)
      if (this.#pending.length > 0) this.#schedule()
    })
  }

  #work(budgetMs: number): void {
    const end = performance.now() + budgetMs
    while (performance.now() < end) {
      const [stroke] = this.#pending
      if (!stroke) return
      this.#writing ??= this.#recordings.next(limits.patchLength)
      const { done, value } = this.#writing.next()
      if (!done) continue
      this.#writing = null
      this.#pending.shift()
      for (const patch of value) this.#write(stroke, { do: 'pixels', patch })
    }
  }

  #write(stroke: Stroke, deed: Deed): void {
    const step: Step = { id: newId(), stroke: stroke.id, tool: stroke.tool, madeAt: Date.now(), deed }
    stroke.steps.push(step)
    this.#options.add(step)
  }
}

/** Behind frames and presses where the browser can tell, but soon: a tab that dies takes what is not written down along. */
function whenFree(work: () => void): void {
  let isDone = false
  const once = () => {
    if (!isDone) work()
    isDone = true
  }
  // Not every browser has it, so the checker's list does not.
  const { scheduler } = globalThis as { scheduler?: Scheduler }
  scheduler?.postTask(once, { priority: 'background' }).catch(() => undefined)
  setTimeout(once, scheduler ? LATEST_MS : 0)
}

const LATEST_MS = 100
type Scheduler = { postTask: (work: () => void, how: { priority: 'background' }) => Promise<unknown> }

const idsOf = (deed: Deed): string[] =>
  deed.do === 'thing' ? [deed.before?.id, deed.after?.id].filter((id) => id !== undefined) : []

/** False where somebody changed it since: theirs stays. */
function isStillThere(marks: Marks, deed: Deed): boolean {
  switch (deed.do) {
    case 'thing':
      return isSame(nowOf(marks, deed), deed.after)
    case 'segment':
      // Pixels may still carry its number.
      return deed.before !== null || deed.after === null
    case 'tags':
    case 'pixels':
      return true
  }
}

function inverted(marks: Marks, deed: Deed): Deed {
  switch (deed.do) {
    case 'thing':
      return { do: 'thing', before: deed.after, after: deed.before }
    case 'segment':
      return { do: 'segment', before: deed.after, after: deed.before }
    case 'tags': {
      const { tags } = marks
      const other = { ...marks }
      undoDeed(other, deed)
      return { do: 'tags', before: [...tags], after: [...other.tags] }
    }
    case 'pixels':
      throw new Error('pixels are taken back where they lie')
  }
}

const nowOf = (marks: Marks, deed: Extract<Deed, { do: 'thing' }>) =>
  marks.things.get((deed.after ?? deed.before)?.id ?? '') ?? null

/** A tile is one number where one segment, or nothing (0), fills it. */
function isSameTile(one: Tile = 0, other: Tile = 0): boolean {
  if (typeof one === 'number' || typeof other === 'number') return one === other
  return one.every((value, index) => value === other[index])
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
