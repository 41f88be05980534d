/** New things of the chosen class on a plane, each as one stroke of the journal. */
import type { Shape, Thing } from '@neuroloom/contract/labelling/things'
import type { Pane } from '../canvas/pane.ts'
import { boundsOf } from '../canvas/shapes.ts'
import { drawDashed } from '../canvas/things-layer.ts'
import { newId } from '../journal/ids.ts'
import type { Bench } from './bench.ts'

export function makeThing(bench: Bench, pane: Pane, { shape, tool }: { shape: Shape; tool: string }): void {
  const chosen = bench.class
  if (!chosen || !bench.isWritable || isNothing(shape)) return
  const { axis, slice } = pane.plane
  const thing: Thing = {
    id: newId(),
    class: chosen.id,
    place: { axis, slice },
    shape,
    by: 'hand',
    attributes: {},
    track: null,
    isLast: false,
  }
  bench.journal.stroke(tool, () => bench.journal.make({ do: 'thing', before: null, after: thing }))
  bench.select([thing.id])
}

export function changeThing(
  bench: Bench,
  before: Thing,
  { after, tool }: { after: Thing | null; tool: string },
): void {
  if (!bench.isWritable) return
  bench.journal.stroke(tool, () => bench.journal.make({ do: 'thing', before, after }))
}

export function removeChosen(bench: Bench): void {
  const { things } = bench.journal.marks
  const chosen = bench.desk.getState().selected.flatMap((id) => things.get(id) ?? [])
  if (chosen.length === 0 || !bench.isWritable) return
  bench.journal.stroke('remove', () => {
    for (const before of chosen) bench.journal.make({ do: 'thing', before, after: null })
  })
}

/** A shape that is not a thing yet, in the chosen class's colour. */
export function drawDraft(
  bench: Bench,
  context: CanvasRenderingContext2D,
  { pane, shape }: { pane: Pane; shape: Shape },
): void {
  const chosen = bench.class
  if (!chosen) return
  drawDashed(context, shape, { ...pane, joins: chosen.skeleton?.joins ?? [], colour: chosen.colour })
}

/** A slip of the hand. */
function isNothing(shape: Shape): boolean {
  if (shape.kind === 'box') return shape.width < 1 || shape.height < 1
  if (shape.kind === 'points') return shape.seen.every((seen) => seen === 0)
  const { left, top, right, bottom } = boundsOf(shape)
  return right - left < 1 && bottom - top < 1
}
