/** What the names in a catalogue rule stand for: parameters, input and output types. It knows no single layer. */
import type { OpEntry } from '../catalogue.ts'
import { evaluate, isTrue, namesIn, type Scope, type Value } from './expr.ts'
import { ExpressionError } from './expr-parse.ts'
import type { PlanNode, TensorType } from './plan.ts'
import type { ProblemData } from './problems.ts'

export type PlanParams = PlanNode['params']

/** Built-in names of rules; a catalogue parameter of the same name would win. */
// biome-ignore format: a word list
const builtIns = [
  'x', 'c', 's', 'n', 'R', 'nin', 'oc', 'osp', 'on', 'grad', 'maxc', 'maxs', 'maxn', 'sumc', 'sumn',
  'ref_s', 'ctxc', 'ctxn', 'winpix', 'x_same', 'x_same_sp', 'x_same_c', 'x_gate',
]

export class RuleScope implements Scope {
  private readonly entry: OpEntry
  private readonly params: PlanParams
  private readonly inputs: readonly TensorType[]
  private output: TensorType | null = null
  private sizes: readonly number[] | null = null
  /** The axis that a per-axis rule is asked for; null = lists are lists. */
  private axis: number | null = null
  private readonly needsGradient: boolean

  constructor(entry: OpEntry, params: PlanParams, inputs: readonly TensorType[], needsGradient = false) {
    this.entry = entry
    this.params = params
    this.inputs = inputs
    this.needsGradient = needsGradient
  }

  get rank(): number {
    return sizesOf(this.first).length
  }

  get first(): TensorType {
    const [first] = this.inputs
    if (first === undefined) throw new ExpressionError('unknown_name', 0, 'x')
    return first
  }

  /** Fixes the output, where it is known already (costs of a finished plan). */
  withOutput(type: TensorType): this {
    this.output = type
    return this
  }

  number(rule: string): number {
    return asNumber(evaluate(rule, this))
  }

  truth(rule: string): boolean {
    return isTrue(evaluate(rule, this))
  }

  list(rule: string): number[] {
    const value = evaluate(rule, this)
    if (!Array.isArray(value)) throw new ExpressionError('not_a_number', 0)
    return value.map(asNumber)
  }

  kind(rule: string): TensorType['k'] {
    if (rule === '=') return this.first.k
    if (rule === 'map' || rule === 'vec' || rule === 'seq') return rule
    const value = evaluate(rule, this)
    if (value === 'map' || value === 'vec' || value === 'seq') return value
    throw new ExpressionError('not_a_number', 0)
  }

  eachAxis<T>(read: (axis: number) => T): T[] {
    const before = this.axis
    try {
      return Array.from({ length: this.rank }, (_, axis) => {
        this.axis = axis
        return read(axis)
      })
    } finally {
      this.axis = before
    }
  }

  /** What a message about a failed rule can show: the values of its names, and the first input. */
  facts(rule: string, axis: number | null): ProblemData {
    const facts: ProblemData = { input: describeType(this.first) }
    if (axis !== null) facts.size = sizesOf(this.first)[axis] ?? 0
    const [, other] = this.inputs
    if (other !== undefined) facts.other = describeType(other)
    this.axis = axis
    for (const name of namesIn(rule)) {
      const value = this.get(name)
      if (typeof value === 'number' || typeof value === 'string') facts[name] = value
    }
    this.axis = null
    return facts
  }

  names(): Iterable<string> {
    return [...Object.keys(this.params), ...builtIns]
  }

  get(name: string): Value | undefined {
    if (Object.hasOwn(this.params, name)) {
      const value = this.params[name]
      return this.entry.params.get(name)?.t === 'axis' ? this.perAxis(value) : value
    }
    return this.builtIn(name)
  }

  private perAxis(value: Value | undefined): Value | undefined {
    return this.axis !== null && Array.isArray(value) ? value[this.axis] : value
  }

  private builtIn(name: string): Value | undefined {
    switch (name) {
      case 'x':
        return this.inputs
      case 'c':
        return this.first.c
      case 's':
        return this.perAxis(sizesOf(this.first))
      case 'n':
        return tokensOf(this.first)
      case 'R':
        return this.rank
      case 'nin':
        return this.inputs.length
      case 'grad':
        return this.needsGradient
      case 'osp':
        return this.perAxis(this.outputSizes())
      case 'oc':
        return this.output?.c
      case 'on':
        return this.outputTokens()
      case 'winpix':
        return this.windowPixels()
    }
    return this.overInputs(name) ?? agreement(name, this.inputs)
  }

  private overInputs(name: string): Value | undefined {
    const second = this.inputs[1]
    switch (name) {
      case 'maxc':
        return Math.max(...this.inputs.map((type) => type.c))
      case 'maxn':
        return Math.max(...this.inputs.map(tokensOf))
      case 'maxs':
        return this.perAxis(
          sizesOf(this.first).map((_, k) => Math.max(...this.inputs.map((type) => sizesOf(type)[k] ?? 1))),
        )
      case 'sumc':
        return this.inputs.reduce((sum, type) => sum + type.c, 0)
      case 'sumn':
        return this.inputs.reduce((sum, type) => sum + tokensOf(type), 0)
      case 'ref_s':
        return second === undefined ? undefined : this.perAxis(sizesOf(second))
      case 'ctxc':
        return (second ?? this.first).c
      case 'ctxn':
        return tokensOf(second ?? this.first)
    }
    return undefined
  }

  /** Worked out on demand: a check before it may find that it has no meaning (inputs of different rank). */
  outputSizes(): readonly number[] {
    if (this.output !== null) return sizesOf(this.output)
    if (this.sizes === null) {
      const [out] = this.entry.out
      const { sp, sp_list: all, n_of_sp: tokens } = out
      const rule = sp ?? tokens
      if (all !== undefined) this.sizes = this.list(all)
      else this.sizes = rule === undefined ? [] : this.eachAxis(() => this.number(rule))
    }
    return this.sizes
  }

  outputTokens(): number {
    if (this.output !== null) return tokensOf(this.output)
    const [out] = this.entry.out
    if (out.n_of_sp !== undefined) return product(this.outputSizes())
    return out.n === undefined ? 0 : this.number(out.n)
  }

  /** Pixels once the picture is padded to whole windows. */
  private windowPixels(): number | undefined {
    const { window } = this.params
    if (typeof window !== 'number') return undefined
    return product(sizesOf(this.first).map((size) => Math.ceil(size / window) * window))
  }
}

export function sizesOf(type: TensorType): readonly number[] {
  return type.k === 'map' ? type.s : []
}

export function tokensOf(type: TensorType): number {
  return type.k === 'seq' ? type.n : 0
}

export function elementsOf(type: TensorType): number {
  return type.c * product(sizesOf(type)) * Math.max(1, tokensOf(type))
}

/** `64×56×56`, `10`, `197×192`: for messages. */
export function describeType(type: TensorType): string {
  if (type.k === 'seq') return `${type.n}×${type.c}`
  return [type.c, ...sizesOf(type)].join('×')
}

function agreement(name: string, inputs: readonly TensorType[]): boolean | undefined {
  const [first, ...others] = inputs
  if (first === undefined) return undefined
  switch (name) {
    case 'x_same':
      return others.every((type) => type.c === first.c && sameSizes(type, first))
    case 'x_same_sp':
      return others.every((type) => sameSizes(type, first))
    case 'x_same_c':
      return others.every((type) => type.k === first.k && type.c === first.c)
    case 'x_gate':
      return canGate(inputs)
  }
  return undefined
}

function sameSizes(a: TensorType, b: TensorType): boolean {
  const sizes = sizesOf(b)
  return (
    a.k === b.k &&
    tokensOf(a) === tokensOf(b) &&
    sizesOf(a).length === sizes.length &&
    sizesOf(a).every((size, k) => size === sizes[k])
  )
}

/** A gate has size 1 on each axis where it is not as large as the largest input. */
function canGate(inputs: readonly TensorType[]): boolean {
  const shapes = inputs.map((type) => [type.c, tokensOf(type), ...sizesOf(type)])
  const length = shapes[0]?.length ?? 0
  if (inputs.some((type) => type.k !== inputs[0]?.k) || shapes.some((s) => s.length !== length)) return false
  return Array.from({ length }, (_, k) => shapes.map((shape) => shape[k] ?? 1)).every((sizes) => {
    const largest = Math.max(...sizes)
    return sizes.every((size) => size === 1 || size === largest)
  })
}

export function product(values: readonly number[]): number {
  return values.reduce((a, b) => a * b, 1)
}

function asNumber(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  throw new ExpressionError('not_a_number', 0)
}
