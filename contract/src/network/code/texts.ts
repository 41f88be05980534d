/** Schema of `wire/pytorch.json`: how each layer is written in PyTorch. Texts with gaps, no rule of any single layer. */
import * as z from 'zod'
import { namesIn } from '../resolve/expr.ts'
import { type ProgramParts, programParts } from './program.ts'

const rule = z.string().refine(isRule, 'not an expression')
/** A text, or the first one whose rule holds; an empty one stands for nothing. */
const choice = z.union([z.string(), z.array(z.tuple([rule, z.string()])).min(1)])
export type TextChoice = z.infer<typeof choice>

const opSchema = z.strictObject({
  /** The layer as it is made; without one there is nothing to keep, and `run` says it all. */
  make: choice.optional(),
  /** Further arguments of `make`, each where its rule holds. */
  with: z.array(z.tuple([rule, z.string()])).optional(),
  /** What is done with the inputs; without one, the layer is called. */
  run: choice.optional(),
})
export type OpTexts = z.infer<typeof opSchema>

const textsSchema = z.strictObject({
  /** Short names for expressions that several texts use. */
  names: z.record(z.string(), rule),
  ops: z.record(z.string(), opSchema),
  /** Classes and functions that PyTorch does not have, line by line; a text that names one brings it along. */
  helpers: z.record(z.string(), z.array(z.string())),
  loader: z.array(z.string()),
  main: z.array(z.string()),
  /** Words of Python and of `nn.Module` that no layer or input may be called. */
  reserved: z.array(z.string()),
})

export interface PytorchTexts {
  names: ReadonlyMap<string, string>
  ops: ReadonlyMap<string, OpTexts>
  helpers: ReadonlyMap<string, readonly string[]>
  loader: readonly string[]
  main: readonly string[]
  reserved: ReadonlySet<string>
  /** What leads from a file to the answer. */
  program: ProgramParts
}

/** The files of `wire/program` that go into programs, in the order in which Python must read them. */
export const programFiles = ['dicom_pictures', 'pictures', 'volumes', 'trained'] as const

/**
 * Takes the parsed JSON, as `parseCatalogue` does, and the texts of `programFiles`. Throws on a wrong one: they are
 * part of the product.
 */
export function parsePytorchTexts(json: unknown, files: readonly string[]): PytorchTexts {
  const { names, ops, helpers, loader, main, reserved } = textsSchema.parse(json)
  return {
    names: new Map(Object.entries(names)),
    ops: new Map(Object.entries(ops)),
    helpers: new Map(Object.entries(helpers)),
    loader,
    main,
    reserved: new Set([...reserved, ...Object.keys(helpers)]),
    program: programParts(files),
  }
}

function isRule(text: string): boolean {
  try {
    namesIn(text)
    return true
  } catch {
    return false
  }
}
