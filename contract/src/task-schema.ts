import * as z from 'zod'
import { projectTasks, tasks } from './task.ts'

export const taskSchema = z.enum(tasks)
export const projectTaskSchema = z.enum(projectTasks)
