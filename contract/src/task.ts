/** The tasks of the platform. Only those that work are offered. */
import * as z from 'zod'

export const tasks = ['classification', 'segmentation'] as const
export const taskSchema = z.enum(tasks)
export type Task = z.infer<typeof taskSchema>

/** The metric that stands for a whole result: what doctors ask for first. The engine reports it under this name. */
export const mainMetric = { classification: 'accuracy', segmentation: 'dice' } as const satisfies Record<
  Task,
  string
>
