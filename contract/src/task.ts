/** The tasks of the platform. Only those that work are offered. */
import * as z from 'zod'

export const tasks = ['classification', 'segmentation'] as const
export const taskSchema = z.enum(tasks)
export type Task = z.infer<typeof taskSchema>
