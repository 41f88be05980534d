/** Evaluates the `=` expressions of documents and the rules of the catalogue: total, without loops or side effects. */

import { nearestName } from '../nearest.ts'
import { type Expr, ExpressionError, parseExpression } from './expr-parse.ts'
import type { TensorType } from './plan.ts'

export type Value = number | boolean | string | readonly Value[] | TensorType

/** Where names are looked up. `names` serves only the "did you mean" of an error. */
export interface Scope {
  get(name: string): Value | undefined
  names(): Iterable<string>
}

/** Throws ExpressionError and nothing else. */
export function evaluate(text: string, scope: Scope): Value {
  return evaluateTree(compile(text), scope)
}

export function mapScope(values: ReadonlyMap<string, Value>): Scope {
  return { get: (name) => values.get(name), names: () => values.keys() }
}

/** Numbers count as true when not 0; lists, texts and tensors are no conditions. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  throw new ExpressionError('not_a_number', 0)
}

/** Every name that a text looks up, once each: what an error about this rule has to show. Throws as `evaluate`. */
export function namesIn(text: string): string[] {
  const names = new Set<string>()
  const pending: Expr[] = [compile(text)]
  for (let tree = pending.pop(); tree !== undefined; tree = pending.pop()) {
    if (tree.kind === 'name') names.add(tree.name)
    pending.push(...partsOf(tree))
  }
  return [...names]
}

export function partsOf(tree: Expr): Expr[] {
  switch (tree.kind) {
    case 'literal':
    case 'name':
      return []
    case 'list':
      return tree.items
    case 'member':
      return [tree.of]
    case 'index':
      return [tree.of, tree.index]
    case 'call':
      return tree.args
    case 'unary':
      return [tree.value]
    case 'binary':
      return [tree.left, tree.right]
    case 'choice':
      return [tree.test, tree.yes, tree.no]
  }
}

const compiled = new Map<string, Expr>()
/** Texts are few (rules, library blocks) but an editor makes new ones while typing, so the memory is bounded. */
const mostCompiled = 5000

function compile(text: string): Expr {
  const known = compiled.get(text)
  if (known !== undefined) return known
  const tree = parseExpression(text)
  if (compiled.size >= mostCompiled) compiled.clear()
  compiled.set(text, tree)
  return tree
}

function evaluateTree(tree: Expr, scope: Scope): Value {
  switch (tree.kind) {
    case 'literal':
      return tree.value
    case 'name':
      return lookUp(tree.name, tree.at, scope)
    case 'list':
      return tree.items.map((item) => evaluateTree(item, scope))
    case 'member':
      return member(evaluateTree(tree.of, scope), tree.name, tree.at)
    case 'index':
      return element(evaluateTree(tree.of, scope), evaluateTree(tree.index, scope), tree.at)
    case 'call':
      return call(
        tree.name,
        tree.args.map((argument) => evaluateTree(argument, scope)),
        tree.at,
      )
    case 'unary': {
      const value = evaluateTree(tree.value, scope)
      return tree.op === '!' ? !isTrue(value) : -toNumber(value, tree.at)
    }
    case 'binary':
      return binary(tree, scope)
    case 'choice':
      return evaluateTree(isTrue(evaluateTree(tree.test, scope)) ? tree.yes : tree.no, scope)
  }
}

function lookUp(name: string, at: number, scope: Scope): Value {
  const value = scope.get(name)
  if (value === undefined) {
    throw new ExpressionError('unknown_name', at, name, nearestName(name, scope.names()))
  }
  return value
}

/** Spelled out instead of `value[name]`, so that no name reaches a prototype. */
function member(value: Value, name: string, at: number): Value {
  if (isTensor(value)) {
    if (name === 'c') return value.c
    if (name === 's') return value.k === 'map' ? value.s : []
    if (name === 'n') return value.k === 'seq' ? value.n : 0
  }
  throw new ExpressionError('unknown_name', at, name)
}

function isTensor(value: Value): value is TensorType {
  return typeof value === 'object' && !Array.isArray(value)
}

function element(value: Value, index: Value, at: number): Value {
  if (!Array.isArray(value)) throw new ExpressionError('index', at)
  const found: Value | undefined = value[toNumber(index, at)]
  if (found === undefined) throw new ExpressionError('index', at, String(index))
  return found
}

type Binary = Extract<Expr, { kind: 'binary' }>

function binary(tree: Binary, scope: Scope): Value {
  const left = evaluateTree(tree.left, scope)
  if (tree.op === '&&') return isTrue(left) && isTrue(evaluateTree(tree.right, scope))
  if (tree.op === '||') return isTrue(left) || isTrue(evaluateTree(tree.right, scope))
  const right = evaluateTree(tree.right, scope)
  if (tree.op === '==') return left === right
  if (tree.op === '!=') return left !== right
  if (Array.isArray(left) || Array.isArray(right)) return eachElement(tree, left, right)
  return arithmetic(tree.op, toNumber(left, tree.at), toNumber(right, tree.at), tree.at)
}

/** Lists of equal length, or a list and a number: `s+2*pad` is the padded size of every axis. */
function eachElement(tree: Binary, left: Value, right: Value): Value {
  const length = Array.isArray(left) ? left.length : Array.isArray(right) ? right.length : 0
  return Array.from({ length }, (_, k) => {
    const a = Array.isArray(left) ? element(left, k, tree.at) : left
    const b = Array.isArray(right) ? element(right, k, tree.at) : right
    return arithmetic(tree.op, toNumber(a, tree.at), toNumber(b, tree.at), tree.at)
  })
}

function arithmetic(op: string, a: number, b: number, at: number): number | boolean {
  switch (op) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '+':
      return finite(a + b, at)
    case '-':
      return finite(a - b, at)
    case '*':
      return finite(a * b, at)
    case '^':
      return finite(a ** b, at)
  }
  if (b === 0) throw new ExpressionError('divide_by_zero', at)
  if (op === '/') return finite(a / b, at)
  if (op === '//') return finite(Math.floor(a / b), at)
  return finite(a - Math.floor(a / b) * b, at)
}

function toNumber(value: Value, at: number): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  throw new ExpressionError('not_a_number', at)
}

function finite(value: number, at: number): number {
  if (!Number.isFinite(value)) throw new ExpressionError('not_a_number', at)
  return value
}

type NumberFunction = { least: number; most: number; apply: (values: number[]) => number }
const one = (apply: (x: number) => number): NumberFunction => ({
  least: 1,
  most: 1,
  apply: ([x = 0]) => apply(x),
})

/** The only names before a bracket, so that a parameter may be called `ceil`. A list counts as its elements. */
const functions = new Map<string, NumberFunction>([
  ['min', { least: 1, most: Infinity, apply: (values) => values.reduce((a, b) => Math.min(a, b)) }],
  ['max', { least: 1, most: Infinity, apply: (values) => values.reduce((a, b) => Math.max(a, b)) }],
  ['sum', { least: 0, most: Infinity, apply: (values) => values.reduce((a, b) => a + b, 0) }],
  ['prod', { least: 0, most: Infinity, apply: (values) => values.reduce((a, b) => a * b, 1) }],
  ['len', { least: 0, most: Infinity, apply: (values) => values.length }],
  ['floor', one(Math.floor)],
  ['ceil', one(Math.ceil)],
  ['round', one(Math.round)],
  ['log2', one(Math.log2)],
  ['div8', one(divisibleBy8)],
])
const lists = new Set(['min', 'max', 'sum', 'prod', 'len'])

function call(name: string, args: readonly Value[], at: number): number {
  const found = functions.get(name)
  if (found === undefined) {
    throw new ExpressionError('unknown_function', at, name, nearestName(name, functions.keys()))
  }
  const values = lists.has(name) ? args.flat() : args
  if (values.length < found.least || values.length > found.most) {
    throw new ExpressionError('arguments', at, name)
  }
  return finite(found.apply(values.map((value) => toNumber(value, at))), at)
}

/** Nearest multiple of 8, never more than a tenth below: how the MobileNet papers round channel counts. */
function divisibleBy8(x: number): number {
  const rounded = Math.max(8, Math.floor((x + 4) / 8) * 8)
  return rounded < 0.9 * x ? rounded + 8 : rounded
}
