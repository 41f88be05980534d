/** Projects: what a member wants to recognise, and everything that belongs to it. */
import * as z from 'zod'
import { displays } from './displays.ts'
import { accessSchema } from './files.ts'
import { names, projects as projectLimits } from './limits.ts'
import { route } from './route.ts'
import { permissionSchema, shareSchema } from './sharing.ts'
import { statementCalls } from './statements.ts'
import { projectTaskSchema } from './task-schema.ts'

const id = z.string().min(1).max(40)
const name = z.string().trim().min(1).max(names.length)
/** May be left out; where it is given, spaces alone are none. */
const description = z
  .string()
  .refine((text) => text === '' || text.trim() !== '', 'form.required')
  .trim()
  .max(names.description)
const displaySchema = z.enum(displays)

/** `public`: every member may look at it; `shared`: those whom its owner chose; `private`: its owner alone. */
export const visibilitySchema = z.enum(['private', 'public', 'shared'])
export type Visibility = z.infer<typeof visibilitySchema>

export const projectSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  task: projectTaskSchema,
  visibility: visibilitySchema,
  /** What the caller may do: look at everything; also add data and train; everything (its owner). */
  access: accessSchema,
  /** Nickname of its owner; '' for own projects. */
  owner: z.string(),
  /** Of a project that somebody shared with the caller: what to leave it by; else null. */
  shareId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  modifiedAt: z.iso.datetime(),
  /** Ways in which results are shown; one at least. */
  displays: z.array(displaySchema).min(1),
  counts: z.object({
    /** Images of its data sets, masks not counted beside them; of 4D flow the files that its studies were made of. */
    files: z.int(),
    /** Data sets to learn from, and to be tested on; of 4D flow studies, as the latter. */
    trainSets: z.int(),
    testSets: z.int(),
    runs: z.int(),
    /** Trained networks that are kept. */
    models: z.int(),
    displays: z.int(),
    /** Finished tests and flow runs: each has its page of results. */
    reports: z.int(),
  }),
  /** The newest run's state, to show progress in lists. */
  lastRun: z.object({ id: z.string(), state: z.string(), score: z.number().nullable() }).nullable(),
})
export type Project = z.infer<typeof projectSchema>

/** A project in the recycle station. */
export const recycledProjectSchema = projectSchema
  .pick({ id: true, name: true, description: true, task: true })
  .extend({ recycledAt: z.iso.datetime(), clearsAt: z.iso.datetime() })
export type RecycledProject = z.infer<typeof recycledProjectSchema>

/** `all`: own ones and those shared with the caller; `public`: everybody's; `private`, `shared`: of `all`, those. */
export const projectTabSchema = z.enum(['all', 'public', 'private', 'shared'])
export type ProjectTab = z.infer<typeof projectTabSchema>

export const projectShareSchema = shareSchema.omit({ group: true })
export type ProjectShare = z.infer<typeof projectShareSchema>

export const projectCalls = {
  ...statementCalls,
  'projects/list': route({
    summary: 'One page of the projects that the caller may open, newest first',
    request: z.object({
      tab: projectTabSchema.default('all'),
      search: z.string().max(200).default(''),
      after: id.nullable().default(null),
    }),
    response: z.object({
      projects: z.array(projectSchema),
      next: z.string().nullable(),
      /** A few small images of each project's data, by project; none of one without images. */
      covers: z.record(z.string(), z.array(z.string()).max(projectLimits.coverImages)),
      /** Own live projects, and how many there may be; null = any number. */
      own: z.int(),
      limit: z.int().nullable(),
    }),
    errors: [],
  }),
  'projects/create': route({
    summary: 'Create a project',
    request: z.object({ name, description: description.default(''), task: projectTaskSchema }),
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
    summary: 'Rename a project or change its description; by whoever may edit it',
    request: z.object({ id, name, description: description.optional() }),
    response: projectSchema,
    errors: ['project_missing', 'not_allowed', 'name_taken'],
  }),
  'projects/copy': route({
    summary: 'A new own project like this one, with the own data sets among its data, without its trainings',
    request: z.object({ id, name }),
    /** `leftOut`: data sets of other members, which stay with them. */
    response: z.object({ project: projectSchema, leftOut: z.int() }),
    errors: ['project_missing', 'name_taken', 'plan_limit'],
  }),
  'projects/setPublic': route({
    summary: 'Let every member look at an own project, or no longer',
    request: z.object({ id, isPublic: z.boolean() }),
    response: projectSchema,
    errors: [
      'project_missing',
      'not_allowed',
      'upgrade_needed',
      'shared_datasets_limit',
      'shared_models_limit',
    ],
  }),
  'projects/setDisplays': route({
    summary: 'Choose the ways in which results are shown; one at least, of those that the task has',
    request: z.object({ id, displays: z.array(displaySchema).max(30) }),
    response: projectSchema,
    errors: ['project_missing', 'not_allowed', 'display_needed', 'display_unfit'],
  }),
  'projects/share': route({
    summary: 'Share an own project with an account',
    request: z.object({ id, account: z.string().trim().min(1).max(254), permission: permissionSchema }),
    response: projectShareSchema,
    errors: [
      'project_missing',
      'not_allowed',
      'account_missing',
      'share_self',
      'share_twice',
      'share_limit',
      'shared_datasets_limit',
      'shared_models_limit',
      'upgrade_needed',
      'tries_wait',
    ],
  }),
  'projects/shares': route({
    summary: 'Whom an own project is shared with',
    request: z.object({ id }),
    response: z.object({
      shares: z.array(projectShareSchema),
      /** Accounts that it may be shared with; null = any number. */
      limit: z.int().nullable(),
    }),
    errors: ['project_missing', 'not_allowed'],
  }),
  'projects/changeShare': route({
    summary: 'Give a share another permission',
    request: z.object({ shareId: id, permission: permissionSchema }),
    response: projectShareSchema,
    errors: ['missing'],
  }),
  'projects/unshare': route({
    summary: 'Withdraw a share of an own project; access ends at once',
    request: z.object({ shareId: id }),
    response: z.object({}),
    errors: ['missing'],
  }),
  'projects/leaveShare': route({
    summary: 'Give up a project that somebody shared with oneself',
    request: z.object({ shareId: id }),
    response: z.object({}),
    errors: ['missing'],
  }),
  'projects/archive': route({
    summary:
      'A short-lived address of the whole project as one zip: facts, data, networks, trainings, results',
    request: z.object({
      id,
      /** The images and labels too, not only the lists of them. */
      data: z.boolean().default(true),
    }),
    response: z.object({ url: z.string(), name: z.string() }),
    errors: ['project_missing'],
  }),
  'projects/remove': route({
    summary: 'Move an own project to the recycle station; its runs stop',
    request: z.object({ id }),
    response: z.object({ recycleDays: z.int() }),
    errors: ['project_missing', 'not_allowed'],
  }),
  'projects/recycled': route({
    summary: 'Own projects in the recycle station, last first',
    request: z.object({}),
    response: z.object({ projects: z.array(recycledProjectSchema), recycleDays: z.int() }),
    errors: [],
  }),
  'projects/restore': route({
    summary: 'Bring a project back from the recycle station',
    request: z.object({ id }),
    response: projectSchema,
    errors: ['project_missing', 'plan_limit'],
  }),
  'projects/purge': route({
    summary:
      'Delete recycled projects for good, with their trainings; null = all of them. Files stay in the cloud',
    request: z.object({ ids: z.array(id).min(1).max(1000).nullable() }),
    response: z.object({ purged: z.int() }),
    errors: ['project_missing'],
  }),
}
