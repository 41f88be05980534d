/** Flow in projects: which studies belong to one, runs on them, and what is measured and kept of their results. */
import * as z from 'zod'
import { flow as limits } from '../limits.ts'
import { route } from '../route.ts'
import { runSchema } from '../runs.ts'
import { flowSummarySchema } from './calls.ts'
import {
  flowLightSchema,
  flowMeasuredSectionSchema,
  flowResultsSchema,
  flowRunSchema,
  flowSectionSchema,
} from './run.ts'
import { flowStudySchema } from './study.ts'

const id = z.string().min(1).max(40)

/** A picture of the viewer that the report shows. */
export const flowFigureSchema = z.object({
  id: z.string(),
  caption: z.string(),
  /** Short-lived address of the PNG. */
  url: z.string(),
  width: z.int(),
  height: z.int(),
})
export type FlowFigure = z.infer<typeof flowFigureSchema>

export const flowRunDetailSchema = z.object({
  run: runSchema,
  asked: flowRunSchema,
  /** Null while there are none. */
  results: flowResultsSchema.nullable(),
  study: z.object({
    /** As it was called then. */
    name: z.string(),
    /** Null once it was deleted, or taken out of the project. */
    id: z.string().nullable(),
    /** Of the corrected study where there is one, else of the study that is read. */
    head: flowStudySchema,
  }),
  /** Short-lived addresses; null until the run is done. The corrected study and its mask (I8 `mask` [z, y, x], safetensors). */
  values: z.string().nullable(),
  mask: z.string().nullable(),
  /** I16 `q`, `lambda2` [frames, z, y, x], in units told by its head (`__metadata__.scale`, JSON of 1/s² a unit). */
  derived: z.string().nullable(),
  /** The study as it was read, for before and after. */
  before: z.string().nullable(),
  sections: z.array(flowMeasuredSectionSchema),
  /** Planes are being measured. */
  isMeasuring: z.boolean(),
  massBalance: flowLightSchema.nullable(),
  figures: z.array(flowFigureSchema),
})
export type FlowRunDetail = z.infer<typeof flowRunDetailSchema>

export const flowRunCalls = {
  'flow/projectStudies': route({
    summary: 'Studies of a project of 4D flow, newest first',
    request: z.object({ projectId: id }),
    response: z.object({
      studies: z.array(flowSummarySchema.extend({ isOwn: z.boolean(), addedAt: z.iso.datetime() })),
      missing: z.array(z.string()),
    }),
    errors: ['project_missing'],
  }),
  'flow/addToProject': route({
    summary: 'Take an own study into a project of 4D flow, in whatever state it is',
    request: z.object({ projectId: id, studyId: id }),
    response: z.object({}),
    errors: ['project_missing', 'not_allowed', 'study_missing', 'task_differs', 'shared_datasets_limit'],
  }),
  'flow/takeFromProject': route({
    summary: 'Take a study out of a project; the study and runs that read it stay',
    request: z.object({ projectId: id, studyId: id }),
    response: z.object({}),
    errors: ['project_missing', 'not_allowed', 'study_missing'],
  }),
  'flow/start': route({
    summary: 'Queue a flow run on one study of a project; no training comes first',
    request: z.object({ projectId: id, studyId: id, asked: flowRunSchema }),
    response: runSchema,
    errors: [
      'project_missing',
      'not_allowed',
      'study_missing',
      'study_not_ready',
      'flow_options_refused',
      'flow_packages',
      'missing',
      'storage_full',
      'task_differs',
    ],
  }),
  'flow/run': route({
    summary: 'One flow run: what was asked, what came of it, its planes and pictures',
    request: z.object({ id }),
    response: flowRunDetailSchema,
    errors: ['run_missing'],
  }),
  'flow/keepSections': route({
    summary:
      'Keep these planes with a run, in place of those before, and measure them; its report tells of them',
    request: z.object({ runId: id, sections: z.array(flowSectionSchema).max(limits.sections) }),
    response: z.object({ sections: z.array(flowMeasuredSectionSchema) }),
    errors: ['run_missing', 'not_allowed', 'flow_run_not_done'],
  }),
  'flow/keepFigure': route({
    summary: 'Keep a picture of the viewer for the report of a run',
    request: z.object({
      runId: id,
      caption: z.string().trim().min(1).max(limits.captionLength),
      /** PNG as base64. */
      png: z.string().max(limits.figureBytes * 1.4),
    }),
    response: z.object({ figures: z.array(flowFigureSchema) }),
    errors: ['run_missing', 'not_allowed', 'flow_run_not_done', 'flow_figures', 'flow_figure_unfit'],
  }),
  'flow/removeFigure': route({
    summary: 'Take a picture out of the report of a run',
    request: z.object({ runId: id, figureId: id }),
    response: z.object({ figures: z.array(flowFigureSchema) }),
    errors: ['run_missing', 'not_allowed', 'missing'],
  }),
  'flow/keepFile': route({
    summary:
      'Put the mask or the angiogram of a run into the cloud as a NIfTI volume, to be drawn on with the labelling tools',
    request: z.object({
      runId: id,
      kind: z.enum(['flow_mask', 'flow_angiogram']),
      folderId: id.nullable().default(null),
    }),
    response: z.object({ fileId: z.string(), name: z.string() }),
    errors: ['run_missing', 'missing', 'storage_full', 'not_allowed'],
  }),
}
