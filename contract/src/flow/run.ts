/**
 * A flow run: one study corrected, masked and measured. What a member asks for, and what the engine tells of it. Shapes and ranges;
 * what only shows against the data, and whatever is refused in words of its own (an even window, no kind), says `flowProblems`.
 */

import * as z from 'zod'
import { flow as limits } from '../limits.ts'
import { flowLights } from './named.ts'
import { flowKinds } from './options.ts'
import { flowSettingsSchema } from './options-schema.ts'
import { flowSharpenedSchema } from './sharpen.ts'

const three = z.tuple([z.number(), z.number(), z.number()])
const distinct = (values: readonly unknown[]) => new Set(values).size === values.length

/**
 * Component c goes along `signs[c] · directions[order[c]]` of the study's head. Only ever set by a person, after the direction check
 * has offered it. The first sign is + : that of all three together shows nowhere.
 */
export const flowTurnSchema = z.object({
  order: z
    .tuple([z.int().min(0).max(2), z.int().min(0).max(2), z.int().min(0).max(2)])
    .refine(distinct, 'form.invalid'),
  signs: z.tuple([
    z.literal(1),
    z.union([z.literal(1), z.literal(-1)]),
    z.union([z.literal(1), z.literal(-1)]),
  ]),
})
export type FlowTurn = z.infer<typeof flowTurnSchema>

/** In the order in which they are made. */
export const flowCorrectionsSchema = z.object({
  /** Of the polynomial that is taken for the eddy currents' background, fitted to still tissue; null leaves it. */
  offset: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]).nullable(),
  /** In space and time; a noise filter helps it where it has to. */
  unwrap: z.boolean(),
  /** Null = as recorded. */
  turn: flowTurnSchema.nullable(),
})
export type FlowCorrections = z.infer<typeof flowCorrectionsSchema>

const voxel = z.int().min(0).max(limits.slices)

export const flowMaskSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('threshold'),
    /** Share of the angiogram's top (its 99.9th percentile); null = three deviations above what does not flow. */
    level: z.number().min(0).max(1).nullable(),
    /** Pieces that hold one of these voxels (x, y, z, from 0) are kept; without any the largest piece. */
    grow: z.array(z.tuple([voxel, voxel, voxel])).max(limits.grow),
  }),
  /** Drawn with the labelling tools, or found by an own network: a volume of the cloud with the study's own grid; all but 0 is inside. */
  z.object({ kind: z.literal('file'), fileId: z.string().min(1).max(40) }),
])
export type FlowMask = z.infer<typeof flowMaskSchema>

export const flowRunSchema = z.object({
  /** May be empty here: the refusal has words of its own. */
  kinds: z.array(z.enum(flowKinds)).max(flowKinds.length).refine(distinct, 'form.invalid'),
  settings: flowSettingsSchema,
  /** Of the window's fit. */
  fitOrder: z.union([z.literal(1), z.literal(3)]),
  /** Of the generator that places seeds. */
  seed: z.int().min(0).max(limits.seed),
  corrections: flowCorrectionsSchema,
  mask: flowMaskSchema,
})
export type FlowRun = z.infer<typeof flowRunSchema>

/** A step of the corrections; texts `flow-run:step.<name>`. */
export const flowSteps = ['offset', 'unwrap', 'filter'] as const

export const flowStepSchema = z.object({
  name: z.enum(flowSteps),
  isDone: z.boolean(),
  /** `offset`: m/s left in still tissue; `unwrap`, `filter`: share of torn voxels. */
  before: z.number().nullable(),
  after: z.number().nullable(),
  /** More numbers of the step's sentence. */
  numbers: z.record(z.string(), z.number().nullable()),
})
export type FlowStep = z.infer<typeof flowStepSchema>

export const flowLightSchema = z.object({
  name: z.enum(flowLights),
  /** In the unit of `unit`; null where it could not be found, and then `why` says so. */
  value: z.number().nullable(),
  unit: z.enum(['voxels', 'mm', 'ms', 'VENC', '%', 'cm/s', '']),
  /** Up to `good` green, up to `fair` amber; from `good` on where more is better. */
  good: z.number(),
  fair: z.number(),
  isMoreBetter: z.boolean(),
  /** `grey`: not found. */
  colour: z.enum(['green', 'amber', 'red', 'grey']),
  numbers: z.record(z.string(), z.number().nullable()),
  /** Reason of a refusal, of `flowRefusals`. */
  why: z.string().nullable(),
})
export type FlowLight = z.infer<typeof flowLightSchema>

/** Why the engine computes nothing, or one thing not. Texts `flow-run:refusal.<name>`, each with its remedy; params behind. */
export const flowRefusals = [
  /** Nothing around the vessels stands still, or nothing could be told from noise. */
  'no_static_tissue',
  /** share, needed (from 0 to 1), order: more still tissue is needed for this order. */
  'static_tissue_little',
  'one_frame',
  /** Nothing is above the level, or nothing of the file lies inside. */
  'mask_empty',
  /** x, y, z from 1. */
  'seed_outside_mask',
  /** Of the mask's grid and the study's: mask, study as text (x × y × z). */
  'mask_other_grid',
  /** The file is no volume that can be read. */
  'mask_unreadable',
  'mask_too_thin',
  'out_of_memory',
] as const
export type FlowRefusal = (typeof flowRefusals)[number]

export const flowDirectionCheckSchema = z.object({
  /** Two or more frames are averaged first. From 1.3 on the best one is told as sure. */
  isSure: z.boolean(),
  /** Score of the runner-up over that of the best. */
  ratio: z.number(),
  best: flowTurnSchema.extend({ score: z.number() }),
  /** As the run took them: recorded, or as a person turned them. */
  taken: flowTurnSchema.extend({ score: z.number() }),
})
export type FlowDirectionCheck = z.infer<typeof flowDirectionCheckSchema>

/** One value a frame. */
const curve = z.array(z.number().nullable())

/** SI units. `flow_numbers`: what a run's file of numbers holds, for pages, reports and whoever takes it along. */
export const flowResultsSchema = z.object({
  v: z.literal(1),
  asked: flowRunSchema,
  /** SHA-256 of the study that was read, and of its own sources. */
  study: z.object({
    sha256: z.string(),
    sources: z.string(),
    /** Where a network made it finer: its numbers were not measured so finely. */
    sharpened: flowSharpenedSchema.optional(),
  }),
  still: z.object({ voxels: z.int(), share: z.number() }),
  steps: z.array(flowStepSchema),
  /** Null where the mask is too thin to tell. */
  directions: flowDirectionCheckSchema.nullable(),
  mask: z.object({
    kind: z.enum(['threshold', 'file']),
    /** Share of the angiogram's top; null of a file. */
    level: z.number().nullable(),
    voxels: z.int(),
    /** m³ */
    volume: z.number(),
    pieces: z.int(),
  }),
  lights: z.array(flowLightSchema),
  /** Within the mask, m/s. */
  speed: z.object({ max: curve, p99: curve, mean: curve }),
  /** ½ρ∫v² over the mask in joules, with 1060 kg/m³. */
  energy: curve,
  /** μ∫2S:S over the mask in watts, with 4 mPa·s; known to be too low near walls (−34, −18, −12 % at 8, 16, 24 voxels across). */
  loss: curve,
  /** Of kind `vortex`: |∇×v| in the mask without its outermost voxels, 1/s; `sigma`: what noise alone gives in a plane fit. */
  vorticity: z
    .object({
      window: z.int(),
      fitOrder: z.union([z.literal(1), z.literal(3)]),
      p99: curve,
      mean: curve,
      sigma: z.number().nullable(),
    })
    .nullable(),
  /** Share of the mask with Q > 0, and with λ2 < 0. */
  vortices: z.object({ q: curve, lambda2: curve }),
  /** Of kind `fluidLine`: streamlines through the mask at the frame of most flow; lengths in metres. */
  lines: z
    .object({
      frame: z.int(),
      count: z.int(),
      meanLength: z.number().nullable(),
      longest: z.number().nullable(),
    })
    .nullable(),
})
export type FlowResults = z.infer<typeof flowResultsSchema>

/** A plane that flow is measured through, kept with a run. Metres along the grid from the middle of voxel (0, 0, 0). */
export const flowSectionSchema = z.object({
  name: z.string().trim().min(1).max(limits.sectionNameLength),
  centre: three,
  normal: three.refine((normal) => Math.hypot(...normal) > 1e-9, 'form.invalid'),
  /** `vessel`: the piece of the mask around the centre; `circle`: of `radius`. */
  region: z.enum(['vessel', 'circle']),
  radius: z.number().min(0.0005).max(0.2),
  rule: z.enum(['exact', 'voxels']),
})
export type FlowSection = z.infer<typeof flowSectionSchema>

/** Forward is along the normal; SI units; volumes are of a beat, null where frames do not make one. */
export const flowSectionNumbersSchema = z.object({
  rate: curve,
  area: curve,
  mean: curve,
  peak: curve,
  p99: curve,
  forward: z.number().nullable(),
  backward: z.number().nullable(),
  net: z.number().nullable(),
  regurgitantFraction: z.number().nullable(),
  pulsatility: z.number().nullable(),
  voxelsAcross: flowLightSchema,
})
export type FlowSectionNumbers = z.infer<typeof flowSectionNumbersSchema>

/** Why the engine has no numbers of a plane. */
const planeRefusals = ['centre_outside_mask', 'region_empty', 'region_without_values', 'too_large'] as const
/** Why no plane of a run could be measured: whatever was tried failed, or the memory was not enough. */
export const measuringFailures = ['not_measured', 'out_of_memory'] as const
export type MeasuringFailure = (typeof measuringFailures)[number]

export const flowMeasuredSectionSchema = flowSectionSchema.extend({
  numbers: flowSectionNumbersSchema.nullable(),
  /** Why there are none. Texts `flow-run:section.<name>`. */
  refusal: z.enum([...planeRefusals, ...measuringFailures]).nullable(),
})
export type FlowMeasuredSection = z.infer<typeof flowMeasuredSectionSchema>

/** What the engine tells of all planes of a run, in their order. */
export const flowSectionsToldSchema = z.object({
  sections: z.array(
    z.object({ numbers: flowSectionNumbersSchema.nullable(), refusal: z.enum(planeRefusals).nullable() }),
  ),
  /** Between the first plane and each other one; null with fewer than two. */
  massBalance: flowLightSchema.nullable(),
})
export type FlowSectionsTold = z.infer<typeof flowSectionsToldSchema>
