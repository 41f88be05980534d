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

/**
 * The figures of outlines, each under two names: its mean over images, and its value over the points of all images together.
 * Results of before have one of both (`engine/neuroloom_engine/tasks/scores.py` has the formulas).
 */
export const outlineFigures = [
  { name: 'dice', mean: 'dice', pooled: 'pooledDice' },
  { name: 'iou', mean: 'meanIou', pooled: 'iou' },
  { name: 'sensitivity', mean: 'meanSensitivity', pooled: 'sensitivity' },
  { name: 'specificity', mean: 'meanSpecificity', pooled: 'specificity' },
] as const

/** Without the way in which it was counted, which stands beside it. */
export const plainFigure = (name: string): string =>
  outlineFigures.find(({ mean, pooled }) => mean === name || pooled === name)?.name ?? name

/** Whether a result has its figures of outlines both ways. */
export const hasBothWays = ({ metrics }: Pick<Result, 'metrics'>): boolean => 'pooledDice' in metrics

const isMean = (name: string): boolean => outlineFigures.some(({ mean }) => mean === name)
const isPooled = (name: string): boolean => outlineFigures.some(({ pooled }) => pooled === name)

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
      if (isMean(name)) return { kind: 'images' }
      return isPooled(name) ? { kind: 'pooled' } : null
    case 'volume_segmentation':
      if (isMean(name)) return { kind: 'volumes' }
      return isPooled(name) ? { kind: 'pooledVolumes' } : null
    default:
      return null
  }
}
