/** Turns a layer's written parameters into the full, evaluated set of the plan; it must not look at shapes but the rank. */
import type { OpEntry, OpParam } from '../catalogue.ts'
import { networkLimits } from '../document/document.ts'
import { nearestName } from '../nearest.ts'
import type { Value } from './expr.ts'
import type { TensorType } from './plan.ts'
import { ModelError, type ProblemData } from './problems.ts'
import { type PlanParams, RuleScope } from './rules.ts'

type PlanParam = PlanParams[string]

/** All parameters in catalogue order: defaults filled in, ranges checked, `axis` as lists, `auto` worked out. */
export function opParams(
  entry: OpEntry,
  given: ReadonlyMap<string, Value>,
  inputs: readonly TensorType[],
): PlanParams {
  refuseUnknown(given.keys(), entry.params)
  const rank = inputs[0]?.k === 'map' ? inputs[0].s.length : 0
  const known: PlanParams = {}
  const waiting: [string, string][] = []
  for (const [name, param] of entry.params) {
    const value = given.get(name) ?? param.def
    if (value === 'auto' && param.auto !== undefined) waiting.push([name, param.auto])
    else known[name] = readParam(name, param, value, rank)
  }
  const scope = new RuleScope(entry, known, inputs)
  for (const [name, rule] of waiting) known[name] = scope.eachAxis(() => scope.number(rule))
  return Object.fromEntries([...entry.params.keys()].map((name) => [name, known[name] ?? 0]))
}

export function refuseUnknown(given: Iterable<string>, known: ReadonlyMap<string, unknown>): void {
  for (const name of given) {
    if (known.has(name)) continue
    const nearest = nearestName(name, known.keys())
    throw new ModelError('unknown_param', nearest === null ? { param: name } : { param: name, nearest })
  }
}

function readParam(name: string, param: OpParam, value: Value, rank: number): PlanParam {
  switch (param.t) {
    case 'bool':
      if (typeof value !== 'boolean') throw wrongType(name, 'bool', value)
      return value
    case 'enum':
      if (typeof value !== 'string' || !param.enum?.includes(value)) {
        throw wrongType(name, 'choice', value, param.enum)
      }
      return value
    case 'int':
    case 'float':
      return readNumber(name, param, value)
    case 'axis':
      return readAxis(name, param, value, rank)
    case 'ints':
    case 'floats':
      if (!Array.isArray(value) || value.length === 0 || value.length > networkLimits.listLength) {
        throw wrongType(name, 'list', value)
      }
      return value.map((item) => readNumber(name, param, item))
  }
}

function readAxis(name: string, param: OpParam, value: Value, rank: number): number[] {
  if (!Array.isArray(value)) return new Array<number>(rank).fill(readNumber(name, param, value))
  if (value.length !== rank) throw new ModelError('axis_count', { param: name, count: value.length, rank })
  return value.map((item) => readNumber(name, param, item))
}

function readNumber(name: string, param: OpParam, value: Value): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrongType(name, 'number', value)
  const whole = param.t === 'int' || param.t === 'axis' || param.t === 'ints'
  if (whole && !Number.isInteger(value)) throw wrongType(name, 'int', value)
  const min = param.min ?? (param.t === 'ints' ? 1 : -Infinity)
  const max = param.max ?? (param.t === 'ints' ? 65536 : Infinity)
  requireRange(name, value, { min, max })
  return value
}

export function requireRange(
  param: string,
  value: number,
  { min = -Infinity, max = Infinity }: { min?: number | undefined; max?: number | undefined },
): void {
  if (value >= min && value <= max) return
  const data: ProblemData = { param, value }
  if (Number.isFinite(min)) data.min = min
  if (Number.isFinite(max)) data.max = max
  throw new ModelError('param_range', data)
}

/** `expected`: number, int, bool, text, list or choice; each has a text of its own. */
export function wrongType(
  param: string,
  expected: string,
  value: Value,
  choices: readonly string[] = [],
): ModelError {
  const data: ProblemData = { param, expected, value: show(value) }
  if (choices.length > 0) data.choices = choices.join(', ')
  return new ModelError('param_type', data)
}

function show(value: Value): string {
  if (Array.isArray(value)) return `[${value.slice(0, 8).map(show).join(', ')}]`
  return typeof value === 'object' ? '{…}' : String(value).slice(0, 60)
}
