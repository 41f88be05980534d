/** What of a view in space may be filmed: all of it turning once round, and the beat. Pure. */
import type { Reel } from '../viewer/exports/beat-reel.ts'
import type { Paint } from '../viewer/exports/picture-png.ts'
import type { Painter } from './part.ts'

/** Degrees from one picture to the next: 72 of them are seven seconds at ten a second. */
const STEP = 5

export function reelsOf({ paint, beat }: Pick<Painter, 'paint' | 'beat'>): [Reel, ...Reel[]] {
  const count = 360 / STEP
  const turn: Reel = {
    ...{ name: 'turn', count, seconds: null },
    paints: async () => Array.from({ length: count }, (_, at) => paint({ turn: at * STEP })),
  }
  if (beat === null) return [turn]
  const { count: pictures, seconds } = beat
  const whole: Reel = {
    ...{ name: 'beat', count: pictures, seconds },
    async paints({ onProgress, signal }) {
      const paints: Paint[] = []
      for (let at = 0; at < pictures; at++) {
        signal.throwIfAborted()
        paints.push(paint(await beat.changeAt(at)))
        onProgress((at + 1) / pictures)
      }
      return paints
    },
  }
  return [whole, turn]
}
