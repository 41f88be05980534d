/** Fills the texts of one layer: its parameters and what comes in, written in Python. */

import { evaluate, isTrue, type Scope, type Value } from '../resolve/expr.ts'
import type { PlanNode, TensorType } from '../resolve/plan.ts'
import { sizesOf, tokensOf } from '../resolve/rules.ts'
import type { OpTexts, PytorchTexts, TextChoice } from './texts.ts'

export interface LayerCode {
  /** How the layer is made; '' where there is none to keep. */
  make: string
  /** What is done in `forward`, for names of the inputs in port order. */
  run: (inputs: readonly string[], layer: string) => string
}

export function layerCode(
  node: PlanNode,
  inputs: readonly TensorType[],
  { ops, names }: PytorchTexts,
): LayerCode {
  const texts = ops.get(node.op)
  if (texts === undefined) throw new Error(`no text for ${node.op}`)
  const scope = scopeOf(node, inputs, names)
  const run = chosen(texts.run ?? '{layer}({inputs})', scope)
  return {
    make: makeText(texts, scope),
    run: (sources, layer) => {
      const gaps = new Map(sources.map((source, k) => [`in${k}`, source]))
      gaps.set('layer', layer)
      gaps.set('inputs', sources.join(', '))
      gaps.set('sum', sources.join(' + '))
      gaps.set('product', sources.join(' * '))
      return fill(run, scope, gaps)
    },
  }
}

function makeText(texts: OpTexts, scope: Scope): string {
  const text = chosen(texts.make ?? '', scope)
  if (text === '') return ''
  const more = (texts.with ?? []).filter(([rule]) => isTrue(evaluate(rule, scope))).map(([, part]) => part)
  return fill([text.slice(0, -1), ...more].join(', ').concat(')'), scope, new Map())
}

function chosen(choice: TextChoice, scope: Scope): string {
  if (typeof choice === 'string') return choice
  return choice.find(([rule]) => isTrue(evaluate(rule, scope)))?.[1] ?? ''
}

/** `{name}` or `{expression}`; `{*list}` writes the items of a list without brackets. */
function fill(text: string, scope: Scope, gaps: ReadonlyMap<string, string>): string {
  return text.replace(/\{([^{}]+)\}/g, (_, inside: string) => {
    const given = gaps.get(inside)
    if (given !== undefined) return given
    if (inside.startsWith('*')) return items(evaluate(inside.slice(1), scope))
    // A digit in the name of a class: nn.Conv{R}d.
    return python(evaluate(inside, scope))
  })
}

function scopeOf(node: PlanNode, inputs: readonly TensorType[], names: ReadonlyMap<string, string>): Scope {
  const [first = node.type, second = first] = inputs
  const rank = sizesOf(first).length
  const known = new Map<string, Value>([
    ['kind', first.k],
    ['c', first.c],
    ['n', tokensOf(first)],
    ['s', sizesOf(first)],
    // PyTorch's one-axis classes also serve what is no picture.
    ['R', Math.max(1, rank)],
    ['axes', Array.from({ length: rank }, (_, axis) => axis + 2)],
    ['nin', inputs.length],
    ['ctxc', second.c],
    ...Object.entries(node.params),
  ])
  const scope: Scope = {
    get: (name) => {
      const rule = names.get(name)
      return rule === undefined || known.has(name) ? known.get(name) : evaluate(rule, scope)
    },
    names: () => [...known.keys(), ...names.keys()],
  }
  return scope
}

function items(value: Value): string {
  return Array.isArray(value) ? value.map(python).join(', ') : python(value)
}

/** One number an axis is written as one where all are equal. */
function python(value: Value): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return pythonText(value)
  if (!Array.isArray(value)) return String(value)
  const [first] = value
  const isEven = first !== undefined && value.every((item) => item === first)
  return isEven ? python(first) : `(${items(value)})`
}

/** JSON's escapes mean the same in Python. */
export function pythonText(text: string): string {
  return JSON.stringify(text)
}
