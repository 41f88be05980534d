import { TrainingView } from '../features/flow/sharpen/training-view.tsx'
import type { Detail } from '../features/runs/apply-event.ts'
import { Downloads } from '../features/runs/downloads.tsx'

/** On the page of a run: how a network of 4D flow learns, and whether it is better than interpolation. */
export function FlowTrainPart({ detail: { run, curves } }: { detail: Detail }) {
  return <TrainingView run={run} curves={curves} downloads={<Downloads run={run} />} />
}
