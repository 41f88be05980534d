/** Projects: what a member wants to recognise, and everything that belongs to it. */
import * as z from 'zod'
import { names } from './limits.ts'
import { route } from './route.ts'
import { taskSchema } from './task.ts'

const id = z.string().min(1).max(40)
const name = z.string().trim().min(1).max(names.length)

export const projectSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  task: taskSchema,
  visibility: z.enum(['private', 'public', 'shared']),
  createdAt: z.iso.datetime(),
  modifiedAt: z.iso.datetime(),
  /** `files` = images of its data sets, masks not counted beside them. */
  counts: z.object({ files: z.int(), datasets: z.int(), runs: z.int(), models: z.int() }),
  /** The newest run's state, to show progress in lists. */
  lastRun: z.object({ id: z.string(), state: z.string(), score: z.number().nullable() }).nullable(),
})
export type Project = z.infer<typeof projectSchema>

export const projectCalls = {
  'projects/list': route({
    summary: 'The own projects, newest first',
    request: z.object({ search: z.string().max(200).default('') }),
    response: z.object({ projects: z.array(projectSchema), limit: z.int().nullable() }),
    errors: [],
  }),
  'projects/create': route({
    summary: 'Create a project',
    request: z.object({
      name,
      description: z.string().trim().max(names.description).default(''),
      task: taskSchema,
    }),
    response: projectSchema,
    errors: ['name_taken', 'plan_limit'],
  }),
  'projects/detail': route({
    summary: 'One project',
    request: z.object({ id }),
    response: projectSchema,
    errors: ['project_missing'],
  }),
  'projects/rename': route({
    summary: 'Rename a project or change its description',
    request: z.object({ id, name, description: z.string().trim().max(names.description).optional() }),
    response: projectSchema,
    errors: ['project_missing', 'name_taken'],
  }),
  'projects/remove': route({
    summary: 'Move a project to the recycle station; its runs stop',
    request: z.object({ id }),
    response: z.object({ recycleDays: z.int() }),
    errors: ['project_missing'],
  }),
  'projects/restore': route({
    summary: 'Bring a project back from the recycle station',
    request: z.object({ id }),
    response: projectSchema,
    errors: ['project_missing', 'plan_limit'],
  }),
}
