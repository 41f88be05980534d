/** Works out one layer: checks its inputs, then shape, learnable numbers, buffers and multiply-adds by its rules. */
import type { OpEntry } from '../catalogue.ts'
import type { Value } from './expr.ts'
import { opParams } from './op-params.ts'
import type { PlanNode, TensorType } from './plan.ts'
import { type ErrorCode, errorCodes, ModelError } from './problems.ts'
import { describeType, elementsOf, RuleScope } from './rules.ts'

export type Inferred = Pick<PlanNode, 'params' | 'type' | 'learn' | 'buffers' | 'macs'>

/** One tensor, one layer's weights: beyond this nothing fits any device, and numbers would stop being exact. */
const most = 2 ** 40

/** Throws ModelError for a mistake of the model. `inputs` are in port order. */
export function inferOp(
  entry: OpEntry,
  given: ReadonlyMap<string, Value>,
  inputs: readonly TensorType[],
): Inferred {
  checkKinds(entry, inputs)
  const params = opParams(entry, given, inputs)
  const scope = new RuleScope(entry, params, inputs)
  for (const [rule, code, perAxis] of entry.check ?? []) {
    if (perAxis === undefined) requireRule(scope, rule, code, inputs, null)
    else scope.eachAxis((axis) => requireRule(scope, rule, code, inputs, axis))
  }
  const type = outputType(entry, scope)
  if (!(elementsOf(type) <= most)) throw new ModelError('too_large', { input: describeType(type) })
  const learn = scope.number(entry.learn)
  const buffers = scope.number(entry.buffers ?? '0')
  if (!(learn <= most && buffers <= most)) throw new ModelError('too_large', { input: describeType(type) })
  return { params, type, learn, buffers, macs: scope.number(entry.macs) }
}

function checkKinds(entry: OpEntry, inputs: readonly TensorType[]): void {
  const [variadic] = entry.in
  inputs.forEach((type, k) => {
    const port = variadic?.many === undefined ? entry.in[k] : variadic
    const allowed = port?.kinds.split('|') ?? []
    const first = inputs[0] ?? type
    const mixed = variadic?.many !== undefined && first.k !== type.k
    if (allowed.includes(type.k) && !mixed) return
    const expected = mixed ? first.k : (allowed[0] ?? '')
    throw new ModelError(
      'wrong_kind',
      { expected, got: type.k, input: describeType(type) },
      port?.name ?? null,
    )
  })
  const [first] = inputs
  if (entry.ranks !== undefined && first?.k === 'map' && !entry.ranks.includes(first.s.length)) {
    throw new ModelError('rank_unsupported', { rank: first.s.length, expected: entry.ranks.join(', ') })
  }
}

function requireRule(
  scope: RuleScope,
  rule: string,
  code: string,
  inputs: readonly TensorType[],
  axis: number | null,
): void {
  if (scope.truth(rule)) return
  const known = errorCodes.find((name) => name === code)
  if (known === undefined) throw new ModelError('bad_expression', { text: rule, problem: 'syntax', at: 0 })
  throw new ModelError(known, { ...scope.facts(rule, axis), ...differing(known, inputs) })
}

/** For merges: the first input that is not like the first one. */
function differing(code: ErrorCode, inputs: readonly TensorType[]): { other?: string } {
  if (code !== 'shapes_differ' && code !== 'sizes_differ' && code !== 'channels_differ') return {}
  const [first, ...others] = inputs.map(describeType)
  const other = others.find((text) => text !== first)
  return other === undefined ? {} : { other }
}

function outputType(entry: OpEntry, scope: RuleScope): TensorType {
  const [out] = entry.out
  const k = scope.kind(out.kind)
  const c = scope.number(out.c)
  if (k === 'vec') return { k, c }
  if (k === 'seq') return { k, n: scope.outputTokens(), c }
  const sizes = [...scope.outputSizes()]
  const isPicture = sizes.length > 0 && sizes.every((size) => Number.isSafeInteger(size) && size >= 1)
  if (!isPicture) throw new ModelError('too_small', scope.facts(out.c, null))
  return { k, c, s: sizes }
}
