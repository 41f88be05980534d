/** Writes values into YAML text: new ones in flow style, changed ones inside the map that is already there. */
import * as yaml from 'yaml'
import type { Json } from '../document/canonical.ts'
import { type Item, type Target, targetData } from './merge.ts'
import { flow } from './write.ts'

/** A value as it may stand inside brackets, always on one line. */
export function flowText(value: Json): string {
  return flow([value]).slice(1, -1)
}

/** The value's text after the change; `node` was parsed from `source`. */
export function patchValue(source: string, node: yaml.Node, target: Target): string {
  const [from, to] = spanOf(node)
  if (target.kind === 'keep') return source.slice(from, to)
  if (target.kind === 'set') return flowText(target.value)
  if (!yaml.isMap(node) || !isFlow(node)) return flowText(dataOf(target))
  return patchMap(source, node, target.items)
}

export function isFlow(node: yaml.Node): boolean {
  return yaml.isCollection(node) && node.flow === true
}

export function spanOf(node: yaml.Node): [number, number] {
  const [from, to] = node.range ?? [0, 0]
  return [from, to]
}

interface Pair {
  key: string
  keySpan: [number, number]
  value: yaml.Node
  from: number
  to: number
}

function patchMap(source: string, map: yaml.YAMLMap, items: readonly Item[]): string {
  const [from, to] = spanOf(map)
  const pairs = map.items.flatMap((item) => pairOf(item) ?? [])
  const kept = items.flatMap(({ from: key }) => (key === null ? [] : [key]))
  const inOrder = pairs.filter(({ key }) => kept.includes(key)).map(({ key }) => key)
  const [first, last] = [pairs[0], pairs.at(-1)]
  if (first === undefined || last === undefined || items.length === 0 || kept.join() !== inOrder.join()) {
    return flowText(dataOf({ kind: 'map', items: [...items] }))
  }
  const lines = source.slice(from, first.from)
  const between = lines.includes('\n') ? `,${lines.slice(lines.indexOf('\n')).replace(/#.*/g, '')}` : ', '
  let text = ''
  let above = -1
  for (const item of items) {
    const k = pairs.findIndex(({ key }) => key === item.from)
    const pair = pairs[k]
    if (text !== '') {
      const before = pairs[above]
      const next = pairs[above + 1]
      const isNeighbour = pair !== undefined && before !== undefined && next !== undefined
      text += isNeighbour ? source.slice(before.to, next.from) : between
    }
    text +=
      pair === undefined
        ? `${flowText(item.key)}: ${flowText(dataOf(item.target))}`
        : patchPair(source, pair, item)
    if (pair !== undefined) above = k
  }
  return lines + text + source.slice(last.to, to)
}

function patchPair(source: string, { key, keySpan, value, from }: Pair, item: Item): string {
  const [start] = spanOf(value)
  const name = item.key === key ? source.slice(from, keySpan[1]) : flowText(item.key)
  return name + source.slice(keySpan[1], start) + patchValue(source, value, item.target)
}

function pairOf({ key, value }: yaml.Pair): Pair | null {
  if (!yaml.isScalar(key) || !yaml.isNode(value)) return null
  const keySpan = spanOf(key)
  return { key: String(key.value), keySpan, value, from: keySpan[0], to: spanOf(value)[1] }
}

function dataOf(target: Target): Json {
  // Canonical forms, and texts that were read as a document: JSON both.
  return targetData(target) as Json
}
