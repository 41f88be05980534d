/** Names of things on the canvas: which graph a path belongs to, and where the plan keeps it. Pure. */
import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Block, Document, Node } from '@neuroloom/contract/network/document/document'

/**
 * A canvas path is `stem`, or `up/cat` for a node inside the opened use `up` of a block; `@image` is an input,
 * `heads.main` a head. The plan counts copies of repeated nodes besides: `stage2/0/conv1` is `stage2/conv1` here.
 */
export interface Place {
  /** The local block whose graph the node stands in; null = the document itself. What edits take as `scope`. */
  scope: string | null
  id: string
  node: Node
  /** In a library block, or below one: it can be looked at only. */
  isReadOnly: boolean
  /** The block that the node uses, or null for a layer (and for an unknown name). */
  block: Block | null
  /** Path in the plan; of repeated nodes around it the first copy is taken. */
  planPath: string
}

/** null for inputs, heads and what is no longer there. */
export function placeOf(document: Document, { std }: Vocabulary, path: string): Place | null {
  let nodes = document.nodes
  let scope: string | null = null
  let isReadOnly = false
  let around = ''
  const steps = path.split('/')
  for (const [k, id] of steps.entries()) {
    const node = nodes.get(id)
    if (node === undefined) return null
    const local = isReadOnly ? undefined : document.blocks.get(node.op)
    const block: Block | null = local ?? std.get(node.op) ?? null
    const planPath: string = around + id
    if (k === steps.length - 1) return { scope, id, node, isReadOnly, block, planPath }
    if (block === null) return null
    nodes = block.nodes
    around = `${planPath}${node.repeat === undefined ? '' : '/0'}/`
    if (local === undefined) isReadOnly = true
    else scope = node.op
  }
  return null
}

/** Of a path in the plan, a problem or a type: copies of repeated nodes fall together. */
export function canvasPath(planPath: string): string {
  if (!planPath.includes('/')) return planPath
  return planPath
    .split('/')
    .filter((step) => !/^\d+$/.test(step))
    .join('/')
}

/** The path of the opened use around it, '' at the top. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}
