/** The network document (`dripe: 1`): schema, types and limits. It checks form only; meaning is the resolver's. */
import * as z from 'zod'
import type { DocumentProblem } from '../resolve/problems.ts'
import {
  choice,
  describeIssue,
  idMap,
  isId,
  isRecord,
  isReference,
  type RefineContext,
  refuse,
} from '../resolve/schema-map.ts'
import { migrate } from './migrate.ts'

export const documentVersion = 1

/** Checked while a document is read (depth, operations and copies while it is expanded). */
export const networkLimits = {
  operations: 5000,
  depth: 16,
  repeat: 256,
  /** Inputs of one node, and of one graph. */
  inputs: 64,
  names: 5000,
  yamlBytes: 1024 * 1024,
  /** Lines, entries and brackets of a text together: the largest networks come to half of it. */
  yamlParts: 100_000,
  /** Brackets in brackets: a network needs five. */
  yamlDepth: 100,
  textLength: 2000,
  listLength: 4096,
  /** Mistakes of one text that are told at a time. */
  problems: 50,
} as const

export const roles = ['classes', 'channels', 'factor'] as const
export type Role = (typeof roles)[number]

const text = z.string().max(networkLimits.textLength)
const scalar = z.union([z.number(), z.boolean(), text])
const list = z.array(scalar).max(networkLimits.listLength)
/** A text that begins with `=` is an expression. */
const paramValue = choice((value) => (Array.isArray(value) ? list : scalar))
export type ParamValue = z.infer<typeof scalar> | z.infer<typeof list>

const expression = z.string().max(networkLimits.textLength).startsWith('=')
const numberRule = z.union([z.number(), expression])
const flagRule = z.union([z.boolean(), expression])

const paramSpec = z.strictObject({
  type: z.enum(['int', 'float', 'bool', 'text', 'list']).optional(),
  default: paramValue,
  min: z.number().optional(),
  max: z.number().optional(),
  /** Bound from the data when a run starts. */
  role: z.enum(roles).optional(),
  title: text.optional(),
})
export type ParamSpec = z.infer<typeof paramSpec>
export const isReadableParam = (spec: ParamSpec): boolean => paramSpec.safeParse(spec).success
const bareParam = paramValue.transform((value): ParamSpec => ({ default: value }))

const id = z.string().refine(isId)
const reference = z.string().refine(isReference)
const references = z.array(reference).max(networkLimits.inputs)
const ports = idMap(reference, { most: networkLimits.inputs })

/** `ref`, `[refs]` (ports in order) or `{port: ref}`; ref = `node`, `node.port` or a graph input. */
const inputsOf = choice((value) => {
  if (Array.isArray(value)) return references
  return isRecord(value) ? ports : reference
})
export type NodeInputs = z.infer<typeof inputsOf>

const nodeKeys = ['op', 'in', 'repeat', 'share', 'off', 'note', 'was'] as const
const nodeFrame = z.object({
  op: id,
  in: inputsOf.optional(),
  repeat: numberRule.optional(),
  share: id.optional(),
  off: flagRule.optional(),
  note: text.optional(),
  /** Its id before it was renamed: weights of an earlier run are still found. */
  was: id.optional(),
})
const nodeParams = idMap(paramValue, { most: networkLimits.inputs })

/** Parameters stand beside the node's own keys in the text, and in a map of their own here. */
const fullNode = z.unknown().transform((value, context) => {
  const entries = isRecord(value) ? Object.entries(value) : []
  const own = new Set<string>(nodeKeys)
  const frame = nodeFrame.safeParse(Object.fromEntries(entries.filter(([key]) => own.has(key))))
  const params = nodeParams.safeParse(safeRecord(entries.filter(([key]) => !own.has(key))))
  for (const failed of [frame, params]) {
    for (const issue of failed.error?.issues ?? []) {
      const { code, data } = describeIssue(issue, value)
      refuse(context, code, data, issue.path)
    }
  }
  return frame.success && params.success ? { ...frame.data, params: params.data } : z.NEVER
})
const bareNode = id.transform((op): z.output<typeof fullNode> => ({ op, params: new Map() }))
const node = choice((value) => (typeof value === 'string' ? bareNode : fullNode))
export type Node = z.infer<typeof node>

/** Whether a node that was made from typed values can be written and read again. */
export function isReadableNode({ params, in: _inputs, ...frame }: Node): boolean {
  const hasOwnNames = nodeKeys.every((key) => !params.has(key))
  return (
    hasOwnNames && nodeFrame.safeParse(frame).success && nodeParams.safeParse(safeRecord([...params])).success
  )
}

const nodes = idMap(node, { most: networkLimits.names })
/** `in` and `i` mean something in expressions; the keys of a node cannot be its parameters too. */
const reservedForParams = new Set(['in', 'i', ...nodeKeys])
const params = idMap(
  choice((value) => (isRecord(value) ? paramSpec : bareParam)),
  { most: networkLimits.inputs, reserved: reservedForParams },
)
export const isReservedParam = (name: string): boolean => reservedForParams.has(name)
const reservedForPorts = new Set(['in', 'i'])

const block = z
  .strictObject({
    title: text.optional(),
    about: text.optional(),
    inputs: z.array(id).min(1).max(networkLimits.inputs).default(['x']),
    params: params.default(() => new Map()),
    nodes,
    /** Port to reference; without it the last node is the one output. */
    outputs: ports.optional(),
  })
  .superRefine((value, context) => {
    const own = value.inputs.filter((name) => reservedForPorts.has(name))
    for (const name of own) refuse(context, 'reserved_name', { name }, ['inputs'])
    refuseTwice(context, [value.inputs, [...value.nodes.keys()]], 'nodes')
    refuseTwice(context, [value.inputs, [...value.params.keys()]], 'params')
  })
export type Block = z.infer<typeof block>
const blocks = idMap(block, { most: networkLimits.names })

const input = z.strictObject({
  kind: z.enum(['image', 'volume', 'signal', 'vec', 'seq']),
  channels: numberRule.default(1),
  /** Design size: height and width, or depth, height and width; tokens of a sequence. */
  size: z.array(numberRule).min(1).max(3).optional(),
})
export type DocumentInput = z.infer<typeof input>
export const isReadableInput = (value: DocumentInput): boolean => input.safeParse(value).success

const level = idMap(reference, { most: networkLimits.inputs })
const head = z.strictObject({
  task: text,
  from: choice((value) => {
    if (Array.isArray(value)) return z.array(level).max(networkLimits.inputs)
    return isRecord(value) ? level : reference
  }),
  weight: z.number().min(0).max(1000).optional(),
  style: text.optional(),
  factor: numberRule.optional(),
})
export type Head = z.infer<typeof head>

export const documentSchema = z
  .strictObject({
    dripe: z.literal(documentVersion),
    /** Catalogue revision that it was written with. */
    catalog: z.int().optional(),
    /** Version of the library blocks. */
    std: z.literal(1).optional(),
    name: text,
    title: text.optional(),
    about: text.optional(),
    source: text.optional(),
    license: text.optional(),
    task: text,
    params: params.default(() => new Map()),
    inputs: idMap(input, { most: networkLimits.inputs, reserved: reservedForPorts }),
    blocks: blocks.default(() => new Map()),
    nodes,
    heads: idMap(head, { most: networkLimits.inputs }).default(() => new Map()),
  })
  .superRefine((value, context) => {
    const inputNames = [...value.inputs.keys()]
    refuseTwice(context, [inputNames, [...value.nodes.keys()]], 'nodes')
    refuseTwice(context, [inputNames, [...value.params.keys()]], 'params')
  })
export type Document = z.infer<typeof documentSchema>

const librarySchema = z.strictObject({ blocks })

/** Nodes on their way through the clipboard, with the blocks and parameters that they use. */
const fragmentSchema = z.strictObject({
  dripe: z.literal(documentVersion),
  fragment: z.literal(true),
  params: params.default(() => new Map()),
  blocks: blocks.default(() => new Map()),
  nodes,
})
export type Fragment = Pick<Document, 'params' | 'blocks' | 'nodes'>

/** Reads plain data (parsed JSON or YAML). Never throws: what is wrong comes back as problems. */
export function readDocument(data: unknown): { document: Document | null; problems: DocumentProblem[] } {
  const value = migrate(data)
  if (isRecord(value) && typeof value.dripe === 'number' && value.dripe > documentVersion) {
    const { dripe: version } = value
    return {
      document: null,
      problems: [{ code: 'newer_version', path: 'dripe', line: null, column: null, data: { version } }],
    }
  }
  const parsed = documentSchema.safeParse(value)
  if (parsed.success) return { document: parsed.data, problems: [] }
  return { document: null, problems: parsed.error.issues.map((issue) => toProblem(issue, value)) }
}

/** As `readDocument`, for what was copied. */
export function readFragment(value: unknown): { fragment: Fragment | null; problems: DocumentProblem[] } {
  const parsed = fragmentSchema.safeParse(value)
  if (parsed.success) return { fragment: parsed.data, problems: [] }
  return { fragment: null, problems: parsed.error.issues.map((issue) => toProblem(issue, value)) }
}

/** The library blocks (`std.yaml`) from plain data. They come with the product, so a wrong one is a defect: throws. */
export function readBlocks(value: unknown): ReadonlyMap<string, Block> {
  return librarySchema.parse(value).blocks
}

function toProblem(issue: z.core.$ZodIssue, value: unknown): DocumentProblem {
  const path = issue.path.map(String).join('.')
  return { ...describeIssue(issue, value), path, line: null, column: null }
}

/** A name may mean one thing in a graph: an input and a node, or an input and a parameter, never both. */
function refuseTwice(
  context: RefineContext,
  [first, second]: [readonly string[], readonly string[]],
  key: string,
): void {
  const taken = new Set(first)
  for (const name of second) if (taken.has(name)) refuse(context, 'name_taken', { name }, [key, name])
}

/** Without a prototype: `__proto__` becomes an ordinary key, which the map of ids then refuses. */
function safeRecord(entries: [string, unknown][]): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null)
  for (const [key, value] of entries) record[key] = value
  return record
}
