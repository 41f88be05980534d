/** A document's graph as the canvas shows it: blocks folded, inputs and heads as nodes of their own. */
import type { Document } from '@neuroloom/contract/network/document/document'
import type { Graph } from '@neuroloom/contract/network/layout/cycles'

const size = { width: 180, height: 56 }

export function foldedGraph(document: Document): Graph {
  const inputs = [...document.inputs.keys()]
  const nodes = [...inputs, ...document.nodes.keys()].map((id) => ({ id, ...size }))
  let before = inputs.at(-1) ?? ''
  const edges = [...document.nodes].flatMap(([id, { in: written = before }]) => {
    before = id
    const references = typeof written === 'string' ? [written] : [...written.values()]
    return references.map((reference) => ({ from: reference.split('.')[0] ?? '', to: id }))
  })
  return { nodes, edges }
}
