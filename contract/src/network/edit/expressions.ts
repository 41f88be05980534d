/** Rewrites names inside `=` expressions, so that a network means the same after its names have moved. */
import type { Document, Node, ParamValue } from '../document/document.ts'
import { partsOf } from '../resolve/expr.ts'
import { type Expr, ExpressionError, parseExpression } from '../resolve/expr-parse.ts'
import { mapMap } from './graph.ts'

export type Rewrite = (text: string) => string

/**
 * Puts other words for names in an expression (with its leading `=`); null leaves a name. Parts of a shape (`x.c`) and
 * functions are no names. A text that is no expression comes back as it is: it is a mistake before and after.
 */
export function replaceNames(text: string, replace: (name: string) => string | null): string {
  const names = namesAt(text)
  if (names === null) return text
  let result = text
  for (const { name, at } of names.toReversed()) {
    const word = replace(name)
    if (word !== null) result = result.slice(0, at + 1) + word + result.slice(at + 1 + name.length)
  }
  return result
}

/** Every name that an expression looks up, once each. */
export function namesOfText(text: string): string[] {
  return [...new Set((namesAt(text) ?? []).map(({ name }) => name))]
}

/** Whether the text can still be read: it may have grown too long or too deep. */
export function isExpressionText(text: string): boolean {
  return namesAt(text) !== null
}

/** How a value reads inside an expression: in brackets, unless it is a single word. */
export function substitutionOf(value: ParamValue): string {
  if (Array.isArray(value)) return `[${value.map(substitutionOf).join(',')}]`
  if (typeof value !== 'string') return typeof value === 'number' && value < 0 ? `(${value})` : String(value)
  const text = value.slice(1).trim()
  if (value.startsWith('='))
    return /^[\p{L}\p{M}\p{Nd}_]+(\.[\p{L}\p{M}\p{Nd}_]+)?$/u.test(text) ? text : `(${text})`
  return value.includes("'") ? `"${value}"` : `'${value}'`
}

/** All texts of a node that are expressions. */
export function expressionsOf({ params, repeat, off }: Node): string[] {
  return [...params.values(), repeat, off].flat().filter(isExpression)
}

export function mapNode(node: Node, rewrite: Rewrite): Node {
  if (expressionsOf(node).every((text) => rewrite(text) === text)) return node
  const { repeat, off } = node
  const params = mapMap(node.params, (value) => mapValue(value, rewrite))
  const next: Node = { ...node, params }
  if (isExpression(repeat)) next.repeat = rewrite(repeat)
  if (isExpression(off)) next.off = rewrite(off)
  return next
}

/** Every expression of the document's own graph; those of blocks know only names of their block. */
export function mapExpressions(document: Document, rewrite: Rewrite): Document {
  const number = (written: number | string) => (typeof written === 'string' ? rewrite(written) : written)
  return {
    ...document,
    params: mapMap(document.params, (spec) => ({ ...spec, default: mapValue(spec.default, rewrite) })),
    inputs: mapMap(document.inputs, ({ channels, size, ...input }) => ({
      ...input,
      channels: number(channels),
      ...(size !== undefined && { size: size.map(number) }),
    })),
    nodes: mapMap(document.nodes, (node) => mapNode(node, rewrite)),
    heads: mapMap(document.heads, ({ factor, ...head }) => ({
      ...head,
      ...(factor !== undefined && { factor: number(factor) }),
    })),
  }
}

export function mapValue(value: ParamValue, rewrite: Rewrite): ParamValue {
  if (Array.isArray(value)) return value.map((item) => (isExpression(item) ? rewrite(item) : item))
  return isExpression(value) ? rewrite(value) : value
}

export function isExpression(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('=')
}

/** In written order; null where the text cannot be read. */
function namesAt(text: string): { name: string; at: number }[] | null {
  try {
    const found: { name: string; at: number }[] = []
    const pending: Expr[] = [parseExpression(text.slice(1))]
    for (let tree = pending.pop(); tree !== undefined; tree = pending.pop()) {
      if (tree.kind === 'name') found.push({ name: tree.name, at: tree.at })
      pending.push(...partsOf(tree))
    }
    return found.sort((a, b) => a.at - b.at)
  } catch (error) {
    if (error instanceof ExpressionError) return null
    throw error
  }
}
