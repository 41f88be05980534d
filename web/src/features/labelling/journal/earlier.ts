/** Strokes of before this visit, the latest first, without those that were taken back: so undoing has no end. Draws nothing. */
import type { KeptStep } from '@neuroloom/contract/labelling/labelling'

export type StepPage = { steps: readonly KeptStep[]; next: number | null }

/** `load`: a page of steps before one of them (null: from the last on). */
export function earlierStrokes(first: StepPage, load: (before: number) => Promise<StepPage>) {
  let steps = latestFirst(first.steps)
  let next = first.next
  /** Strokes to pass over: each `undo` took one back, each `redo` brought one again. */
  let undone = 0
  return {
    async next(): Promise<KeptStep[] | null> {
      for (;;) {
        const stroke = await take()
        const tool = stroke?.[0]?.tool
        if (!stroke || tool === undefined) return null
        if (tool === 'undo') undone++
        else if (tool === 'redo') undone--
        else if (undone > 0) undone--
        else return stroke
      }
    },
  }

  /** All steps of the latest stroke, in the order of their making. */
  async function take(): Promise<KeptStep[] | null> {
    while (next !== null && new Set(steps.map(({ stroke }) => stroke)).size < 2) {
      const page = await load(next)
      steps = [...steps, ...latestFirst(page.steps)]
      next = page.next
    }
    const [latest] = steps
    if (!latest) return null
    const stroke = steps.filter((step) => step.stroke === latest.stroke)
    steps = steps.filter((step) => step.stroke !== latest.stroke)
    return stroke.reverse()
  }
}

const latestFirst = (steps: readonly KeptStep[]): KeptStep[] =>
  [...steps].sort((one, other) => other.seq - one.seq)
