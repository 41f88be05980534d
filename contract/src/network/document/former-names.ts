/** Layers under the names that they had in an earlier network: weights are matched by path, and a name may have changed since. */

import type { Plan } from '../resolve/plan.ts'
import type { Document, Node } from './document.ts'

export interface Named {
  document: Document
  plan: Plan
}

/**
 * The earlier path of each layer that is called otherwise now. A renamed node keeps its first name (`was`), also through
 * several renamings: two networks that came of one another agree in first names, whichever of them was renamed.
 */
export function formerNames(now: Named, earlier: Named): Record<string, string> {
  const firsts = new Map(earlier.plan.nodes.map(({ id }) => [id, firstName(earlier.document, id)]))
  const byFirst = new Map([...firsts].map(([id, first]) => [first, id]))
  const pairs = now.plan.nodes.flatMap(({ id, learn, share }): [string, string][] => {
    const first = firstName(now.document, id)
    const before = byFirst.get(first)
    const isSame = firsts.get(id) === first || before === id
    return isSame || learn === 0 || share !== null || before === undefined ? [] : [[id, before]]
  })
  return Object.fromEntries(pairs)
}

/** A path with each part as it was called first; parts inside blocks that come along are never renamed. */
function firstName(document: Document, path: string): string {
  let nodes: Document['nodes'] | undefined = document.nodes
  const parts: string[] = []
  for (const part of path.split('/')) {
    const node: Node | undefined = nodes?.get(part)
    parts.push(node?.was ?? part)
    // Numbers of copies stand between a block and what is inside.
    if (!/^\d+$/.test(part)) nodes = node && document.blocks.get(node.op)?.nodes
  }
  return parts.join('/')
}
