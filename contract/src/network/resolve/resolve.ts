/** The resolver: a document, parameters and input sizes in; the flat plan and all mistakes out. Never throws on a model. */

import type { Catalogue } from '../catalogue.ts'
import type { Block, Document } from '../document/document.ts'
import type { Frame } from '../frame.ts'
import { keptBytes } from '../kept.ts'
import { type Binding, bindDocument, type DataFacts } from './bind.ts'
import { Expansion, type InferMemory } from './expand.ts'
import type { Value } from './expr.ts'
import { readHeads } from './heads.ts'
import type { Plan, PlanNode, TensorType } from './plan.ts'
import { ModelError, type Problem, type WarningCode } from './problems.ts'
import { findWarnings } from './warnings.ts'

export interface ResolveOptions {
  catalogue: Catalogue
  /** Library blocks. */
  std: ReadonlyMap<string, Block>
  params?: Record<string, number | boolean | string | readonly number[]>
  /** Sizes other than the design size, by input. */
  inputs?: Record<string, { size: readonly number[] }>
  data?: DataFacts
  /** Given again at the next call, an editor's small change costs what it changes. */
  memory?: InferMemory
}

export interface Resolved {
  /** null as soon as there is an error. */
  plan: Plan | null
  /** All layers that could be worked out, also beside errors: live shapes for an editor. */
  nodes: PlanNode[]
  /** What comes out of every path: inputs (`@image`), nodes, uses of blocks and their copies, ports (`h3.cls`). */
  types: ReadonlyMap<string, TensorType>
  errors: Problem[]
  warnings: Problem<WarningCode>[]
  /** Paths without a result because something before them failed. */
  waiting: string[]
}

export function resolve(document: Document, options: ResolveOptions): Resolved {
  const bound = tryBind(document, options)
  if (bound instanceof ModelError) return failed(bound)
  const frame: Frame = {
    home: { blocks: document.blocks, library: { blocks: options.std, library: null } },
    path: '',
    around: [],
    ports: bound.ports,
    params: bound.params,
    sharedFrom: null,
  }
  const expansion = new Expansion(options.catalogue, options.memory)
  const placed = expansion.placeGraph(document, frame)
  const { heads, problems } = readHeads(document, frame, placed, options.data ?? {})
  const errors = [
    ...dataProblems(bound, options.data ?? {}),
    ...expansion.problems,
    ...problems.map(({ head, error }) => toProblem(error, head === '' ? '' : `heads.${head}`)),
  ]
  const { nodes, types, waiting } = expansion
  for (const { id, type } of bound.ports.values()) types.set(id, type)
  if (errors.length > 0) return { plan: null, nodes, types, errors, warnings: [], waiting }
  const plan = toPlan(document.name, { bound, nodes, heads, catalogue: options.catalogue })
  const warnings = findWarnings(plan, document, { std: options.std, notes: expansion.notes })
  return { plan, nodes, types, errors, warnings, waiting }
}

function tryBind(
  document: Document,
  { params = {}, inputs = {}, data = {} }: ResolveOptions,
): Binding | ModelError {
  try {
    return bindDocument(document, {
      params: new Map<string, Value>(Object.entries(params)),
      inputs: new Map(Object.entries(inputs)),
      data,
    })
  } catch (error) {
    if (error instanceof ModelError) return error
    throw error
  }
}

function failed(error: ModelError): Resolved {
  return {
    plan: null,
    nodes: [],
    types: new Map(),
    errors: [toProblem(error, '')],
    warnings: [],
    waiting: [],
  }
}

function toProblem({ code, data, port }: ModelError, node: string): Problem {
  return { code, node, port, data }
}

function dataProblems({ ports }: Binding, { channels }: DataFacts): Problem[] {
  const [picture] = ports.values()
  if (channels === undefined || picture === undefined || picture.type.c === channels) return []
  const data = { channels, expected: picture.type.c }
  return [{ code: 'data_channels', node: picture.id, port: null, data }]
}

function toPlan(
  name: string,
  {
    bound,
    nodes,
    heads,
    catalogue,
  }: {
    bound: Binding
    nodes: PlanNode[]
    heads: Plan['heads']
    catalogue: Catalogue
  },
): Plan {
  const inputs = Object.fromEntries([...bound.ports].map(([input, { type }]) => [input, type]))
  const owners = nodes.filter((node) => node.share === null)
  const { kept, transient } = keptBytes(nodes, inputs, catalogue)
  return {
    v: 1,
    name,
    inputs,
    nodes,
    heads,
    learn: owners.reduce((sum, node) => sum + node.learn, 0),
    buffers: owners.reduce((sum, node) => sum + node.buffers, 0),
    macs: nodes.reduce((sum, node) => sum + node.macs, 0),
    keptBytes: kept,
    transientBytes: transient,
  }
}
