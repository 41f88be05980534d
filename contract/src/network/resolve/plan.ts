/** The flat, fully evaluated form of a network that crosses to Python. Made by `resolve`, never written by hand. */
import * as z from 'zod'

/** Tensor type per sample (batch is implicit). */
export const tensorTypeSchema = z.discriminatedUnion('k', [
  z.object({ k: z.literal('map'), c: z.int(), s: z.array(z.int()).min(1).max(3) }),
  z.object({ k: z.literal('vec'), c: z.int() }),
  z.object({ k: z.literal('seq'), n: z.int(), c: z.int() }),
])
export type TensorType = z.infer<typeof tensorTypeSchema>

const paramValue = z.union([z.number(), z.boolean(), z.string(), z.array(z.number())])

export const planNodeSchema = z.object({
  /** Path, e.g. `stage2/0/conv1`: the name in weights, events, errors and previews. */
  id: z.string(),
  op: z.string(),
  /** Port name to the producing node's id, or `@image` for the graph input `image`; variadic ports are `x0`, `x1`, … */
  in: z.record(z.string(), z.string()),
  /** Every parameter of the catalogue entry, evaluated; axis parameters as lists, one number an axis. */
  params: z.record(z.string(), paramValue),
  type: tensorTypeSchema,
  learn: z.int(),
  buffers: z.int(),
  macs: z.number(),
  /** Id of the node whose weights this one uses, or null. */
  share: z.string().nullable(),
})
export type PlanNode = z.infer<typeof planNodeSchema>

export const planSchema = z.object({
  v: z.literal(1),
  name: z.string(),
  /** Graph inputs by name. */
  inputs: z.record(z.string(), tensorTypeSchema),
  /** In topological order. */
  nodes: z.array(planNodeSchema),
  heads: z.record(z.string(), z.object({ task: z.string(), from: z.string(), weight: z.number() })),
  /** Totals: learnable numbers (shared ones once), buffers, multiply-adds at batch 1. */
  learn: z.int(),
  buffers: z.int(),
  macs: z.number(),
  /** Bytes per sample that training keeps (autograd), and the largest transient; single precision. */
  keptBytes: z.number(),
  transientBytes: z.number(),
})
export type Plan = z.infer<typeof planSchema>
