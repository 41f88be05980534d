/** What films are made of: pictures in their order. */
import { frameSeconds } from '../beat.ts'
import { askOf } from '../choice.ts'
import type { Exporting } from './exporting.ts'
import { type Paint, paintFigure } from './picture-png.ts'

export type Watch = { onProgress: (share: number) => void; signal: AbortSignal }
export type Reel = {
  name: 'beat' | 'turn'
  /** Pictures of one loop. */
  count: number
  /** From one picture to the next in truth; null where none is told. */
  seconds: number | null
  paints: (watch: Watch) => Promise<Paint[]>
}

/** A slice at each moment. */
export function beatReel({ facts: { head }, choice, worker, figureFor }: Exporting): Reel {
  return {
    ...{ name: 'beat', count: head.frames, seconds: frameSeconds(head) },
    async paints({ onProgress, signal }) {
      const paints: Paint[] = []
      for (let frame = 0; frame < head.frames; frame++) {
        signal.throwIfAborted()
        const figure = figureFor(await worker.ask('picture', { ...askOf(head, choice), frame }))
        paints.push((canvas) => paintFigure(canvas, figure))
        onProgress((frame + 1) / head.frames)
      }
      return paints
    },
  }
}
