import type { Seen } from '../viewer/exports/origin.ts'
import type { Paint } from '../viewer/exports/picture-png.ts'
import type { FlowWorker } from '../viewer/numbers/ask-worker.ts'
import type { Angles } from '../viewer/numbers/sight.ts'
import type { Shown } from './draw/view.ts'

/** What differs from what is on the screen; `turn` in degrees. */
export type Change = Partial<Pick<Shown, 'lines' | 'moment' | 'reference' | 'foot'>> & { turn?: number }

/** The beat, picture by picture. */
export type Beat = {
  count: number
  /** From one picture to the next in truth; null where none is told. */
  seconds: number | null
  changeAt: (at: number) => Promise<Change>
}

/** What is seen, as it was when this was asked for, drawn into files. */
export type Painter = {
  paint: (change: Change) => Paint
  angles: Angles
  shown: Shown
  /** Null of one moment. */
  beat: Beat | null
}

/** What both kinds of lines are made and drawn of. */
export type Part = {
  seen: Seen
  worker: FlowWorker
  /** Of the generator of start points. */
  seed: number
  painter: { current: Painter | null }
}
