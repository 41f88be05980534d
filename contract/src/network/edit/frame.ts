/** Pure edits of what stands around the nodes: inputs, parameters, heads, outputs of blocks, name and texts. */
import {
  type Document,
  type DocumentInput,
  type Head,
  isReadableInput,
  isReadableParam,
  isReservedParam,
  networkLimits,
  type ParamSpec,
} from '../document/document.ts'
import { baseOf } from '../resolve/order.ts'
import { isId } from '../resolve/schema-map.ts'
import { isExpressionText, mapExpressions, replaceNames, substitutionOf } from './expressions.ts'
import { graphOf, hasSource, mapOutlets, withBlock, withNodes } from './graph.ts'
import { isFreeName } from './names.ts'
import { mapRefs, refsOf, spellOut } from './slots.ts'

/** null takes it away; what read it stays open at its port until it is connected anew. */
export function setInput(document: Document, name: string, input: DocumentInput | null): Document {
  const { inputs, nodes } = document
  const spelled = withNodes(document, null, spellOut(nodes, [...inputs.keys()]))
  if (input === null) return inputs.has(name) ? { ...spelled, inputs: without(inputs, name) } : document
  if (!inputs.has(name) && (!isFreeName(document, null, name) || inputs.size >= networkLimits.inputs)) {
    return document
  }
  return isReadableInput(input) ? { ...spelled, inputs: new Map(inputs).set(name, input) } : document
}

/** References, heads and expressions that ask for its shape (`image.c`) follow. */
export function renameInput(document: Document, name: string, next: string): Document {
  if (!document.inputs.has(name) || !isFreeName(document, null, next)) return document
  const rename = (ref: string) => (baseOf(ref) === name ? next + ref.slice(name.length) : ref)
  const inputs = new Map([...document.inputs].map(([key, input]) => [key === name ? next : key, input]))
  const nodes = new Map(
    [...document.nodes].map(([id, node]) => [
      id,
      refsOf(node).some((ref) => rename(ref) !== ref) ? mapRefs(node, rename) : node,
    ]),
  )
  const moved = mapOutlets({ ...document, inputs, nodes }, null, rename)
  return mapExpressions(moved, (text) => replaceNames(text, (word) => (word === name ? next : null)))
}

/** A parameter of the network. One that is taken away leaves its default wherever it was used. */
export function setKnob(document: Document, name: string, spec: ParamSpec | null): Document {
  const known = document.params.get(name)
  if (spec === null) {
    if (known === undefined) return document
    const params = without(document.params, name)
    const value = substitutionOf(known.default)
    return mapExpressions({ ...document, params }, (text) =>
      replaceNames(text, (word) => (word === name ? value : null)),
    )
  }
  const isNew = known === undefined
  if (isNew && (!isFreeKnob(document, name) || document.params.size >= networkLimits.inputs)) return document
  return isReadableParam(spec) ? { ...document, params: new Map(document.params).set(name, spec) } : document
}

/** Every expression that reads it follows. Refused, too, where one would grow too long to be read. */
export function renameKnob(document: Document, name: string, next: string): Document {
  if (!document.params.has(name) || !isFreeKnob(document, next)) return document
  let isLost = false
  const params = new Map([...document.params].map(([key, spec]) => [key === name ? next : key, spec]))
  const renamed = mapExpressions({ ...document, params }, (text) => {
    const rewritten = replaceNames(text, (word) => (word === name ? next : null))
    isLost ||= rewritten !== text && !isExpressionText(rewritten)
    return rewritten
  })
  return isLost ? document : renamed
}

/** A node may be called the same: expressions know no nodes. */
function isFreeKnob({ params, inputs }: Document, name: string): boolean {
  return isId(name) && !isReservedParam(name) && !inputs.has(name) && !params.has(name)
}

export function setHead(document: Document, name: string, head: Head | null): Document {
  const { heads } = document
  if (head === null) return heads.has(name) ? { ...document, heads: without(heads, name) } : document
  if (!isId(name) || (!heads.has(name) && heads.size >= networkLimits.inputs)) return document
  return { ...document, heads: new Map(heads).set(name, head) }
}

/** A new outlet or level comes to be by connecting it; a source of null takes the outlet away. */
export function connectHead(
  document: Document,
  { head: name, outlet, source }: { head: string; outlet: string; source: string | null },
): Document {
  const head = document.heads.get(name)
  const graph = graphOf(document, null)
  if (head === undefined || graph === null || (source !== null && !hasSource(graph, source))) return document
  const from = connectOutlet(head.from, outlet, source)
  return from === null ? document : setHead(document, name, { ...head, from })
}

/** An output port of a block; without any, the last node is the output. */
export function setOutput(document: Document, blockName: string, port: string, ref: string | null): Document {
  const graph = graphOf(document, blockName)
  if (graph === null || !isId(port) || (ref !== null && !hasSource(graph, ref))) return document
  return withBlock(document, blockName, ({ outputs, ...block }) => {
    const last = [...block.nodes.keys()].at(-1)
    const isSecond = outputs === undefined && port !== 'out' && last !== undefined
    const before = outputs ?? new Map(isSecond ? [['out', last]] : [])
    const named = withPort(before, port, ref)
    if (outputs === undefined && ref === null) return block
    return named.size === 0 ? block : { ...block, outputs: named }
  })
}

/** An empty title or introduction is taken away. */
export function setInfo(
  document: Document,
  info: { name?: string; task?: string; title?: string; about?: string },
): Document {
  const isTooLong = Object.values(info).some((text) => text.length > networkLimits.textLength)
  if (isTooLong) return document
  const { title, about, ...rest } = { ...document, ...info }
  const isGiven = (text: string | undefined) => text !== undefined && text !== ''
  return { ...rest, ...(isGiven(title) && { title }), ...(isGiven(about) && { about }) }
}

/** null: there is no such outlet, and none can be made. */
function connectOutlet(from: Head['from'], outlet: string, source: string | null): Head['from'] | null {
  if (outlet === '') {
    const isSingle = typeof from === 'string' || headIsEmpty(from)
    return isSingle ? (source ?? new Map()) : null
  }
  const [, level, port = ''] = /^(?:(\d{1,2})\.)?([^.]+)$/.exec(outlet) ?? []
  if (!isId(port)) return null
  if (level === undefined) return withPort(from instanceof Map ? from : new Map(), port, source)
  const levels = Array.isArray(from) ? [...from] : []
  const at = Math.min(Number(level), levels.length)
  if (at >= networkLimits.inputs) return null
  levels[at] = withPort(levels[at] ?? new Map(), port, source)
  return levels
}

function headIsEmpty(from: Exclude<Head['from'], string>): boolean {
  return Array.isArray(from) ? from.length === 0 : from.size === 0
}

function withPort(ports: ReadonlyMap<string, string>, port: string, ref: string | null): Map<string, string> {
  if (ref === null) return without(ports, port)
  return ports.has(port) || ports.size < networkLimits.inputs ? new Map(ports).set(port, ref) : new Map(ports)
}

function without<T>(map: ReadonlyMap<string, T>, name: string): Map<string, T> {
  const rest = new Map(map)
  rest.delete(name)
  return rest
}
