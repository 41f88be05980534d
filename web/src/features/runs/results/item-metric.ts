import { mainMetric } from '@neuroloom/contract/metric'
import type { Task } from '@neuroloom/contract/task'

/** What one image is scored by: of boxes and labels the F1 of its own. */
export const itemMetric = (task: Task): string =>
  task === 'detection' || task === 'multilabel' ? 'f1' : mainMetric[task]
