/** What an overall figure is a mean of, where its name alone does not tell. Free of schemas: pages load it. */

import type { Task } from '../task.ts'
import type { PerClass } from './class-findings.ts'

type Result = {
  task: Task
  metrics: Readonly<Record<string, number | null | undefined>>
  perClass: PerClass
}

/** A text of `figures.mean`, with its numbers. */
type FigureMean =
  | { kind: 'classes'; of: number }
  | { kind: 'someClasses'; over: number; of: number }
  | { kind: 'images' | 'pooled' | 'volumes' | 'pooledVolumes' }

const overBoxes: ReadonlySet<string> = new Set(['precision', 'recall', 'f1'])
const overPoints: ReadonlySet<string> = new Set(['iou', 'sensitivity', 'specificity'])

/** Null where nothing needs to be said. */
export function figureMean(name: string, { task, metrics, perClass }: Result): FigureMean | null {
  switch (task) {
    case 'detection': {
      if (!overBoxes.has(name)) return null
      const occurring = perClass.filter(({ values }) => (values.boxes ?? 0) > 0)
      const of = occurring.length
      if (of < 2) return null
      // Tests of before left a class that was never shown out of the mean of precision; those have no pooled figures.
      const over = occurring.filter(({ values }) => values[name] != null).length
      return metrics.microF1 === undefined && over < of
        ? { kind: 'someClasses', over, of }
        : { kind: 'classes', of }
    }
    case 'segmentation':
      if (name === 'dice') return { kind: 'images' }
      return overPoints.has(name) ? { kind: 'pooled' } : null
    case 'volume_segmentation':
      if (name === 'dice') return { kind: 'volumes' }
      return overPoints.has(name) ? { kind: 'pooledVolumes' } : null
    default:
      return null
  }
}
