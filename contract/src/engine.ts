/** The engine protocol: what a run folder holds and what the engine prints. Data only; nothing here starts a process. */
import * as z from 'zod'
import { windowSchema } from './dicom-data.ts'
import { fileReasons } from './file-reasons.ts'
import { phantoms } from './flow/named.ts'
import { phantomScanSchema } from './flow/phantoms.ts'
import { flowRunSchema, flowSectionSchema, flowSectionsToldSchema } from './flow/run.ts'
import { flowSharpenedSchema, flowTrainSchema } from './flow/sharpen.ts'
import { flowAnswerSchema, flowLookSchema, flowStudySchema } from './flow/study.ts'
import { planSchema } from './network/resolve/plan.ts'
import { joinSchema } from './recipes/algebra.ts'
import {
  groupWorks,
  preparedFileSchema,
  preparedPictureSchema,
  prepareReasonSchema,
  recipeSchema,
} from './recipes/recipe.ts'
import { repairSchema } from './recipes/repair.ts'
import { hyperSchema, validationSchema } from './suggest/hyper.ts'
import { taskSchema } from './task-schema.ts'

/** Colours and ids of people never enter a run folder: items are known by the ids that the server gives them. */
export const boxSchema = z.object({
  /** Index into `classes`. */
  class: z.int().min(0),
  /** In pixels of the image as it is stored, from its left and upper edge; x1 > x0, y1 > y0. */
  x0: z.number(),
  y0: z.number(),
  x1: z.number(),
  y1: z.number(),
})
export type Box = z.infer<typeof boxSchema>

/** What a data set itself says an item is for. */
export const givenParts = ['train', 'validation', 'test'] as const

export const manifestItemSchema = z.object({
  id: z.string(),
  /** The user's own file name, for tables and downloads only; never used as a path. */
  name: z.string(),
  /** Path below `data.root`: an image, a NIfTI volume, the small image, the noisy image. */
  image: z.string(),
  /** Path below `data.root`: of the mask, the large image, the clean image; else null. */
  label: z.string().nullable(),
  /** Index into `classes` (classification), else null. */
  class: z.int().min(0).nullable(),
  /** Indices into `classes` (multi-label; may be empty), else null. */
  labels: z.array(z.int().min(0)).nullable().default(null),
  /** Detection (may be empty), else null. */
  boxes: z.array(boxSchema).nullable().default(null),
  part: z.enum(givenParts).nullable().default(null),
  /** Path below `data.root`: a mask of where in the image there is something to see; nothing else counts. */
  region: z.string().nullable().optional(),
  /** Items of one group (patient, series, identical bytes) never stand on both sides of a split. */
  group: z.string(),
  /** Of what is made of DICOM when a run begins: the SHA-256 of its files; `image` is the first of them. */
  sources: z.array(z.string()).min(1).optional(),
})

export const manifestSchema = z.object({
  v: z.literal(1),
  task: taskSchema,
  /** Empty where no classes are told apart (super-resolution, denoising). */
  classes: z.array(z.string()),
  channels: z.union([z.literal(1), z.literal(3)]),
  /** Mask pixel value (as text), colour (`#ff0000`) or `*` for every other value to class index, -1 for what does not count; `{}` without masks. */
  maskValues: z.record(z.string(), z.int().min(-1)),
  /** Masks were smeared: a value is as good as the nearest one of `maskValues`. */
  nearest: z.boolean().optional(),
  /** How many times larger a label is than its image (super-resolution), else 1. */
  factor: z.int().min(1).max(8).default(1),
  /** By which pictures of DICOM were drawn, where not by their own. */
  window: windowSchema.optional(),
  items: z.array(manifestItemSchema),
})
export type Manifest = z.infer<typeof manifestSchema>
export type ManifestItem = Manifest['items'][number]

const device = z.object({
  kind: z.enum(['cpu', 'cuda']),
  index: z.int().default(0),
  threads: z.int().min(1),
  memoryBytes: z.int().positive().nullable(),
})

const common = {
  v: z.literal(1),
  run: z.string(),
  attempt: z.int().min(1),
  /** Folder below the run folder that the engine may write. */
  outputs: z.literal('out'),
}

const networkRun = {
  ...common,
  task: taskSchema,
  plan: planSchema,
  planHash: z.string(),
  data: z.object({ manifest: z.string(), root: z.string() }),
  hyper: hyperSchema,
  validation: validationSchema,
  device,
}

/**
 * Train: writes checkpoints, weights, ONNX. `resume` names a checkpoint folder below the run folder, or null; it wins
 * over `start`, a file of weights to begin with. `startNames` gives renamed nodes the paths that they had there.
 */
export const trainSpecSchema = z.object({
  ...networkRun,
  kind: z.literal('train'),
  resume: z.string().nullable(),
  start: z.string().nullable(),
  startNames: z.record(z.string(), z.string()),
  /** By which the data set's files were prepared: goes with the weights. */
  recipe: recipeSchema.optional(),
})

/** Test: `part` "held-out" takes the items that training on this very manifest kept aside, "all" takes every item. */
export const testSpecSchema = z.object({
  ...networkRun,
  kind: z.literal('test'),
  weights: z.string(),
  part: z.enum(['held-out', 'all']),
})

/** Predict: the weights on items without labels, whose files nobody has looked at before. */
export const predictSpecSchema = z.object({
  ...networkRun,
  kind: z.literal('predict'),
  weights: z.string(),
  maxPixels: z.int().positive(),
  /** Also how unsure the network is of each class. */
  doubts: z.boolean().optional(),
  /** What is done with each file before the network sees it. */
  recipe: recipeSchema.nullable(),
})

/** What a file is opened as; the volumes are NIfTI. */
export const fileRoles = ['image', 'mask', 'volume', 'volume_mask'] as const
export type FileRole = (typeof fileRoles)[number]

/** How one mask is made of several: what any of them marks, what most of them mark, or each with a value of its own. */
const mixSchema = z.object({
  how: z.enum(['any', 'most', 'kinds']),
  /** The other files; the first is the file itself. */
  paths: z.array(z.string()),
  /** With `kinds`: the value of each, the file itself first. */
  kinds: z.array(z.int().min(1)).nullable(),
  /** The camera's note (EXIF) of the image, by which masks are turned that were drawn without it; 1: none. */
  turn: z.int().min(1).max(8),
  /**
   * What values mean in all masks of the data set, as in the manifest: the result keeps their code, so that joining some
   * of the masks changes no class. Missing: masks that mark one thing become 0 and 1.
   */
  code: z
    .object({ values: z.record(z.string(), z.int().min(-1)), nearest: z.boolean() })
    .nullable()
    .optional(),
})

export type Mix = z.infer<typeof mixSchema>

/** Check: reads files, prints one `file` event each, writes thumbnails `out/thumbnails/<id>.webp` when asked. */
export const checkSpecSchema = z.object({
  ...common,
  kind: z.literal('check'),
  maxPixels: z.int().positive(),
  thumbnailSize: z.int().min(0),
  /** With `mix`, the mask that is made of several files is written to `out/made/<id>` and told about in their place. */
  files: z.array(
    z.object({
      ...{ id: z.string(), path: z.string(), role: z.enum(fileRoles) },
      mix: mixSchema.nullable().optional(),
    }),
  ),
})
/** Prepare: makes files of files, prints one `prepared` event each; what is made lies below `out/made`. */
export const prepareSpecSchema = z.object({
  ...common,
  kind: z.literal('prepare'),
  maxPixels: z.int().positive(),
  memoryBytes: z.int().positive(),
  work: z.discriminatedUnion('do', [
    z.object({ do: z.literal('recipe'), recipe: recipeSchema }),
    /** Boxes and points of pictures that were prepared before. */
    z.object({ do: z.literal('labels'), pictures: z.array(preparedPictureSchema) }),
    z.object({ do: z.enum(groupWorks) }),
    /** Each mask by its own repairs; the second file is its image. */
    z.object({ do: z.literal('repair') }),
    /** Several masks of one picture, the first first. */
    joinSchema.extend({ do: z.literal('join') }),
  ]),
  files: z.array(
    z.object({
      id: z.string(),
      /** Several for works on groups; of a mask its image may follow, where a step looks at that. */
      paths: z.array(z.string()).min(1),
      /** As members call them: data for new names, never paths. Of labels, with their folders. */
      names: z.array(z.string()).min(1),
      isMask: z.boolean(),
      /** Of a mask, the size of its image. */
      expect: z.object({ width: z.int(), height: z.int() }).nullable(),
      repairs: z.array(repairSchema).optional(),
    }),
  ),
})
export type PrepareSpec = z.infer<typeof prepareSpecSchema>

const flowFiles = z.array(
  /** As members call them, with folders: a list of times names others so. */
  z.object({ path: z.string(), name: z.string() }),
)

/** Flow: 4D flow MRI. */
export const flowSpecSchema = z.object({
  ...common,
  kind: z.literal('flow'),
  /** Of a study, and of what a file may claim. */
  maxBytes: z.int().positive(),
  memoryBytes: z.int().positive(),
  work: z.discriminatedUnion('do', [
    /** What files of NIfTI, HDF5, MAT and VTK tell: one `flow_look` event. */
    z.object({ do: z.literal('look'), files: flowFiles }),
    /** A study of them, `out/study.safetensors`, as a person settled it: one `flow_made` event. */
    z.object({ do: z.literal('make'), files: flowFiles, look: flowLookSchema, answer: flowAnswerSchema }),
    /** A known flow, measured: likewise. What is left out of `scan` stays as the gallery has it. */
    z.object({ do: z.literal('phantom'), name: z.enum(phantoms), scan: phantomScanSchema }),
    /**
     * A study corrected, masked and measured: phases, progress and artifacts as of other runs. `mask`: the file that was chosen, else
     * null. Refused with `flow_not_computed`. What an attempt before has corrected is taken over.
     */
    z.object({
      do: z.literal('compute'),
      study: z.string(),
      mask: z.string().nullable(),
      asked: flowRunSchema,
    }),
    /** Flow through planes of a corrected study; `mask`: as a run wrote it. One `flow_sections` event. */
    z.object({
      do: z.literal('sections'),
      study: z.string(),
      mask: z.string(),
      sections: z.array(flowSectionSchema),
    }),
    /**
     * A corrected study (unwrapped, turned), made finer by a network around its mask; what lies outside the mask's neighbourhood is
     * interpolated. `out/study.safetensors` and, by linear interpolation weighted by magnitude alone, `out/interpolated.safetensors`: two `flow_made` events, in
     * this order. `sharpened` goes into both heads' `sharpened` but for the interpolated one. Needs torch; at most `maxVoxels` come out.
     */
    z.object({
      do: z.literal('sharpen'),
      study: z.string(),
      mask: z.string(),
      weights: z.string(),
      plan: planSchema,
      /** Voxels of the coarse grid around the mask that are kept. */
      margin: z.int().min(0),
      maxVoxels: z.int().positive(),
      sharpened: flowSharpenedSchema,
      threads: z.int().min(1),
    }),
  ]),
})
export type FlowSpec = z.infer<typeof flowSpecSchema>

/**
 * Flow training: velocity super-resolution on known flows that the engine measures itself, all of them known by `asked`. Events,
 * checkpoints and exports as of `train`; metrics `loss` and, of each validation, `rmse`, `rmseLinear`, `rmseWeighted`,
 * `rmseCubic` in m/s; and the
 * artifact `flow_training`.
 */
export const flowTrainSpecSchema = z.object({
  ...common,
  kind: z.literal('flow_train'),
  plan: planSchema,
  planHash: z.string(),
  /** `imageSize` and `depth`: of a patch of the coarse grid; `batchSize`: patches. */
  hyper: hyperSchema,
  device,
  asked: flowTrainSchema,
  resume: z.string().nullable(),
})
export type FlowTrainSpec = z.infer<typeof flowTrainSpecSchema>

export const runSpecSchema = z.discriminatedUnion('kind', [
  trainSpecSchema,
  testSpecSchema,
  predictSpecSchema,
  checkSpecSchema,
  prepareSpecSchema,
  flowSpecSchema,
  flowTrainSpecSchema,
])
export type RunSpec = z.infer<typeof runSpecSchema>

/** Names of files that the engine may be able to read; what lies under such a name is looked at, never believed. */
export const imageExtensions = [
  ...['png', 'jpg', 'jpeg', 'jfif', 'tif', 'tiff', 'bmp', 'webp', 'gif'],
  /** Portable maps of grey values and colours, as research has them. */
  ...['ppm', 'pgm'],
] as const

export const fileFactsSchema = z.object({
  format: z.string(),
  width: z.int(),
  height: z.int(),
  /** Slices of a volume; null for an image. */
  depth: z.int().nullable(),
  /** Of a volume: distances of voxels in mm along depth, height and width. */
  spacing: z.tuple([z.number(), z.number(), z.number()]).nullable(),
  /** Of a volume: where its axes point, as three of L/R, A/P, S/I in the order of depth, height, width. */
  orientation: z.string().nullable(),
  /**
   * Of a volume: three rows of four that lead from voxels (across, down, through) to the patient in mm; null where the file
   * does not say, missing in what was read before places were compared.
   */
  affine: z.array(z.number()).length(12).nullable().optional(),
  /** Channels that carry information: 1 when grey (also grey stored as RGB or with constant alpha), else 3. */
  channels: z.union([z.literal(1), z.literal(3)]),
  bits: z.int(),
  /** Over all pixels, scaled so that the type's maximum is 1. */
  mean: z.number(),
  std: z.number(),
  /** Masks only: pixel value (as text) or colour (`#ff0000`) to pixel count, at most 256 values. */
  values: z.record(z.string(), z.int()).nullable(),
  /**
   * Masks only: the colour behind each of `values`, where these are numbers of a palette; null where they are none, missing in
   * what was read before palettes were compared.
   */
  palette: z.record(z.string(), z.string()).nullable().optional(),
  /** Masks only: `values` are what the file's many values are smeared from. */
  smeared: z.boolean().optional(),
  /** Masks only: so many things with a value each, more than classes can be; `values` tells them as one. */
  things: z.int().optional(),
  /** Of a mask that was made of several: mean Dice of what each two of them mark. */
  agreement: z.number().nullable().optional(),
  /** Pictures of one size that the file holds, of which the first is read; missing in what was read before they were counted. */
  pages: z.int().optional(),
  /** The camera's note (EXIF) that was followed when the picture was read; missing in what was read before it was. */
  turn: z.int().optional(),
  /**
   * What it looks like: two hashes of 256 bits as hex, of the whole and of what lies within a border of 2 %. Null for
   * masks and even areas; missing in what was found out before there were fingerprints.
   */
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{128}$/)
    .nullable()
    .optional(),
})
export type FileFacts = z.infer<typeof fileFactsSchema>

/** Warnings of a run; locale keys `runWarning.<name>`. */
export const runWarnings = [
  'loss_plateau',
  'class_missing',
  /** Learned from: at most one class, or nothing that is marked. */
  'single_class',
  /** Epochs are chosen on pictures of patients that are learned from. */
  'validation_known',
  'file_skipped',
  'disk_low',
  'checkpoint_refused',
  'onnx_unavailable',
  'torchscript_unavailable',
] as const

/** How a run can fail; locale keys `runError.<name>` with the event's `data` as parameters. */
export const runErrors = [
  'plan_invalid',
  'internal_plan_mismatch',
  'data_missing',
  'data_unreadable',
  /** Of a prediction: not one file. */
  'nothing_readable',
  /** Of a prediction: what was chosen is deleted or no longer shared. */
  'source_gone',
  'data_pair_mismatch',
  'data_too_few',
  'class_unseen',
  'memory_estimate_exceeded',
  'out_of_memory',
  'loss_not_finite',
  'device_lost',
  'disk_full',
  'checkpoint_incompatible',
  /** Of the weights to begin with, not one layer fits. */
  'weights_unfit',
  /** Of the engine's Python: packages. */
  'packages_missing',
  /** Files are no study of flow. problem: one of `flowProblems`, with its parameters beside it. */
  'flow_refused',
  /** A flow run computes nothing. refusal: one of `flowRefusals`, with its parameters beside it. */
  'flow_not_computed',
  'timeout',
  'program_terminated',
  'internal',
] as const
export type RunError = (typeof runErrors)[number]

const params = z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())]))
const numbers = z.record(z.string(), z.number().nullable())
const stamp = { v: z.literal(1), seq: z.int().min(0), t: z.number() }

/** One item of a preview or test: what the network said of it. Segmentation pictures lie below `out/`. */
export const itemResultSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** True class (classification). */
  truth: z.int().nullable(),
  /** True labels (multi-label), else null. */
  labels: z.array(z.int()).nullable().default(null),
  /** One per class (classification, multi-label), else empty. */
  probabilities: z.array(z.number()),
  /** Classes that are named by the thresholds of the training; null where nothing is named, and in results of before. */
  named: z.array(z.int()).nullable().default(null),
  /** True boxes and found ones, surest first (detection), else null. */
  boxes: z
    .object({ truth: z.array(boxSchema), found: z.array(boxSchema.extend({ score: z.number() })) })
    .nullable()
    .default(null),
  /**
   * Probability of the true class; F1 of labels or boxes; mean Dice over the classes present; PSNR in dB: low = bad.
   * Null without a label.
   */
  score: z.number().nullable(),
  values: numbers,
  /**
   * Image with the true and the predicted outlines or boxes; of a volume its slice with the most of the classes; of a
   * restoration the parts input | result | truth | error, side by side. Null without.
   */
  overlay: z.string().nullable(),
  /**
   * Where the network looked for the class that it is surest of (classification, several labels): to lay over the
   * image, which it covers whole. Null where it was not looked for, or nothing in the image speaks for the class.
   */
  heat: z.string().nullable().default(null),
  /** How unsure the network is of each class, 0 to 1: entropy of what it names so. Null where nobody asked. */
  doubt: z.array(z.number()).nullable().optional(),
  /** Of a volume: the slice of the overlay without outlines. Left out before there was one. */
  plain: z.string().nullable().optional(),
  /** Of a volume: which slice the overlay shows, counted from 1 as in the viewer. */
  slice: z
    .object({ number: z.int().min(1), count: z.int().min(1) })
    .nullable()
    .optional(),
  /** Of a restoration whose overlay shows a part of the image: the same parts of the whole image. */
  whole: z.string().nullable().optional(),
  /** Of detection: width and height of the image, in whose pixels the boxes are. Before, boxes were drawn in one colour. */
  size: z
    .tuple([z.int().min(1), z.int().min(1)])
    .nullable()
    .optional(),
  /** Of outlines of several classes: the overlay has a colour for each. Left out where all found outlines have one. */
  palette: z.enum(['classes']).optional(),
})
export type ItemResult = z.infer<typeof itemResultSchema>

/** Files of a run that a member may download. */
export const resultFiles = [
  'weights',
  'onnx',
  'torchscript',
  'predictions_csv',
  /** Masks as PNG, of volumes as NIfTI. */
  'masks_zip',
  /** Found boxes as COCO results. */
  'boxes_json',
  /** Restored images as PNG. */
  'images_zip',
  /** Of 4D flow: the corrected study (as `flowStudySchema`), its mask, Q and λ2, streamlines (VTP), all numbers (JSON). */
  'flow_study',
  'flow_mask_values',
  'flow_derived',
  'flow_lines',
  'flow_numbers',
  /** Of a training of velocity super-resolution: how it does beside interpolation (JSON = `flowTrainedSchema`). */
  'flow_training',
  /** As NIfTI: of the study's grid. */
  'flow_mask',
  'flow_angiogram',
] as const

export const engineEventSchema = z.discriminatedUnion('type', [
  z.object({
    ...stamp,
    type: z.literal('started'),
    /** null on a first start; where a resumed run goes on. */
    resumedFrom: z.object({ fold: z.int(), epoch: z.int(), step: z.int() }).nullable(),
    versions: z.record(z.string(), z.string()),
    device: z.string(),
    parameters: z.int(),
    planHash: z.string(),
  }),
  z.object({
    ...stamp,
    type: z.literal('phase'),
    phase: z.enum([
      'preparing',
      'checking_data',
      'training',
      'validating',
      'testing',
      'predicting',
      'exporting',
      /** Of 4D flow. */
      'correcting',
      'measuring',
    ]),
    /** Items per part, with `checking_data`. */
    counts: z.record(z.string(), z.int()).nullable(),
  }),
  z.object({
    ...stamp,
    /** Once, where a training begins with the weights of an earlier one. */
    type: z.literal('taken_over'),
    layers: z.int(),
    ofLayers: z.int(),
    parameters: z.int(),
    ofParameters: z.int(),
  }),
  z.object({
    ...stamp,
    type: z.literal('progress'),
    fold: z.int().min(0),
    folds: z.int().min(1),
    epoch: z.int().min(1),
    epochs: z.int().min(1),
    step: z.int().min(1),
    steps: z.int().min(1),
    loss: z.number().nullable(),
    learningRate: z.number().nullable(),
    itemsPerSecond: z.number(),
    etaSeconds: z.number(),
  }),
  z.object({
    ...stamp,
    type: z.literal('metrics'),
    split: z.enum(['train', 'validation', 'test']),
    fold: z.int().min(0),
    epoch: z.int(),
    /** `loss` and the task's metrics; for training also `learningRate`. */
    values: numbers,
    perClass: z.array(z.object({ class: z.string(), values: numbers })),
    /** Rows = truth, columns = predicted; classification only, else null. */
    confusion: z.array(z.array(z.int())).nullable(),
    /** true when this epoch's weights are the best so far. */
    best: z.boolean(),
  }),
  z.object({
    ...stamp,
    /** Once, at the end of a cross-validation: all items together, each tested by a network that had not seen it. */
    type: z.literal('pooled'),
    perClass: z.array(z.object({ class: z.string(), values: numbers })),
    confusion: z.array(z.array(z.int())).nullable(),
  }),
  z.object({
    ...stamp,
    type: z.literal('preview'),
    fold: z.int().min(0),
    epoch: z.int(),
    items: z.array(itemResultSchema),
  }),
  z.object({
    ...stamp,
    type: z.literal('file'),
    id: z.string(),
    facts: fileFactsSchema.nullable(),
    reason: z.enum(fileReasons).nullable(),
  }),
  z.object({
    ...stamp,
    type: z.literal('prepared'),
    id: z.string(),
    reason: prepareReasonSchema.nullable(),
    before: z.object({ width: z.int(), height: z.int() }).nullable(),
    made: z.array(preparedFileSchema),
  }),
  z.object({ ...stamp, type: z.literal('flow_look'), look: flowLookSchema }),
  z.object({
    ...stamp,
    type: z.literal('flow_made'),
    path: z.string(),
    sha256: z.string(),
    bytes: z.int(),
    head: flowStudySchema,
  }),
  z.object({ ...stamp, type: z.literal('flow_sections'), told: flowSectionsToldSchema }),
  z.object({
    ...stamp,
    type: z.literal('checkpoint'),
    path: z.string(),
    sha256: z.string(),
    bytes: z.int(),
    fold: z.int().min(0),
    epoch: z.int(),
    step: z.int(),
    reason: z.enum(['last', 'best', 'stop']),
  }),
  z.object({
    ...stamp,
    type: z.literal('artifact'),
    kind: z.enum([...resultFiles, 'items', 'evidence', 'set_aside']),
    path: z.string(),
    sha256: z.string(),
    bytes: z.int(),
  }),
  z.object({ ...stamp, type: z.literal('warning'), code: z.enum(runWarnings), data: params }),
  z.object({ ...stamp, type: z.literal('heartbeat'), memoryBytes: z.int() }),
  z.object({ ...stamp, type: z.literal('error'), code: z.enum(runErrors), data: params, trace: z.string() }),
  z.object({
    ...stamp,
    type: z.literal('end'),
    state: z.enum(['done', 'stopped', 'failed']),
    metrics: numbers,
    weightsSha256: z.string().nullable(),
    /** What this attempt would have taken with the cores to itself. */
    quietSeconds: z.number().optional(),
  }),
])
export type EngineEvent = z.infer<typeof engineEventSchema>

/** One line on the engine's standard input. A closed input means that the parent is gone: save and end. */
export const engineCommandSchema = z.discriminatedUnion('command', [
  z.object({ command: z.literal('run'), folder: z.string() }),
  z.object({ command: z.literal('stop') }),
])
export type EngineCommand = z.infer<typeof engineCommandSchema>

/** Exit codes: 0 done, 3 stopped, 64 bad spec, 65 data or numbers, 70 internal, 71 memory; no `end` event = it crashed. */
export const exitCodes = { done: 0, stopped: 3, badSpec: 64, data: 65, internal: 70, memory: 71 } as const
