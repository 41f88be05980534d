/** Apart from the schemas of runs, which pages need not load. */
import type { LearnedRun, Run } from '../runs.ts'

/** Whether a network of a task learned, or was used: all that is no 4D flow. */
export const isLearnedRun = (run: Run): run is LearnedRun => run.kind !== 'flow' && run.kind !== 'flow_train'
