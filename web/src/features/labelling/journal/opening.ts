/** Opens a reading: what an earlier visit left in this browser goes to the server first, then all marks come from there. */
import type { Answer } from '@neuroloom/contract/calls'
import type { LabelReading } from '@neuroloom/contract/labelling/labelling'
import { doDeed, marksFrom } from '@neuroloom/contract/labelling/marks'
import type { Marks, Step } from '@neuroloom/contract/labelling/steps'
import { CallError, call } from '../../../lib/api.ts'
import type { Size } from '../canvas/plane.ts'
import { type KeptSteps, openKept } from './kept-steps.ts'
import { firstOf } from './step-queue.ts'

export type Opening = Answer<'labelling/open'>
export type OpenedReading = Opening & {
  reading: LabelReading
  marks: Marks
  kept: KeptSteps | null
  /** What the server would not take, of an earlier visit. */
  left: { steps: readonly Step[]; message: string } | null
}

/** null: the image is not ready, and `answer` says why. */
export async function openReading(
  itemId: string,
  signal: AbortSignal,
  /** Another one's reading; null = one's own. `measured`: of a video, which only the page opens. */
  { readingId = null, measured = null }: { readingId?: string | null; measured?: Size | null } = {},
): Promise<{ answer: Opening; opened: OpenedReading | null }> {
  const ask = () =>
    call(
      'labelling/open',
      { itemId, readingId, measured: measured && [...measured] },
      { quiet: true, signal },
    )
  let answer = await ask()
  const { reading, item, image } = answer
  if (!reading || !item.size || image.state !== 'ready') return { answer, opened: null }
  const kept = await openKept()
  const left = kept ? await bring(kept, reading.id) : null
  // What was brought just now is in it, in its place.
  if (left) answer = await ask()
  const again = answer.reading ?? reading
  const marks = marksOf(item.size, answer)
  return { answer, opened: { ...answer, reading: again, marks, kept, left: left?.message ? left : null } }
}

export function marksOf(size: Size, { whole, steps }: Pick<Opening, 'whole' | 'steps'>): Marks {
  const marks = marksFrom(size, whole)
  for (const { deed } of steps) doDeed(marks, deed)
  return marks
}

/** null: nothing was left. `message`: why the server refused it; it stays here then. */
async function bring(kept: KeptSteps, readingId: string): Promise<{ steps: Step[]; message: string } | null> {
  const steps = await kept.left(readingId).catch(() => [])
  if (steps.length === 0) return null
  for (let rest = steps; rest.length > 0; ) {
    const part = firstOf(rest)
    try {
      await call('labelling/save', { readingId, after: 0, steps: part }, { quiet: true })
    } catch (error) {
      if (error instanceof CallError) return { steps: rest, message: error.message }
      throw error
    }
    await kept.forget(part.map(({ id }) => id))
    rest = rest.slice(part.length)
  }
  return { steps, message: '' }
}
