/** What the structure picture shows of a network: a card for each input, node and result, and what is connected. */

import type { OpParam } from '../catalogue.ts'
import type { Vocabulary } from '../document/canonical.ts'
import type { Block, Document, Node, ParamValue } from '../document/document.ts'
import { evaluateWritten, FrameScope, type Signal } from '../frame.ts'
import { bindDocument } from '../resolve/bind.ts'
import type { Value } from '../resolve/expr.ts'
import { headOutlets } from '../resolve/heads.ts'
import { baseOf, orderGraph } from '../resolve/order.ts'
import type { TensorType } from '../resolve/plan.ts'
import { ModelError } from '../resolve/problems.ts'
import type { Resolved } from '../resolve/resolve.ts'

/** Texts of the locale file layers.json by key; a key that it does not have may come back as it is, or empty. */
export type Titles = (key: string) => string

export interface Card {
  id: string
  kind: 'input' | 'node' | 'result'
  /** Of the catalogue; `block` for blocks. */
  category: string
  title: string
  /** Its own name and the settings that matter. */
  note: string
  copies: number
  isOff: boolean
  /** What comes out, e.g. `64 × 112 × 112`; '' where that is not known. */
  shape: string
}

export interface Cards {
  cards: Card[]
  edges: { from: string; to: string }[]
}

interface Context {
  document: Document
  vocabulary: Vocabulary
  titles: Titles
  types: Resolved['types']
  params: ReadonlyMap<string, Value>
  ports: ReadonlyMap<string, Signal>
}

export function cardsOf(
  document: Document,
  resolved: Resolved,
  { vocabulary, titles }: { vocabulary: Vocabulary; titles: Titles },
): Cards {
  const context = { document, vocabulary, titles, types: resolved.types, ...bindingOf(document) }
  const cards: Card[] = []
  const edges: Cards['edges'] = []
  for (const name of document.inputs.keys()) cards.push(inputCard(name, context))
  const inputs = new Map(
    orderGraph(document.nodes, [...document.inputs.keys()]).nodes.map((node) => [node.id, node.inputs]),
  )
  for (const [id, node] of document.nodes) {
    const refs = inputs.get(id)?.map(({ ref }) => ref) ?? writtenRefs(node)
    cards.push(nodeCard(id, node, refs[0], context))
    for (const ref of refs) edges.push({ from: sourceOf(ref, document), to: id })
  }
  for (const [name, head] of document.heads) {
    const id = `heads.${name}`
    cards.push(resultCard(id, name, context))
    for (const { ref } of headOutlets(head)) edges.push({ from: sourceOf(ref, document), to: id })
  }
  return { cards, edges }
}

/** Ids of inputs begin with `@`, as in the plan: an input and a node may be told apart by it. */
function sourceOf(ref: string, document: Document): string {
  const base = baseOf(ref)
  return document.inputs.has(base) ? `@${base}` : base
}

/** Of nodes in a circle, whose order is not known. */
function writtenRefs({ in: written }: Node): string[] {
  if (written === undefined) return []
  return typeof written === 'string' ? [written] : [...written.values()]
}

function bindingOf(document: Document): Pick<Context, 'params' | 'ports'> {
  try {
    return bindDocument(document)
  } catch (error) {
    if (error instanceof ModelError) return { params: new Map(), ports: new Map() }
    throw error
  }
}

function inputCard(name: string, { types, titles }: Context): Card {
  const shape = shapeOf(types.get(`@${name}`))
  const title = wordOf(titles, ['picture.input'], name)
  return { id: `@${name}`, kind: 'input', category: '', title, note: name, copies: 1, isOff: false, shape }
}

function resultCard(id: string, name: string, { titles }: Context): Card {
  const title = wordOf(titles, ['picture.result'], name)
  const note = name === 'main' ? '' : name
  return { id, kind: 'result', category: '', title, note, copies: 1, isOff: false, shape: '' }
}

function nodeCard(id: string, node: Node, first: string | undefined, context: Context): Card {
  const { document, vocabulary, titles, types } = context
  const { op } = node
  const isLocal = document.blocks.has(op)
  const block = document.blocks.get(op) ?? vocabulary.std.get(op)
  const category = block === undefined ? (vocabulary.catalogue.get(op)?.cat ?? '') : 'block'
  const known = isLocal ? [] : [`op.${op}.title`, `block.${op}.title`]
  const title = wordOf(titles, known, block?.title ?? spoken(op))
  const scope = new FrameScope(context, first === undefined ? undefined : typeAt(first, context))
  const copies = node.repeat === undefined ? 1 : evaluated(node.repeat, scope)
  const isOff = node.off !== undefined && evaluated(node.off, scope) === true
  return {
    id,
    kind: 'node',
    category,
    title,
    note: noteOf(id, node, scope, context),
    copies: typeof copies === 'number' ? copies : 1,
    isOff,
    shape: shapesOf(id, block, types),
  }
}

/** `detection_head` as a title. */
function spoken(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function typeAt(ref: string, { types, document }: Context): TensorType | undefined {
  return types.get(ref) ?? types.get(sourceOf(ref, document))
}

/** At most so many settings stand on a card. */
const mostSettings = 3
/** Channels stand beside the connections, and these change nothing that a reader of the picture looks for. */
const leftOut = new Set([
  'out',
  'mid',
  'width',
  'classes',
  'bias',
  'eps',
  'momentum',
  'qkvbias',
  'std',
  'countpad',
])

function noteOf(
  id: string,
  node: Node,
  scope: FrameScope,
  { titles, vocabulary, document }: Context,
): string {
  const parts = [id]
  const block = document.blocks.get(node.op) ?? vocabulary.std.get(node.op)
  const entry = block === undefined ? vocabulary.catalogue.get(node.op) : undefined
  for (const [name, written] of node.params) {
    if (leftOut.has(name)) continue
    const value = evaluated(written, scope)
    const usual = block?.params.get(name)?.default ?? entry?.params.get(name)?.def
    if (value === null || JSON.stringify(value) === JSON.stringify(usual)) continue
    const words = settingWords({ op: node.op, name, value, spec: entry?.params.get(name) }, titles)
    if (words !== '') parts.push(words)
  }
  if (node.share !== undefined) parts.push(`${wordOf(titles, ['picture.weights'], 'share')} ${node.share}`)
  return parts.slice(0, mostSettings + 1).join(' · ')
}

interface Setting {
  op: string
  name: string
  value: Value
  spec: OpParam | undefined
}

function settingWords({ op, name, value, spec }: Setting, titles: Titles): string {
  if (name === 'kernel') return Array.isArray(value) ? value.join('×') : `${value}×${value}`
  const label = wordOf(titles, [`param.${op}.${name}`, `param.${name}`], name)
  if (typeof value === 'boolean') return value ? label : ''
  if (spec?.t === 'enum') return wordOf(titles, [`choice.${value}`], `${value}`)
  return `${label} ${Array.isArray(value) ? value.join(', ') : value}`
}

/** null where a formula asks for what is not known here. */
function evaluated(written: ParamValue, scope: FrameScope): Value | null {
  try {
    return evaluateWritten(written, '', scope)
  } catch (error) {
    if (error instanceof ModelError) return null
    throw error
  }
}

export function wordOf(titles: Titles, keys: readonly string[], otherwise: string): string {
  for (const key of keys) {
    const text = titles(key)
    if (text !== '' && text !== key) return text
  }
  return otherwise
}

function shapeOf(type: TensorType | undefined): string {
  switch (type?.k) {
    case undefined:
      return ''
    case 'vec':
      return `${type.c}`
    case 'seq':
      return `${type.n} × ${type.c}`
    case 'map':
      return [type.c, ...type.s].join(' × ')
  }
}

/** Of several outputs that differ in their channels alone, these are named one by one: `80 + 4 + 1 × 32 × 32`. */
function shapesOf(id: string, block: Block | undefined, types: Resolved['types']): string {
  const ports = [...(block?.outputs?.keys() ?? [])]
  const shapes = ports.map((port) => shapeOf(types.get(`${id}.${port}`)))
  if (ports.length < 2 || shapes.includes('')) return shapeOf(types.get(id))
  const sizes = shapes.map((shape) => shape.split(' × ').slice(1).join(' × '))
  if (new Set(sizes).size > 1) return shapes.join(', ')
  return [shapes.map((shape) => shape.split(' × ')[0]).join(' + '), sizes[0]].join(' × ')
}
