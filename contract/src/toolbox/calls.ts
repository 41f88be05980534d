/** Calls of the toolbox: what a member likes and used, and how jobs of all features stand. Data only. */
import * as z from 'zod'
import { toolbox } from '../limits.ts'
import { predictionCalls } from '../predictions.ts'
import { route } from '../route.ts'
import { boundedRecord } from '../schema/bounded-record.ts'
import { inspectionCalls } from './inspection.ts'
import { ownToolCalls, ownToolNameSchema } from './own-tools.ts'
import { toolNames } from './toolbox.ts'
import { variationCalls } from './variation.ts'

const id = z.string().min(1).max(40)
const toolSchema = z.enum(toolNames)
/** One that comes with the product, or that a member made. */
const anyToolSchema = z.union([toolSchema, ownToolNameSchema])
export type AnyToolName = z.infer<typeof anyToolSchema>
const percent = z.int().min(0).max(100)

/** Something that a feature queued for a member, whoever does it, as `toolbox/status` tells it. */
export const jobSchema = z.object({
  id: z.string(),
  kind: z.enum(['conversion', 'preparation', 'texts', 'train', 'test', 'predict', 'flow', 'flow_train']),
  /** A paused job waits; one that was stopped or given up has failed, with that as its reason. */
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Per cent; null where nothing is known yet. */
  progress: z.number().min(0).max(100).nullable(),
  /** Of `failed`: `stopped`, `some_failed` (failed, total), or a name of the feature's own failures, with its params. */
  reason: z
    .object({
      name: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
    })
    .nullable(),
  /** What came of it: a run's page, where files lie, or a search whose finds are to be confirmed; null = nothing yet, or gone. */
  result: z.object({ kind: z.enum(['run', 'folder', 'file', 'texts']), id: z.string() }).nullable(),
})
export type Job = z.infer<typeof jobSchema>

/** What a tool was used on, so that it can be opened with the same again: ids and choices, never data. */
export const toolInputsSchema = boundedRecord(
  z.string().max(toolbox.inputName),
  z.string().max(toolbox.inputLength),
  toolbox.inputs,
)
export type ToolInputs = z.infer<typeof toolInputsSchema>

export const useSchema = z.object({
  id: z.string(),
  tool: anyToolSchema,
  /** Of a tool that a member made: as it was called then. */
  toolName: z.string().optional(),
  /** What it was used on, in the member's words: a file's or a folder's name. */
  title: z.string(),
  inputs: toolInputsSchema,
  /** Of tools that queue work. */
  jobId: z.string().nullable(),
  usedAt: z.iso.datetime(),
})
export type Use = z.infer<typeof useSchema>

const partSchema = z.object({
  part: z.enum(['train', 'validation', 'test']),
  /** Paths below the folder of the data set. */
  names: z.array(z.string()),
  /** Patients, and pictures that stand alone or look almost the same: never divided. */
  groups: z.int(),
  /** Of each class, in their order; none where items have no class of their own. */
  classes: z.array(z.int()),
})
export type SplitPart = z.infer<typeof partSchema>

export const toolboxCalls = {
  ...variationCalls,
  ...inspectionCalls,
  ...ownToolCalls,
  'toolbox/home': route({
    summary: 'What the caller likes, and which tools the membership does not have',
    request: z.object({}),
    response: z.object({ favourites: z.array(anyToolSchema), unavailable: z.array(toolSchema) }),
    errors: [],
  }),
  'toolbox/setFavourite': route({
    summary: 'Put a tool among one’s favourites, or take it out',
    request: z.object({ tool: anyToolSchema, isFavourite: z.boolean() }),
    response: z.object({}),
    errors: ['own_tool_missing'],
  }),
  'toolbox/status': route({
    summary: 'How jobs stand, of whichever feature; those that the caller may not see are left out',
    request: z.object({ ids: z.array(id).max(toolbox.jobsPerCall) }),
    response: z.object({ jobs: z.array(jobSchema) }),
    errors: [],
  }),
  'toolbox/history': route({
    summary: 'One page of what the caller used tools on, newest first',
    request: z.object({ after: id.nullable().default(null) }),
    response: z.object({ uses: z.array(useSchema), next: z.string().nullable() }),
    errors: [],
  }),
  'toolbox/record': route({
    summary: 'Keep in the history that a tool was used',
    request: z.object({
      tool: toolSchema,
      title: z.string().trim().max(toolbox.titleLength),
      inputs: toolInputsSchema.default({}),
      jobId: id.nullable().default(null),
    }),
    response: useSchema,
    errors: ['missing', 'application_unavailable'],
  }),
  'toolbox/forget': route({
    summary: 'Delete one use from the history, or all of them',
    request: z.object({ id: id.nullable() }),
    response: z.object({}),
    errors: ['missing'],
  }),
  'toolbox/split': route({
    summary:
      'How a data set would be divided: by patient, near-duplicates kept together, classes alike in all parts',
    request: z
      .object({
        datasetId: id,
        train: percent,
        validation: percent,
        test: percent,
        seed: z.int().min(0).max(toolbox.seed),
      })
      .refine(
        ({ train, validation, test }) => train > 0 && train < 100 && train + validation + test === 100,
        'form.invalid',
      ),
    response: z.object({
      classes: z.array(z.string()),
      parts: z.array(partSchema),
      /** Where the lists belong; null = the folder is gone, or not the caller's to change. */
      folderId: z.string().nullable(),
    }),
    errors: ['dataset_missing', 'dataset_not_ready'],
  }),
  'toolbox/predict': route({
    summary: 'The batch predictor: as `runs/predict`, for bronze members and up, kept in the history',
    request: predictionCalls['runs/predict'].request,
    response: predictionCalls['runs/predict'].response,
    errors: [...predictionCalls['runs/predict'].errors, 'application_unavailable'],
  }),
}
