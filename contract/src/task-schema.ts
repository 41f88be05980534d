import * as z from 'zod'
import { tasks } from './task.ts'

export const taskSchema = z.enum(tasks)
