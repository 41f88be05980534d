/**
 * Velocity super-resolution: a network learns on known flows that the product measures itself, coarse and fine, and then makes a
 * corrected study finer. It is used only where it beat interpolation on known flows that were kept aside.
 */
import * as z from 'zod'
import type { Hyper } from '../suggest/hyper.ts'
import { flowSharpening as limits } from './sharpening-limits.ts'

/** In the order offered; the first is what a processor can learn in minutes. Documents: contract/wire/networks/<id>.yaml. */
export const flowNetworks = ['flow4d_small', 'flow4d'] as const

/**
 * What a fine study is interpolated by, beside the network: each component linearly, linearly with each velocity weighted by its
 * magnitude (so that noise where there is no signal reaches into no vessel), or by cubic splines.
 */
export const flowInterpolations = ['linear', 'weighted', 'cubic'] as const
export const flowMethods = ['network', ...flowInterpolations] as const
export type FlowMethod = (typeof flowMethods)[number]

const id = z.string().min(1).max(40)

export const flowTrainSchema = z.object({
  /** One of `flowNetworks`, or the id of an own network of task `flow`: its newest saved state. */
  network: id,
  /** Known flows, drawn by `seed`: of five, one chooses the epoch and one is kept aside until the end. */
  flows: z.int().min(limits.leastFlows).max(limits.flows),
  epochs: z.int().min(1).max(limits.epochs),
  seed: z.int().min(0).max(limits.seed),
})
export type FlowTrain = z.infer<typeof flowTrainSchema>

/** What the form begins with: measured on two processor cores, see `flow-sharpen` in docs/figures.md. */
export const flowTrainStart = {
  network: 'flow4d_small',
  flows: 120,
  epochs: 60,
  seed: 1,
} as const satisfies FlowTrain

/** Voxels of the coarse grid along each side of a patch: also the size of both inputs for which the network is planned. */
export const flowPatch = 12

/** All that such a training learns by; the networks answer with what interpolation lacks. */
export const flowTrainHyper = ({ epochs, seed }: Pick<FlowTrain, 'epochs' | 'seed'>): Hyper => ({
  ...{ learningRate: 0.002, scheduler: 'onecycle', decayInterval: 10, decayRatio: 0.1 },
  ...{ epochs, validationInterval: Math.max(1, Math.ceil(epochs / 20)), batchSize: 8 },
  ...{ optimizer: 'adamw', numClass: 1, criterion: 'l1', weightDecay: 0.01 },
  ...{ imageSize: [flowPatch, flowPatch], depth: flowPatch },
  ...{ augment: true, classWeights: false, patience: 0, seed },
})

/** Over fluid voxels of the fine grid. */
const scores = z.object({
  /** Root mean square of the error of the velocity vector, m/s. */
  rmse: z.number(),
  /** The same by the flow's own largest speed. */
  vnrmse: z.number(),
  /** Mean error of speed by the true speed where that is above a tenth of the largest. */
  speedError: z.number(),
  /** Mean angle to the true direction there, in degrees. */
  angle: z.number(),
})
export type FlowScores = z.infer<typeof scores>

/** Artifact `flow_training` (JSON): how the kept epoch does on the flows that were kept aside. SI units. */
export const flowTrainedSchema = z.object({
  v: z.literal(1),
  asked: flowTrainSchema,
  /** How many times finer along each axis. */
  factor: z.int().min(2).max(8),
  parts: z.object({ train: z.int(), validation: z.int(), test: z.int() }),
  /** Means over the flows kept aside. */
  scores: z.record(z.enum(flowMethods), scores),
  /**
   * By how much of its error the network is better than the best of the interpolations, mean over the flows kept aside with its
   * 95 % interval (paired, Student's t); negative = worse.
   */
  gain: z.object({
    against: z.enum(flowInterpolations),
    mean: z.number(),
    low: z.number(),
    high: z.number(),
  }),
  /** The whole interval lies above 0: only then the network is offered. */
  wins: z.boolean(),
  /** Each flow kept aside. */
  flows: z.array(
    z.object({
      /** A kind of `flowLearned`. */
      kind: z.string(),
      snr: z.number(),
      rmse: z.record(z.enum(flowMethods), z.number()),
    }),
  ),
})
export type FlowTrained = z.infer<typeof flowTrainedSchema>

/** Kinds of known flows that are learned from; texts `flow-sharpen:flow.<name>`. */
export const flowLearned = ['tube', 'womersley', 'bend', 'vortex', 'ring', 'eddies'] as const
export type FlowLearned = (typeof flowLearned)[number]

/** Goes into the head of a study that a network made finer, and with it wherever the study goes. */
export const flowSharpenedSchema = z.object({
  /** Of the training run and of the flow run whose corrected study was read. */
  trainingId: z.string(),
  runId: z.string(),
  network: z.string(),
  /** SHA-256 of the weights. */
  weights: z.string().regex(/^[0-9a-f]{64}$/),
  factor: z.int().min(2).max(8),
  /** As the training told it. */
  gain: flowTrainedSchema.shape.gain,
  /** The run read a known flow: nobody was scanned. */
  isKnown: z.boolean().optional(),
})
export type FlowSharpened = z.infer<typeof flowSharpenedSchema>
