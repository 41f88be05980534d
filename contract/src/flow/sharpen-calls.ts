/** Velocity super-resolution in projects of 4D flow: a network is trained on known flows, and makes a corrected study finer. */
import * as z from 'zod'
import { flowLimits } from '../limits.ts'
import { route } from '../route.ts'
import { curvePointSchema, runSchema } from '../runs.ts'
import { flowSummarySchema } from './calls.ts'
import { flowTrainedSchema, flowTrainSchema } from './sharpen.ts'

const id = z.string().min(1).max(40)

export const flowTrainingSchema = z.object({
  run: runSchema,
  asked: flowTrainSchema,
  /** Null while there are none. */
  results: flowTrainedSchema.nullable(),
  curves: z.array(curvePointSchema),
})
export type FlowTraining = z.infer<typeof flowTrainingSchema>

/** A network that was trained to make studies finer. */
export const flowSharpenerSchema = z.object({
  trainingId: z.string(),
  number: z.int(),
  network: z.string(),
  ownNetwork: runSchema.shape.ownNetwork,
  endedAt: z.iso.datetime(),
  factor: z.int(),
  scores: flowTrainedSchema.shape.scores,
  gain: flowTrainedSchema.shape.gain,
  /** Flows kept aside, which the verdict stands on. */
  kept: z.int(),
  wins: z.boolean(),
})
export type FlowSharpener = z.infer<typeof flowSharpenerSchema>

const asking = z.object({ projectId: id, asked: flowTrainSchema })
const refusals = [
  'project_missing',
  'not_allowed',
  'task_differs',
  'network_unfit',
  'network_missing',
  'memory_exceeded',
  'flow_packages',
] as const

export const flowSharpenCalls = {
  'flow/forecast': route({
    summary: 'About how long a training of velocity super-resolution would take, or why it would be refused',
    request: asking,
    response: z.object({
      seconds: z.number(),
      /** A training of the same network ended here; without one the real time may well be half or double. */
      isSure: z.boolean(),
    }),
    errors: [...refusals],
  }),
  'flow/train': route({
    summary: 'Queue a training of velocity super-resolution on known flows that the product measures itself',
    request: asking,
    response: runSchema,
    errors: [...refusals, 'network_changed', 'network_limit', 'plan_limit', 'shared_models_limit'],
  }),
  'flow/training': route({
    summary: 'One such training: its curves, and how it does beside interpolation',
    request: z.object({ id }),
    response: flowTrainingSchema,
    errors: ['run_missing'],
  }),
  'flow/sharpeners': route({
    summary:
      'Trained networks of velocity super-resolution of a project, newest first, also those that did not win',
    request: z.object({ projectId: id }),
    response: z.object({ sharpeners: z.array(flowSharpenerSchema) }),
    errors: ['project_missing'],
  }),
  'flow/sharpen': route({
    summary:
      'Make a new, finer study of the corrected one of a run, by a network of the project that beat interpolation; it joins the project',
    request: z.object({
      runId: id,
      trainingId: id,
      name: z.string().trim().min(1).max(flowLimits.nameLength).optional(),
    }),
    response: flowSummarySchema,
    errors: [
      'application_unavailable',
      'run_missing',
      'not_allowed',
      'flow_run_not_done',
      'flow_network_unproven',
      'flow_too_fine',
      'flow_sharpened_already',
      'flow_waiting',
      'flow_packages',
      'shared_datasets_limit',
      'storage_full',
    ],
  }),
}
