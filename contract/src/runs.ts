/** Training and testing runs: start, follow, stop, results. */
import * as z from 'zod'
import { itemResultSchema, resultFiles, runErrors } from './engine.ts'
import { evidenceSchema } from './evidence.ts'
import { projects as projectLimits } from './limits.ts'
import { route } from './route.ts'
import { runStates } from './run-states.ts'
import { type Hyper, hyperSchema, type Validation, validationSchema } from './suggest/hyper.ts'
import type { Task } from './task.ts'
import { projectTaskSchema } from './task-schema.ts'

const id = z.string().min(1).max(40)

const numbers = z.record(z.string(), z.number().nullable())

export const progressSchema = z.object({
  fold: z.int(),
  folds: z.int(),
  epoch: z.int(),
  epochs: z.int(),
  step: z.int(),
  steps: z.int(),
  loss: z.number().nullable(),
  learningRate: z.number().nullable(),
  itemsPerSecond: z.number(),
  etaSeconds: z.number(),
})
export type Progress = z.infer<typeof progressSchema>

export const artifactSchema = z.object({
  kind: z.enum(resultFiles),
  sizeBytes: z.int(),
  sha256: z.string(),
})

/** How much of a network begins with what an earlier training learned. */
export const takenOverSchema = z.object({
  layers: z.int(),
  ofLayers: z.int(),
  parameters: z.int(),
  ofParameters: z.int(),
})

export const startFromSchema = z.object({
  /** It may have been deleted since, or lie in a project that the reader may not see. */
  id: z.string(),
  number: z.int(),
  isSameProject: z.boolean(),
  /** It, or one that it began with, learned from pictures that this run keeps aside: figures may be too good. */
  hasSeenTest: z.boolean(),
  /** Of a model of the shop: its name; `id` is its listing's, `number` its version. */
  model: z.string().nullable().default(null),
  /** Null until the engine has told. */
  taken: takenOverSchema.nullable(),
})

export const runSchema = z.object({
  id: z.string(),
  projectId: z.string(),
  /**
   * `flow`: 4D flow, computed without a network; its own fields stand in `flow/run`. `flow_train`: a network of it learns, see
   * `flow/training`.
   */
  kind: z.enum(['train', 'test', 'predict', 'flow', 'flow_train']),
  /** Of a test or a prediction: the training run whose weights it uses. */
  parentId: z.string().nullable(),
  number: z.int(),
  task: projectTaskSchema,
  state: z.enum(runStates),
  network: z.string(),
  /** Name and version of a network of the member's own; null for one that comes with the product. */
  ownNetwork: z.object({ name: z.string(), version: z.int() }).nullable(),
  /** Of a prediction by a tool that a member made: its name. What is inside it is not told, so `network` is empty. */
  tool: z.string().nullable(),
  /** Null of a prediction. */
  datasetId: z.string().nullable(),
  /** Of a prediction: the folder or the first file that was chosen. */
  datasetName: z.string(),
  classes: z.array(z.string()),
  /** Null of 4D flow. */
  hyper: hyperSchema.nullable(),
  validation: validationSchema.nullable(),
  /** Queued: runs ahead of this one, plus one. */
  position: z.int().nullable(),
  /** Queued: expected wait; null while nothing is known of a run ahead, or no worker is there. */
  startsInSeconds: z.number().nullable(),
  /** Queued: what computing will take; unsure where no run of the same network has ended on the device. */
  takes: z.object({ seconds: z.number(), isSure: z.boolean() }).nullable(),
  /** What was foreseen for the whole run when it was started; null where nothing could be counted. */
  foreseenSeconds: z.number().nullable(),
  /** What computing took so far, without waiting and pauses; of attempts that are over. */
  busySeconds: z.number(),
  /** The earlier training, or model of the shop, whose weights this one begins with; null = from scratch. */
  startFrom: startFromSchema.nullable(),
  stopping: z.boolean(),
  /** A running run that saves itself and then pauses. */
  pausing: z.boolean(),
  /** Times a worker was lost and the run went on from its checkpoint. */
  resumed: z.int(),
  phase: z.string().nullable(),
  progress: progressSchema.nullable(),
  /** Of the best epoch (train) or of the test. First metric of the task = `score`. */
  score: z.number().nullable(),
  metrics: numbers,
  perClass: z.array(z.object({ class: z.string(), values: numbers })),
  confusion: z.array(z.array(z.int())).nullable(),
  counts: z.record(z.string(), z.int()).nullable(),
  parameters: z.int().nullable(),
  error: z
    .object({
      code: z.enum(runErrors),
      params: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
    })
    .nullable(),
  artifacts: z.array(artifactSchema),
  /** Last live event known to this answer: listen from here on. */
  lastEventId: z.int(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
})
export type Run = z.infer<typeof runSchema>

/** A training of a task, or what its weights are used for. */
export type LearnedRun = Run & {
  kind: 'train' | 'test' | 'predict'
  task: Task
  hyper: Hyper
  validation: Validation
}

/** A run in the recycle station. */
export const recycledRunSchema = runSchema
  .pick({ id: true, kind: true, number: true, task: true, projectId: true, datasetName: true })
  .extend({
    /** Its name. */
    project: z.string(),
    /** Of the files that came out of it. */
    sizeBytes: z.int(),
    recycledAt: z.iso.datetime(),
    clearsAt: z.iso.datetime(),
  })
export type RecycledRun = z.infer<typeof recycledRunSchema>

/** One validated epoch, for the curves. */
export const curvePointSchema = z.object({
  fold: z.int(),
  epoch: z.int(),
  split: z.enum(['train', 'validation']),
  values: numbers,
})

export type CurvePoint = z.infer<typeof curvePointSchema>

/** An item's result with pictures to show. */
export const shownItemSchema = itemResultSchema.extend({ image: z.string().nullable() })

/** One sentence why a default was chosen; locale keys `runs.reason.<name>`. */
export const reasonSchema = z.object({
  field: z.string(),
  reason: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

export const suggestionSchema = z.object({
  network: z.string(),
  hyper: hyperSchema,
  validation: validationSchema,
  /** Recommended instead where a single split keeps little aside; null = enough, or too few for so many parts. */
  crossValidation: z.object({ splits: z.int(), seed: z.int() }).nullable(),
  reasons: z.array(reasonSchema),
  /** What stands in the way; locale keys `runs.blocker.<name>`. Empty = ready. */
  blockers: z.array(
    z.object({
      name: z.enum([
        'labels_too_few',
        'dataset_not_ready',
        'data_too_few',
        'cases_too_few',
        'memory_exceeded',
        'network_unfit',
        'batch_too_small',
      ]),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
  /** Things worth knowing that do not stop; some ask for the member's word (`suggest/asking.ts`). */
  cautions: z.array(
    z.object({
      name: z.enum([
        'few_per_class',
        'imbalanced',
        'few_boxes',
        'one_class_train',
        'one_patient_train',
        'class_missing_train',
        'class_missing_test',
        'sizes_differ',
        'brightness_stretched',
        'test_also_learned',
        'test_patients_learned',
        'giveaway_size',
        'giveaway_brightness',
        'giveaway_format',
        'few_test',
        'area_tiny',
        'no_part',
      ]),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
  parameters: z.int(),
  /** With these settings on the device at hand; null where nothing can be counted. */
  forecastSeconds: z.number().nullable(),
  /** A training of the same network has ended on this device; else half or double of it may be true. */
  forecastIsSure: z.boolean(),
  memoryBytes: z.int(),
  deviceMemoryBytes: z.int().nullable(),
  largestBatch: z.int().nullable(),
  /** Whether this member may change the hyperparameters. */
  mayTune: z.boolean(),
})
export type Suggestion = z.infer<typeof suggestionSchema>

/** Passing news on a member's `user` topic, of type `run`: a run of theirs has ended. */
export const endedRunSchema = runSchema
  .pick({ id: true, kind: true, number: true, state: true, error: true })
  .extend({ project: z.string() })
export type EndedRun = z.infer<typeof endedRunSchema>

export const runCalls = {
  'runs/device': route({
    summary: 'What runs are computed on; before any worker has told, its memory is unknown',
    request: z.object({}),
    response: z.object({ kind: z.enum(['cpu', 'cuda']), memoryBytes: z.int().nullable() }),
    errors: [],
  }),
  'runs/suggest': route({
    summary: 'Settings chosen from the data, with reasons and what stands in the way',
    request: z.object({ projectId: id, datasetId: id, network: z.string().max(60).nullable().default(null) }),
    response: suggestionSchema,
    errors: ['project_missing', 'dataset_missing', 'dataset_not_ready', 'task_differs', 'network_unfit'],
  }),
  'runs/start': route({
    summary: 'Queue a training run; settings left out are chosen from the data',
    request: z.object({
      projectId: id,
      /** Exactly two: an image part and its label part. */
      parts: z.array(id).max(10),
      network: z.string().max(60),
      hyper: hyperSchema.partial().default({}),
      validation: validationSchema.optional(),
      /** An earlier training, or a model of the shop, whose weights this one begins with; null = from scratch. */
      startFrom: id.nullable().default(null),
      /** The member's word that few data are meant so. */
      force: z.boolean().default(false),
    }),
    response: runSchema,
    errors: [
      'project_missing',
      'not_allowed',
      'dataset_missing',
      'dataset_not_ready',
      'two_parts_needed',
      'parts_differ',
      'labels_too_few',
      'data_too_few',
      'cases_too_few',
      'task_differs',
      'network_unfit',
      // A network of the member's own that is saved anew or deleted at this very moment, or has no room for a version.
      'network_changed',
      'network_missing',
      'network_limit',
      'memory_exceeded',
      'batch_too_small',
      'plan_limit',
      'shared_models_limit',
      'tuning_gold_only',
      // Of the training to begin with.
      'run_missing',
      'train_first',
      'weights_unfit',
      'model_not_bought',
    ],
  }),
  'runs/test': route({
    summary: 'Queue a test of a trained run on exactly one data set',
    request: z.object({ id, datasets: z.array(id).max(10) }),
    response: runSchema,
    errors: [
      'run_missing',
      'not_allowed',
      'train_first',
      'one_dataset_needed',
      'dataset_missing',
      'dataset_not_ready',
      'task_differs',
      'classes_differ',
      'factor_differs',
    ],
  }),
  'runs/list': route({
    summary: 'Runs of a project (null = of all own projects), newest first',
    request: z.object({ projectId: id.nullable() }),
    response: z.object({
      runs: z.array(runSchema),
      /** Of those that made or used images, by id: the address of one. */
      covers: z.record(z.string(), z.string()),
      /**
       * Of trainings, by id: how the score went from epoch to epoch, a few values of all of them; of the first round of
       * several. Empty in the list of a project.
       */
      courses: z.record(z.string(), z.array(z.number())),
    }),
    errors: ['project_missing'],
  }),
  'runs/detail': route({
    summary: 'One run with its curves so far',
    request: z.object({ id }),
    response: z.object({
      run: runSchema,
      curves: z.array(curvePointSchema),
      preview: z.object({ epoch: z.int(), items: z.array(shownItemSchema) }).nullable(),
      /** Epochs of which the sample images can be looked at (`runs/preview`), in order. */
      previewEpochs: z.array(z.int()),
    }),
    errors: ['run_missing'],
  }),
  'runs/preview': route({
    summary: 'The sample images of a training at one of its epochs',
    request: z.object({ id, epoch: z.int().min(0).max(1_000_000) }),
    response: z.object({ epoch: z.int(), items: z.array(shownItemSchema) }),
    errors: ['run_missing', 'missing'],
  }),
  'runs/stop': route({
    summary: 'Stop a queued or running run; what it learned so far is kept',
    request: z.object({ id }),
    response: runSchema,
    errors: ['run_missing', 'not_allowed', 'run_ended'],
  }),
  'runs/rerun': route({
    summary: 'Queue an ended run once more: the same data or files, network and settings under a new number',
    request: z.object({ id }),
    response: runSchema,
    errors: [
      'run_missing',
      'not_allowed',
      'run_not_ended',
      'project_missing',
      'dataset_missing',
      'data_gone',
      'prediction_gone',
      'run_by_tool',
      'weights_gone',
      'plan_limit',
      'shared_models_limit',
    ],
  }),
  'runs/pause': route({
    summary: 'Pause a queued or running run; it keeps what it learned and the device is free for others',
    request: z.object({ id }),
    response: runSchema,
    errors: ['run_missing', 'not_allowed', 'run_ended'],
  }),
  'runs/resume': route({
    summary: 'Put a paused run back into the queue; it goes on exactly where it was',
    request: z.object({ id }),
    response: runSchema,
    errors: ['run_missing', 'not_allowed', 'run_not_paused'],
  }),
  'runs/remove': route({
    summary: 'Move an own run with its weights and results to the recycle station; one under way is stopped',
    request: z.object({ id }),
    response: z.object({ recycleDays: z.int() }),
    errors: ['run_missing', 'not_allowed'],
  }),
  'runs/recycled': route({
    summary:
      'Own runs in the recycle station, last first; those of a project that is there itself are left out',
    request: z.object({}),
    response: z.object({ runs: z.array(recycledRunSchema), recycleDays: z.int() }),
    errors: [],
  }),
  'runs/restore': route({
    summary: 'Bring a run back from the recycle station; a trained network needs a free place again',
    request: z.object({ id }),
    response: runSchema,
    errors: ['run_missing', 'plan_limit', 'shared_models_limit'],
  }),
  'runs/purge': route({
    summary: 'Delete recycled runs permanently, with their weights and results; null = all of them',
    request: z.object({ ids: z.array(id).min(1).max(projectLimits.recycledShown).nullable() }),
    response: z.object({ purged: z.int() }),
    errors: ['run_missing'],
  }),
  'runs/items': route({
    summary: 'A page of test results, worst first',
    request: z.object({
      id,
      order: z.enum(['worst', 'best', 'wrong']).default('worst'),
      after: z.int().min(0).default(0),
      /** Only those whose score lies in this bin of `runs/scores`. */
      bin: z.int().min(0).max(1000).nullable().default(null),
      /** Only those of one class that were taken for one class. */
      cell: z
        .object({ truth: z.int().min(0).max(100_000), named: z.int().min(0).max(100_000) })
        .nullable()
        .default(null),
      /** Only those that `runs/scores` counts as bad. */
      bad: z.boolean().default(false),
    }),
    response: z.object({ items: z.array(shownItemSchema), next: z.int().nullable(), total: z.int() }),
    errors: ['run_missing'],
  }),
  'runs/scores': route({
    summary:
      'How the scores of the images of a test are spread: counts in bins of equal width, lowest first; and how many went badly',
    request: z.object({ id }),
    response: z.object({
      /** Where the first bin begins and the last one ends. */
      low: z.number(),
      high: z.number(),
      counts: z.array(z.int()),
      /**
       * Images that went badly: named wrongly, with a wrong label, outlined with a Dice below `training.poorScore`, with a
       * missed box, or made worse than before.
       */
      bad: z.int(),
      /** All images of the test. */
      total: z.int(),
    }),
    errors: ['run_missing'],
  }),
  'runs/evidence': route({
    summary: 'Intervals, curves and calibration of a test; null while it has none',
    request: z.object({ id }),
    response: z.object({ evidence: evidenceSchema.nullable() }),
    errors: ['run_missing'],
  }),
  'runs/download': route({
    summary: 'A short-lived link to a result file',
    request: z.object({ id, kind: z.enum(resultFiles) }),
    response: z.object({ url: z.string(), name: z.string(), sizeBytes: z.int() }),
    errors: ['run_missing', 'missing'],
  }),
}
