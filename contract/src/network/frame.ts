/** One graph being expanded (the document or one use of a block): its ports, parameters and names in expressions. */
import type { Catalogue, OpEntry } from './catalogue.ts'
import type { Block, ParamSpec, ParamValue } from './document/document.ts'
import { nearestName } from './nearest.ts'
import { evaluate, type Scope, type Value } from './resolve/expr.ts'
import { ExpressionError } from './resolve/expr-parse.ts'
import { refuseUnknown, requireRange, wrongType } from './resolve/op-params.ts'
import type { TensorType } from './resolve/plan.ts'
import { ModelError } from './resolve/problems.ts'

/** What flows along an edge: the node that made it (`@image` for a graph input) and its type. */
export interface Signal {
  id: string
  type: TensorType
}

/** A null signal waits: the mistake before it has been reported, so nothing more is said. */
export interface Placed {
  first: Signal | null
  outputs: ReadonlyMap<string, Signal | null>
}
export const waiting: Placed = { first: null, outputs: new Map() }

/** What an op name may mean, nearest first. Library blocks see the library alone, so no document changes them. */
export interface Home {
  blocks: ReadonlyMap<string, Block>
  /** Looked into next; null = only the catalogue is left. */
  library: Home | null
}
export type Definition = { kind: 'op'; entry: OpEntry } | { kind: 'block'; block: Block; home: Home }

export function findDefinition(name: string, home: Home, catalogue: Catalogue): Definition {
  for (let place: Home | null = home; place !== null; place = place.library) {
    const block = place.blocks.get(name)
    if (block !== undefined) return { kind: 'block', block, home: place }
  }
  const entry = catalogue.get(name)
  if (entry !== undefined) return { kind: 'op', entry }
  const nearest = nearestName(name, namesIn(home, catalogue))
  throw new ModelError('unknown_op', nearest === null ? { op: name } : { op: name, nearest })
}

const knownNames = new WeakMap<Home, readonly string[]>()

/** Collected once a home: a text may name thousands of unknown layers. */
function namesIn(home: Home, catalogue: Catalogue): readonly string[] {
  const known = knownNames.get(home) ?? [
    ...home.blocks.keys(),
    ...(home.library?.blocks.keys() ?? []),
    ...catalogue.keys(),
  ]
  knownNames.set(home, known)
  return known
}

export interface Frame {
  home: Home
  /** '' for the document, else the path of this use with a slash behind. */
  path: string
  /** Blocks around, outermost first: a block inside itself never ends. */
  around: readonly Block[]
  ports: ReadonlyMap<string, Signal>
  params: ReadonlyMap<string, Value>
  /** Path prefix of the use whose weights this one takes, or null. */
  sharedFrom: string | null
}

/** The names of an expression in a node: `in`, `i`, the graph's ports and parameters. */
export class FrameScope implements Scope {
  private readonly frame: Pick<Frame, 'ports' | 'params'>
  private readonly incoming: TensorType | undefined
  private readonly index: number

  constructor(frame: Pick<Frame, 'ports' | 'params'>, incoming?: TensorType, index = 0) {
    this.frame = frame
    this.incoming = incoming
    this.index = index
  }

  get(name: string): Value | undefined {
    if (name === 'in') return this.incoming
    if (name === 'i') return this.index
    return this.frame.params.get(name) ?? this.frame.ports.get(name)?.type
  }

  names(): Iterable<string> {
    return ['in', 'i', ...this.frame.params.keys(), ...this.frame.ports.keys()]
  }
}

/** A written value: texts that begin with `=` are worked out, also inside lists. */
export function evaluateWritten(written: ParamValue, param: string, scope: Scope): Value {
  if (Array.isArray(written)) return written.map((item) => evaluateWritten(item, param, scope))
  if (typeof written !== 'string' || !written.startsWith('=')) return written
  try {
    return evaluate(written.slice(1), scope)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { problem, symbol, nearest } = error
    const data = { param, text: written, problem, symbol, at: error.at + 1 }
    throw new ModelError('bad_expression', nearest === null ? data : { ...data, nearest })
  }
}

/** Parameters of one graph: given values, else defaults, which may use the parameters before them. */
export function bindParams(
  specs: ReadonlyMap<string, ParamSpec>,
  given: ReadonlyMap<string, Value>,
  ports: ReadonlyMap<string, Signal>,
): Map<string, Value> {
  refuseUnknown(given.keys(), specs)
  const params = new Map<string, Value>()
  for (const [name, spec] of specs) {
    const value = given.get(name) ?? evaluateWritten(spec.default, name, new FrameScope({ ports, params }))
    checkSpec(name, spec, value)
    params.set(name, value)
  }
  return params
}

function checkSpec(param: string, spec: ParamSpec, value: Value): void {
  const expected = spec.type ?? kindOf(spec.default)
  // A number may be one for every axis, and a list a single number, as settings of layers may; what data bind is a count.
  const isListed =
    Array.isArray(value) && (expected === 'int' || expected === 'float') && spec.role === undefined
  const all: Value[] = isListed ? value : [value]
  const fits = all.every((one) => fitsKind(one, expected))
  if (all.length === 0 || !fits)
    throw wrongType(param, expected === 'float' ? 'number' : String(expected), value)
  for (const one of all) if (typeof one === 'number') requireRange(param, one, spec)
}

function fitsKind(value: Value, expected: ParamSpec['type'] | null): boolean {
  if (expected === 'int') return Number.isInteger(value)
  return expected === null || expected === kindOf(value) || (expected === 'list' && typeof value === 'number')
}

/** null: an expression, which may give anything. A bare number is a `float`: `scale: 1` may be called with 0.1. */
function kindOf(value: Value | ParamValue): 'float' | 'bool' | 'text' | 'list' | null {
  if (typeof value === 'number') return 'float'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return value.startsWith('=') ? null : 'text'
  return Array.isArray(value) ? 'list' : null
}
