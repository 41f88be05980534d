/** Tools that members make of a kept recipe or a trained network, each with a short form, for themselves and for others. */
import * as z from 'zod'
import { toolbox as limits, names } from '../limits.ts'
import { predictionCalls } from '../predictions.ts'
import { recipeSchema } from '../recipes/recipe.ts'
import { recipeCalls } from '../recipes/recipes.ts'
import { route } from '../route.ts'
import { boundedRecord } from '../schema/bounded-record.ts'
import { taskSchema } from '../task-schema.ts'
import { toolPictures } from './toolbox.ts'

const id = z.string().min(1).max(40)
export const ownToolNameSchema = z.templateLiteral(['own:', id])

/** What the user of a tool may choose: one parameter of one step, or of a network whether images are prepared first. */
const openSchema = z.object({
  step: z.int().min(0),
  key: z.string().min(1).max(40),
  /** In the maker’s words; '' = as the product calls it. */
  label: z.string().trim().max(limits.labelLength).default(''),
  /** Narrower than the parameter's own range; null = as wide as that. */
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
})
export type OpenSetting = z.infer<typeof openSchema>

const settingSchema = z.object({ name: z.string(), label: z.string() })
/** A field of the form, with what stands in it at first. */
export const toolFieldSchema = z.discriminatedUnion('kind', [
  settingSchema.extend({
    kind: z.literal('number'),
    key: z.string(),
    value: z.number(),
    min: z.number(),
    max: z.number(),
    by: z.number(),
    unit: z.enum(['px', 'degrees', 'percent', 'mm', 'volume']).nullable(),
  }),
  settingSchema.extend({
    kind: z.literal('choice'),
    key: z.string(),
    /** In whose words the choices are told. */
    do: z.enum(['size', 'pad', 'flip', 'index', 'grow', 'remap']),
    value: z.string(),
    values: z.array(z.string()),
  }),
  settingSchema.extend({ kind: z.literal('prepared'), value: z.boolean() }),
])
export type ToolField = z.infer<typeof toolFieldSchema>

export const toolShareSchema = z.object({
  id: z.string(),
  /** Of one of both. */
  member: z.string().nullable(),
  group: z.string().nullable(),
  sharedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
})
export type ToolShare = z.infer<typeof toolShareSchema>

/** Why a tool does not work; failures of the same names say it in a sentence. */
export const toolStates = ['ready', 'withdrawn', 'expired', 'source_gone', 'owner_gone', 'broken'] as const

export const ownToolSchema = z.object({
  id: z.string(),
  name: z.string(),
  about: z.string(),
  picture: z.enum(toolPictures),
  kind: z.enum(['recipe', 'network']),
  /** Least membership level of whoever uses it. */
  level: z.int(),
  /** Of a network. */
  task: taskSchema.nullable(),
  state: z.enum(toolStates),
  fields: z.array(toolFieldSchema),
  /** Null = an own one, else who gave it, and by which group. */
  from: z.object({ owner: z.string(), group: z.string().nullable() }).nullable(),
  /** Its maker's alone. */
  made: z
    .object({
      /** The recipe or the training; null when it is gone. */
      sourceId: z.string().nullable(),
      sourceName: z.string(),
      /** The recipe as it was then, which is inside; null of a network. */
      madeFrom: z.iso.datetime(),
      recipe: recipeSchema.nullable(),
      /** The recipe was changed since. */
      hasNewer: z.boolean(),
      open: z.array(openSchema),
      shares: z.array(toolShareSchema),
    })
    .nullable(),
})
export type OwnTool = z.infer<typeof ownToolSchema>

const settings = boundedRecord(
  z.string().max(60),
  z.union([z.number(), z.string().max(60), z.boolean()]),
  limits.settings,
).default({})
export type ToolSettings = z.infer<typeof settings>

/** Why a tool cannot be used, whoever asks. */
const notUsable = [
  'own_tool_missing',
  'own_tool_withdrawn',
  'own_tool_expired',
  'own_tool_source_gone',
  'own_tool_owner_gone',
  'own_tool_broken',
  'own_tool_range',
  'own_tool_settings',
  'application_unavailable',
] as const

const about = {
  name: z.string().trim().min(1).max(names.length),
  about: z.string().trim().max(limits.aboutLength).default(''),
  picture: z.enum(toolPictures),
  open: z.array(openSchema).max(limits.settings).default([]),
}
/** Where a tool's recipe is to work. */
const { recipe: _, ...where } = recipeCalls['recipes/try'].request.shape
const { turn: __, ...folder } = where

export const ownToolCalls = {
  'toolbox/ownTools': route({
    summary: 'Tools that the caller made, and those that others share, by name',
    request: z.object({}),
    response: z.object({ tools: z.array(ownToolSchema) }),
    errors: [],
  }),
  'toolbox/ownTool': route({
    summary: 'One such tool with its form; also one that does not work any more, with the reason',
    request: z.object({ id }),
    response: ownToolSchema,
    errors: ['own_tool_missing'],
  }),
  'toolbox/makeTool': route({
    summary: 'Make a tool of an own kept recipe, as it is now, or of a training of an own project',
    request: z.object({ of: z.enum(['recipe', 'network']), sourceId: id, ...about }),
    response: ownToolSchema,
    errors: ['recipe_missing', 'run_missing', 'not_allowed', 'train_first', 'name_taken', 'own_tool_limit'],
  }),
  'toolbox/changeTool': route({
    summary: 'Change the form of an own tool; with `takeNewest` also the recipe inside it',
    request: z.object({ id, ...about, takeNewest: z.boolean().default(false) }),
    response: ownToolSchema,
    errors: ['own_tool_missing', 'own_tool_source_gone', 'own_tool_broken', 'name_taken'],
  }),
  'toolbox/removeTool': route({
    summary: 'Delete an own tool, or forget one that was shared; what was made with it stays',
    request: z.object({ id }),
    response: z.object({}),
    errors: ['own_tool_missing'],
  }),
  'toolbox/shareTool': route({
    summary: 'Let another member, or a group that one belongs to, use an own tool, for ever or for some days',
    request: z.object({
      id,
      /** One of both. */
      account: z.string().trim().min(1).max(254).nullable().default(null),
      groupId: id.nullable().default(null),
      days: z.literal(limits.shareDays).nullable().default(null),
    }),
    response: ownToolSchema,
    errors: [
      'own_tool_missing',
      'account_missing',
      'group_missing',
      'share_self',
      'share_twice',
      'share_limit',
      'shared_models_limit',
      'upgrade_needed',
      'tries_wait',
    ],
  }),
  'toolbox/unshareTool': route({
    summary: 'Withdraw an own tool from a member or a group; work under way ends',
    request: z.object({ id, shareId: id }),
    response: ownToolSchema,
    errors: ['own_tool_missing', 'missing'],
  }),
  'toolbox/tryTool': route({
    summary: 'As `recipes/try`, with the recipe inside a tool',
    request: z.object({ id, settings, ...where }),
    response: recipeCalls['recipes/try'].response,
    errors: [...notUsable, ...recipeCalls['recipes/try'].errors],
  }),
  'toolbox/prepareByTool': route({
    summary: 'As `recipes/start`, with the recipe inside a tool, kept in the history',
    request: z.object({ id, settings, ...folder, name: recipeCalls['recipes/start'].request.shape.name }),
    response: recipeCalls['recipes/start'].response,
    errors: [...notUsable, ...recipeCalls['recipes/start'].errors],
  }),
  'toolbox/predictByTool': route({
    summary:
      'As `toolbox/predict`, with the network inside a tool: the answers stand in a project of the caller and lie in their cloud',
    request: predictionCalls['runs/predict'].request
      .omit({ replay: true })
      .extend({ id, settings, projectId: id }),
    response: predictionCalls['runs/predict'].response,
    errors: [...notUsable, 'own_tool_task', 'project_missing', ...predictionCalls['runs/predict'].errors],
  }),
}
