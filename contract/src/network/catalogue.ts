/** The layer catalogue: schema of `wire/catalogue.json` and lookups. Rules are data; nothing here knows a layer. */
import * as z from 'zod'
import { namesIn } from './resolve/expr.ts'

const rule = z.string().refine(isRule, 'not an expression')
const scalar = z.union([z.number(), z.boolean(), z.string()])

const portSchema = z.strictObject({
  name: z.string(),
  /** `map|vec|seq`, any selection. */
  kinds: z.string().regex(/^(map|vec|seq)(\|(map|vec|seq))*$/),
  /** Least and most inputs of a variadic port. */
  many: z.tuple([z.int(), z.int()]).optional(),
  optional: z.boolean().optional(),
})
export type OpPort = z.infer<typeof portSchema>

const paramSchema = z.strictObject({
  /** `axis`: one number, or one an axis. */
  t: z.enum(['int', 'float', 'bool', 'enum', 'axis', 'ints', 'floats']),
  def: z.union([scalar, z.array(z.number())]),
  min: z.number().optional(),
  max: z.number().optional(),
  enum: z.array(z.string()).optional(),
  /** What `auto` stands for, an axis at a time. */
  auto: rule.optional(),
})
export type OpParam = z.infer<typeof paramSchema>

const outSchema = z.strictObject({
  /** `map`, `vec`, `seq`, `=` (as the first input) or an expression that gives one of them. */
  kind: z.string(),
  c: rule,
  /** Size of one axis. */
  sp: rule.optional(),
  /** All sizes at once. */
  sp_list: rule.optional(),
  n: rule.optional(),
  /** Tokens: the product over axes of this rule. */
  n_of_sp: rule.optional(),
})

/**
 * What autograd holds until the backward pass. `in`, `out`: these tensors; `peers`: each input whose partners need a
 * gradient (a product keeps the other factor); `bytes`: further bytes a sample; `view`: nothing, and the output shares
 * its input's storage.
 */
const keepSchema = z.union([
  z.enum(['none', 'in', 'out', 'in out', 'view']),
  z.strictObject({
    in: rule.optional(),
    out: rule.optional(),
    peers: rule.optional(),
    bytes: rule.optional(),
  }),
])

const opSchema = z
  .strictObject({
    cat: z.string(),
    title: z.string(),
    help: z.string(),
    in: z.array(portSchema).min(1),
    ranks: z.array(z.int().min(1).max(3)).optional(),
    params: z.record(z.string(), paramSchema),
    /** Expression, error code, and `axis` when it is asked of every axis. */
    check: z
      .array(z.union([z.tuple([rule, z.string()]), z.tuple([rule, z.string(), z.literal('axis')])]))
      .optional(),
    out: z.tuple([outSchema]),
    learn: rule,
    buffers: rule.optional(),
    macs: rule,
    keep: keepSchema,
    /** Receptive field: kernel and stride an axis, or the whole picture. */
    rf: z.union([z.literal('global'), z.strictObject({ k: rule, s: rule })]).optional(),
  })
  .transform(({ params, ...entry }) => ({ ...entry, params: new Map(Object.entries(params)) }))
export type OpEntry = z.infer<typeof opSchema>

export type Catalogue = ReadonlyMap<string, OpEntry>

/** Takes the parsed JSON, because a file is read differently on the server and in the browser. Throws on a wrong one. */
export function parseCatalogue(json: unknown): Catalogue {
  return new Map(Object.entries(z.record(z.string(), opSchema).parse(json)))
}

function isRule(text: string): boolean {
  try {
    namesIn(text)
    return true
  } catch {
    return false
  }
}
