/** Pure edits of what leads into a block and out of it; whoever uses the block follows. It opens no new ports. */
import type { Vocabulary } from '../document/canonical.ts'
import type { Block, Document, Node } from '../document/document.ts'
import { headOutlets } from '../resolve/heads.ts'
import { baseOf } from '../resolve/order.ts'
import { isId } from '../resolve/schema-map.ts'
import { mapNode, replaceNames } from './expressions.ts'
import { connectHead } from './frame.ts'
import { graphOf, mapMap, mapOutlets, type Scope, silentOutput, withBlock, withNodes } from './graph.ts'
import { isFreeName } from './names.ts'
import { explicit, inputsOf, mapRefs, portsOf, rewire, slotsOf } from './slots.ts'

export interface Port {
  block: string
  side: 'input' | 'output'
  name: string
}

/** `block` would be left without an input, or without an output. */
export interface PortRefusal {
  refused: 'lastInput' | 'lastOutput'
  block: string
}

/** The connections to it go too: inside, and wherever the block is used. An output that only passes it on goes with it. */
export function removePort(
  document: Document,
  port: Port,
  vocabulary: Vocabulary,
): { document: Document } | PortRefusal {
  const ready = explicit(document, vocabulary)
  const block = ready.blocks.get(port.block)
  if (block === undefined || !portsOn(block, port.side).includes(port.name)) return { document }
  return port.side === 'input' ? removeInput(ready, port, vocabulary) : removeOutput(ready, port, vocabulary)
}

/** The document as it was where the name is taken or cannot be one. */
export function renamePort(document: Document, port: Port, next: string, vocabulary: Vocabulary): Document {
  const ready = explicit(document, vocabulary)
  const block = ready.blocks.get(port.block)
  const names = block === undefined ? [] : portsOn(block, port.side)
  if (!names.includes(port.name)) return document
  if (port.side === 'input') {
    return isFreeName(document, port.block, next) ? renameInput(ready, port, next) : document
  }
  return isId(next) && !names.includes(next) ? renameOutput(ready, port, next) : document
}

/** A block without named outputs gives its last node, as `out`. */
function portsOn({ inputs, outputs }: Block, side: Port['side']): readonly string[] {
  if (side === 'input') return inputs
  return outputs === undefined ? ['out'] : [...outputs.keys()]
}

function removeInput(
  document: Document,
  { block: blockName, name }: Port,
  vocabulary: Vocabulary,
): { document: Document } | PortRefusal {
  const block = document.blocks.get(blockName)
  if (block === undefined) return { document }
  if (block.inputs.length === 1) return { refused: 'lastInput', block: blockName }
  const reads = (ref: string) => baseOf(ref) === name
  const passed = [...(block.outputs ?? [])].filter(([, ref]) => reads(ref)).map(([port]) => port)
  const rest = removeOutputs(document, blockName, passed, vocabulary)
  if ('refused' in rest) return rest
  const before = portsOf(blockName, document, vocabulary)
  const inputs = block.inputs.filter((port) => port !== name)
  const after = { ...before, names: inputs, most: inputs.length }
  const inside = withBlock(rest.document, blockName, ({ nodes, ...other }) => ({
    ...other,
    inputs,
    nodes: mapMap(nodes, (node) =>
      rewire(node, portsOf(node.op, document, vocabulary), (ref) => (reads(ref) ? null : ref)),
    ),
  }))
  const at = block.inputs.indexOf(name)
  const uses = mapUses(inside, blockName, (node) => {
    const slots = slotsOf(node, before).filter((_, k) => k !== at)
    return { ...node, in: inputsOf(slots, after) }
  })
  return { document: uses }
}

function renameInput(document: Document, { block: blockName, name }: Port, next: string): Document {
  const follow = (ref: string) => (ref === name ? next : ref)
  const inside = withBlock(document, blockName, ({ inputs, nodes, ...block }) => ({
    ...block,
    inputs: inputs.map(follow),
    nodes: mapMap(nodes, (node) =>
      mapNode(mapRefs(node, follow), (text) => replaceNames(text, (word) => (word === name ? next : null))),
    ),
  }))
  return mapUses(mapOutlets(inside, blockName, follow), blockName, (node) =>
    node.in instanceof Map
      ? { ...node, in: new Map([...node.in].map(([port, ref]) => [follow(port), ref])) }
      : node,
  )
}

function removeOutputs(
  document: Document,
  block: string,
  names: readonly string[],
  vocabulary: Vocabulary,
): { document: Document } | PortRefusal {
  let rest = document
  for (const name of names) {
    const removed = removeOutput(rest, { block, side: 'output', name }, vocabulary)
    if ('refused' in removed) return removed
    rest = removed.document
  }
  return { document: rest }
}

function removeOutput(
  document: Document,
  { block: blockName, name }: Port,
  vocabulary: Vocabulary,
): { document: Document } | PortRefusal {
  const [first, ...others] = document.blocks.get(blockName)?.outputs?.keys() ?? []
  if (others.length === 0) return { refused: 'lastOutput', block: blockName }
  let rest = withBlock(document, blockName, ({ outputs = new Map(), ...block }) => ({
    ...block,
    outputs: new Map([...outputs].filter(([port]) => port !== name)),
  }))
  for (const scope of scopesOf(document)) {
    const uses = usesIn(document, scope, blockName)
    // The name of a node alone means its first output.
    const isGone = (ref: string) =>
      uses.has(baseOf(ref)) && (ref === baseOf(ref) ? name === first : ref.endsWith(`.${name}`))
    const cut = cutRefs(rest, scope, isGone, vocabulary)
    if ('refused' in cut) return cut
    rest = cut.document
  }
  return { document: rest }
}

/** Nobody in this graph reads these any more; an outer block's output that gives one of them goes too. */
function cutRefs(
  document: Document,
  scope: Scope,
  isGone: (ref: string) => boolean,
  vocabulary: Vocabulary,
): { document: Document } | PortRefusal {
  const nodes = graphOf(document, scope)?.nodes ?? new Map<string, Node>()
  const rest = withNodes(
    document,
    scope,
    mapMap(nodes, (node) =>
      rewire(node, portsOf(node.op, document, vocabulary), (ref) => (isGone(ref) ? null : ref)),
    ),
  )
  if (scope === null) return { document: cutHeads(rest, isGone) }
  const silent = silentOutput(rest, scope)
  if (silent !== null && isGone(silent)) return { refused: 'lastOutput', block: scope }
  const outputs = [...(rest.blocks.get(scope)?.outputs ?? [])].filter(([, ref]) => isGone(ref))
  return removeOutputs(
    rest,
    scope,
    outputs.map(([port]) => port),
    vocabulary,
  )
}

function cutHeads(document: Document, isGone: (ref: string) => boolean): Document {
  return [...document.heads].reduce(
    (rest, [name, head]) =>
      headOutlets(head)
        .filter(({ ref }) => isGone(ref))
        .reduce((one, { outlet }) => connectHead(one, { head: name, outlet, source: null }), rest),
    document,
  )
}

function renameOutput(document: Document, { block: blockName, name }: Port, next: string): Document {
  const silent = silentOutput(document, blockName)
  const named = withBlock(document, blockName, (block) => {
    const outputs = block.outputs ?? new Map(silent === null ? [] : [['out', silent]])
    return {
      ...block,
      outputs: new Map([...outputs].map(([port, ref]) => [port === name ? next : port, ref])),
    }
  })
  return scopesOf(document).reduce((rest, scope) => {
    const uses = usesIn(document, scope, blockName)
    const follow = (ref: string) =>
      ref === `${baseOf(ref)}.${name}` && uses.has(baseOf(ref)) ? `${baseOf(ref)}.${next}` : ref
    const nodes = graphOf(rest, scope)?.nodes ?? new Map<string, Node>()
    return mapOutlets(
      withNodes(
        rest,
        scope,
        mapMap(nodes, (node) => mapRefs(node, follow)),
      ),
      scope,
      follow,
    )
  }, named)
}

const scopesOf = ({ blocks }: Document): Scope[] => [null, ...blocks.keys()]

function usesIn(document: Document, scope: Scope, block: string): Set<string> {
  const nodes = graphOf(document, scope)?.nodes ?? []
  return new Set([...nodes].filter(([, { op }]) => op === block).map(([id]) => id))
}

function mapUses(document: Document, block: string, change: (node: Node) => Node): Document {
  return scopesOf(document).reduce((rest, scope) => {
    const nodes = graphOf(rest, scope)?.nodes ?? new Map<string, Node>()
    return usesIn(rest, scope, block).size === 0
      ? rest
      : withNodes(
          rest,
          scope,
          mapMap(nodes, (node) => (node.op === block ? change(node) : node)),
        )
  }, document)
}
