/** Own 4D flow studies: opened from files or from a known flow, settled by a person, kept in one form. */
import * as z from 'zod'
import { flowLimits } from '../limits.ts'
import { route } from '../route.ts'
import { flowSources, phantoms } from './named.ts'
import { phantomScanSchema } from './phantoms.ts'
import { flowAnswerSchema, flowLookSchema, flowProblemSchema, flowStudySchema } from './study.ts'

const id = z.string().min(1).max(40)
const name = z.string().trim().min(1).max(flowLimits.nameLength)

/** `looking`: files are looked at; `asked`: a person settles the table; `making`: the study is written. */
export const flowStates = ['looking', 'asked', 'making', 'ready', 'failed'] as const
export type FlowState = (typeof flowStates)[number]

/** Of the whole; texts are those of `errors.json`, or of `flow:problem` where `problems` tells more. */
export const flowFailures = [
  'storage_full',
  'disk_full',
  'missing',
  'flow_refused',
  'flow_packages',
  'too_large',
  'internal',
] as const

export const flowSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(flowStates),
  failure: z.enum(flowFailures).nullable(),
  /** Null until the files were looked at. */
  source: z.enum(flowSources).nullable(),
  /** Null until it is ready. */
  size: z.tuple([z.int(), z.int(), z.int()]).nullable(),
  frames: z.int().nullable(),
  sizeBytes: z.int(),
  /** What was chosen: a folder, or the first file. Null of a known flow, or when it was deleted since. */
  fromId: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type FlowSummary = z.infer<typeof flowSummarySchema>

export const flowDetailSchema = flowSummarySchema.extend({
  look: flowLookSchema.nullable(),
  answer: flowAnswerSchema.nullable(),
  /** What stood in the way when it was made. */
  problems: z.array(flowProblemSchema),
  head: flowStudySchema.nullable(),
  /** Of a known flow: which, and how it was measured. */
  phantom: z.object({ name: z.enum(phantoms), scan: phantomScanSchema }).nullable(),
  /** Short-lived address of the study's file; null until it is ready. */
  values: z.string().nullable(),
  /** Of a study that a network made finer: the same by interpolation alone (linear, weighted by magnitude), to be shown beside it. */
  interpolated: z.string().nullable(),
})
export type FlowDetail = z.infer<typeof flowDetailSchema>

export const flowCalls = {
  'flow/studies': route({
    summary: 'Own 4D flow studies, newest first',
    request: z.object({ after: id.nullable().default(null) }),
    response: z.object({
      studies: z.array(flowSummarySchema),
      next: z.string().nullable(),
      /** Packages of Python that are missing; empty = all is there. */
      missing: z.array(z.string()),
    }),
    errors: [],
  }),
  'flow/study': route({
    summary: 'One study: the table of what its files hold, what was settled, and where its values lie',
    request: z.object({ id }),
    response: flowDetailSchema,
    errors: ['study_missing'],
  }),
  'flow/open': route({
    summary: 'Look at a folder or at files of the cloud as a 4D flow study',
    request: z.object({
      /** A folder stands for all files below it. */
      ids: z.array(id).min(1).max(flowLimits.chosen),
      name: name.optional(),
    }),
    response: flowSummarySchema,
    errors: ['application_unavailable', 'missing', 'too_many_files', 'flow_waiting', 'flow_packages'],
  }),
  'flow/phantom': route({
    summary: 'Measure a known flow',
    request: z.object({
      phantom: z.enum(phantoms),
      name: name.optional(),
      scan: phantomScanSchema.default({}),
    }),
    response: flowSummarySchema,
    errors: ['application_unavailable', 'flow_waiting', 'flow_packages'],
  }),
  'flow/settle': route({
    summary: 'Settle what the files hold, and make the study; also once more with other words',
    request: z.object({ id, answer: flowAnswerSchema }),
    response: flowDetailSchema,
    errors: [
      'application_unavailable',
      'study_missing',
      'study_busy',
      'flow_unsettled',
      'missing',
      'flow_waiting',
    ],
  }),
  'flow/retry': route({
    summary: 'Do once more what failed',
    request: z.object({ id }),
    response: flowSummarySchema,
    errors: ['application_unavailable', 'study_missing', 'study_busy', 'missing', 'flow_waiting'],
  }),
  'flow/rename': route({
    summary: 'Call a study otherwise',
    request: z.object({ id, name }),
    response: flowSummarySchema,
    errors: ['study_missing'],
  }),
  'flow/remove': route({
    summary: 'Delete a study; the files that it was made of stay',
    request: z.object({ id }),
    response: z.object({}),
    errors: ['study_missing'],
  }),
}
