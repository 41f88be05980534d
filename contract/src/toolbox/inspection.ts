/** What stands in a file of weights, layer by layer and tensor by tensor. Data only. */
import * as z from 'zod'
import { route } from '../route.ts'

const id = z.string().min(1).max(40)
const sourceSchema = z.discriminatedUnion('from', [
  /** A training that left weights. */
  z.object({ from: z.literal('run'), id }),
  /** A file of the cloud: safetensors or ONNX, told by what it holds. */
  z.object({ from: z.literal('file'), id }),
])
export type WeightsSource = z.infer<typeof sourceSchema>

/** Why a file is not looked into. Texts: `inspector.refused.<name>`. */
export const weightsReasons = [
  'empty',
  /** A Python pickle, or an archive that may hold one: opening it can run programs. */
  'pickle',
  'unknown',
  'header',
  'truncated',
  'overlap',
  'gaps',
  'sizes',
  'damaged',
  'format',
  'too_many',
] as const

const number = z.number().nullable()
const figuresSchema = z.object({
  ...{ min: number, max: number, mean: number, std: number },
  /** Share of numbers that are 0. */
  zeros: z.number(),
  /** Numbers that are infinite or none at all. */
  notFinite: z.int(),
  /** Counts between the least and the greatest number; empty where all are equal. */
  histogram: z.array(z.int()),
  /** Share of the filters that are all but zero; null where there are no filters. */
  quiet: number,
})

const tensorSchema = z.object({
  name: z.string(),
  layer: z.string(),
  /** As safetensors calls it: F32, BF16, … */
  format: z.string(),
  shape: z.array(z.number()),
  parameters: z.number(),
  bytes: z.number(),
  /** Null where the numbers lie in another file or cannot be read. */
  figures: figuresSchema.nullable(),
  /** With a second network that has the same tensor: ‖b − a‖ / ‖a‖ and the cosine of both. */
  compared: z.object({ change: number, cosine: number }).nullable(),
})

export const foundWeightsSchema = z.object({
  kind: z.enum(['safetensors', 'onnx']),
  layers: z.array(z.object({ name: z.string(), op: z.string(), output: z.string().nullable() })),
  tensors: z.array(tensorSchema),
  /** More than are told. */
  tensorCount: z.int(),
  parameters: z.number(),
  bytes: z.number(),
  /** Tensors whose numbers the file seeks in another file. */
  external: z.int(),
  /** Tensors that only one of two networks has. */
  unmatched: z.object({ here: z.int(), there: z.int() }).nullable(),
})
export type FoundWeights = z.infer<typeof foundWeightsSchema>

export const inspectedSchema = z.object({
  refused: z.enum(weightsReasons).nullable(),
  /** Which of the two was refused. */
  place: z.int(),
  found: foundWeightsSchema.nullable(),
})

const planLayerSchema = z.object({
  name: z.string(),
  op: z.string(),
  output: z.string(),
  learn: z.int(),
  macs: z.number(),
  /** Pixels of the input that one place sees, `72 × 72`; null = all of it. */
  field: z.string().nullable(),
})
export type PlanLayer = z.infer<typeof planLayerSchema>

export const inspectionCalls = {
  'toolbox/inspect': route({
    summary: 'What stands in a file of weights, and how two of them differ; nothing in them is run',
    request: z.object({ source: sourceSchema, other: sourceSchema.nullable().default(null) }),
    response: inspectedSchema.extend({
      /** Of a training: its network, with what one image costs. */
      network: z.object({ layers: z.array(planLayerSchema), learn: z.int(), macs: z.number() }).nullable(),
    }),
    errors: ['missing', 'run_missing', 'train_first', 'too_much_at_once', 'busy', 'work_too_large'],
  }),
}
