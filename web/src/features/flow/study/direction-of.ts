import type { FlowDirection, FlowStudy } from '@neuroloom/contract/flow/study'

type Vector = readonly [number, number, number]

/** From where to where a component goes: along the axis of the patient that it lies nearest to, or of the grid where that is all that is known. */
export function directionOf(
  vector: Vector,
  { affine, spacing, isPlaced }: Pick<FlowStudy, 'affine' | 'spacing' | 'isPlaced'>,
): FlowDirection {
  const at = isPlaced
    ? affine.map(([x, y, z]) =>
        [x, y, z].reduce((sum, part, axis) => sum + (part / (spacing[axis] ?? 1)) * (vector[axis] ?? 0), 0),
      )
    : [...vector]
  const axis = at.reduce((best, part, index) => (Math.abs(part) > Math.abs(at[best] ?? 0) ? index : best), 0)
  const [backward, forward] = (isPlaced ? inPatient : inGrid)[axis] ?? inGrid[0]
  return (at[axis] ?? 0) < 0 ? backward : forward
}

/** Towards the left, the back and the feet; towards the right, the front and the head: an affine is RAS. */
const inPatient: Pairs = [
  ['RL', 'LR'],
  ['AP', 'PA'],
  ['HF', 'FH'],
]
const inGrid: Pairs = [
  ['-x', '+x'],
  ['-y', '+y'],
  ['-z', '+z'],
]

type Pair = readonly [FlowDirection, FlowDirection]
type Pairs = readonly [Pair, Pair, Pair]
